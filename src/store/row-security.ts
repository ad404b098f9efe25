import { AsyncLocalStorage } from 'node:async_hooks';
import { type Admission, readingTurns } from './reading-turns.ts';
import { OPENING, type Opening, type OwnTurn, type Sql, TURN, type Tx } from './sql.ts';

/**
 * Who a request is for. It starts with nobody, which is how public calls go on; the session of a
 * private one sets the company, and from then on nothing of another is within reach.
 */
export interface RequestScope {
  companyId: number | null;
  /** Instead of `companyId`, where requests of several companies share a transaction. */
  readonly companyIds?: readonly number[];
  /** While its session is looked up: by its key, behind nobody's lock, and so without {@link LIMITS}. */
  readonly isBeingLookedUp?: boolean;
  /**
   * Of a request whose session is looked up in its first transaction, until then. What it reads by single statements
   * and `readTogether` travels with what others of that session do; `begin` is refused.
   */
  admission?: Admission | null;
  /** The id under which its call is logged. */
  readonly reqId?: string | undefined;
  /** What the security log says of the request. */
  sid: string | null;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * How long a call waits for a lock, and for the answer of one statement: what one company holds must not keep the
 * connections of all, nor what nobody waits for any more. Said in each transaction, as a pgbouncer wants. A lock is given
 * up before `pipelined` loses its patience, so that it is known that nothing was done. A commit has no limit. Public
 * calls have the same, though row-level security is not for them.
 */
const LIMITS = "set local lock_timeout = '15s'; set local statement_timeout = '60s'";

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs something, and whatever it starts, for a request. */
export function within<T>(scope: RequestScope, run: () => T): T {
  return scopes.run(scope, run);
}

/**
 * Runs what requests of these companies do together. Outside of any request
 * nothing is restricted.
 */
export function withinCompanies<T>(companyIds: readonly number[], run: () => T): T {
  const scope = scopes.getStore();
  if (!scope) return run();
  return scopes.run({ ...scope, companyId: null, companyIds, reqId: undefined, sid: null }, run);
}

/** Looks up the session of the request under way: every private call does, and pays for nothing else. */
export function lookingUp<T>(run: () => T): T {
  const scope = scopes.getStore();
  return scope ? scopes.run({ ...scope, isBeingLookedUp: true }, run) : run();
}

/** The request that this runs for, or null in work that nobody asked for over HTTP. */
export function currentScope(): RequestScope | null {
  return scopes.getStore() ?? null;
}

/** What is read on while an answer streams is read for the request that asked, whoever pulls. */
export function inScope<T>(source: AsyncIterable<T>): AsyncIterable<T> {
  const scope = scopes.getStore();
  if (!scope) return source;
  const iterator = source[Symbol.asyncIterator]();
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => scopes.run(scope, () => iterator.next()),
      return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
    }),
  };
}

/**
 * The pool as the HTTP side of the product has it: every statement of a private call runs as the role
 * that PostgreSQL only shows the rows of one company (migration 0016, docs/decisions/0016).
 *
 * Work that belongs to no request is refused instead of let through.
 *
 * A statement of its own becomes a transaction whose `begin` and `commit` travel in the same flush:
 * it waits for no more round trips than before.
 *
 * @param isPatient of whoever reads for as long as it takes, on connections that nobody else waits for
 */
export async function withRowSecurity(sql: Sql, { isPatient = false } = {}): Promise<Sql> {
  const role = await findWebRole(sql);
  const turnUnderWay = readingTurns(sql);
  const opened = (companyIds: readonly number[]) =>
    isPatient ? settings(role, companyIds) : `${LIMITS}; ${settings(role, companyIds)}`;

  /** What a transaction of the request under way begins with; null when nothing is to be restricted or bounded. */
  function opening(): Opening | null {
    const scope = scopes.getStore();
    if (!scope) throw new Error('The database was asked from outside of any request.');
    const companyIds = companiesIn(scope);
    if (companyIds === null) {
      if (isPatient || scope.isBeingLookedUp) return null;
      return { settings: LIMITS, admit: null, mayWrite: true };
    }
    const { admission } = scope;
    return {
      settings: opened(companyIds),
      admit: admission ? (tx) => admission.lookUp(tx).then(admission.accept) : null,
      mayWrite: admission?.mayWrite ?? true,
    };
  }

  /** In which a request reads together with others, until it is admitted. */
  function ownTurn(scope: RequestScope | undefined): OwnTurn | null {
    const admission = scope?.admission;
    if (!scope || !admission) return null;
    const turn = turnUnderWay(admission, opened(companiesIn(scope) ?? []));
    return { turn, read: (read) => turn.read(admission, (tx) => within(scope, () => read(tx))) };
  }

  /** The same as text, where nobody would ask whether the request is admitted. */
  function admittedOpening(): string | null {
    const opened = opening();
    if (opened?.admit) throw new Error('The session of this request has not been looked up yet.');
    return opened?.settings ?? null;
  }

  const members: Partial<Record<string | symbol, unknown>> = {
    begin: (...args: readonly unknown[]) => beginWithin(sql, admittedOpening(), args),
    get [OPENING]() {
      return opening();
    },
    get [TURN]() {
      return ownTurn(scopes.getStore());
    },
  };
  return new Proxy(sql, {
    apply(target, _self, args: [TemplateStringsArray, ...unknown[]]) {
      const made = Reflect.apply(target as never, undefined, args) as object;
      // A list of names or values, not a statement.
      if (!Array.isArray(args[0]?.raw)) return made;
      const opened = opening();
      if (opened === null) return made;
      const query = made as DriverQuery;
      const scope = scopes.getStore();
      query.handler = (sent) => {
        const own = ownTurn(scope);
        if (own) readIn(own, sent, (tx) => Reflect.apply(tx, undefined, args));
        else void aloneWithin(sql, opened.settings, sent);
      };
      return query;
    },
    get(target, key) {
      if (key in members) return members[key];
      if (key === 'unsafe' || key === 'listen' || key === 'notify' || key === 'file') {
        throw new Error(`sql.${String(key)} would go round row-level security.`);
      }
      return Reflect.get(target, key);
    },
  });
}

/**
 * Reads what one company may know of others, inside a transaction: whether the accounts of its own
 * NIF, closed ones too, gave a number already. Nothing that is read here may be answered.
 */
export async function lookAcross<T>(tx: Tx, read: () => Promise<T>): Promise<T> {
  const scope = scopes.getStore();
  const companyIds = scope ? companiesIn(scope) : null;
  if (companyIds === null) return read();
  const [row] = await tx<{ role: string }[]>`select current_setting('role') as role`;
  await tx.unsafe("set local role none; set local huella.company = ''");
  const found = await read();
  const role = row?.role === 'none' ? null : (row?.role ?? null);
  await tx.unsafe(settings(role, companyIds));
  return found;
}

function companiesIn({ companyId, companyIds }: RequestScope): readonly number[] | null {
  if (companyIds) return companyIds;
  return companyId === null ? null : [companyId];
}

/** Sent as text because `set` takes no parameters, and `set_config` does not reach Citus's workers. */
function settings(role: string | null, companyIds: readonly number[]): string {
  if (!companyIds.every(Number.isSafeInteger)) throw new Error('A company is a whole number.');
  const company = `set local huella.company = '${companyIds.join(',')}'`;
  return role === null ? company : `${company}; set local role "${role.replaceAll('"', '""')}"`;
}

/** The role of private calls, or null where the database's user may not have one. */
async function findWebRole(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ role: string | null }[]>`
    select case when huella_may_be_web() then huella_web_role() end as role`;
  return row?.role ?? null;
}

function beginWithin(sql: Sql, begin: string | null, args: readonly unknown[]): Promise<unknown> {
  const call = sql.begin as (...args: readonly unknown[]) => Promise<unknown>;
  if (begin === null) return call(...args);
  const run = args.at(-1) as (tx: Tx) => unknown;
  return call(...args.slice(0, -1), async (tx: Tx) => {
    // Not waited for: it goes out ahead of the first statement, in the same flush.
    const opened = tx.unsafe(begin).execute();
    opened.catch(() => undefined);
    const result = await run(tx);
    await opened;
    return result;
  });
}

/** What the driver (postgres 3.4.9, pinned) hangs on a query: who sends it when it is awaited. */
interface DriverQuery extends PromiseLike<unknown> {
  handler: (query: DriverQuery) => void;
  readonly isRaw?: unknown;
  readonly cursorFn?: unknown;
  readonly forEachFn?: unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** One statement among those of a turn: the same words again, on its connection. */
function readIn(own: OwnTurn, query: DriverQuery, again: (tx: Tx) => Promise<unknown>): void {
  if (query.isRaw || query.cursorFn || query.forEachFn) {
    query.reject(new Error('Rows are read whole by a request that is not admitted yet.'));
  } else {
    own.read(again).then(query.resolve, query.reject);
  }
}

/** One statement between a `begin` and a `commit` that wait for nobody. */
async function aloneWithin(sql: Sql, begin: string, query: DriverQuery): Promise<void> {
  let own: Awaited<ReturnType<Sql['reserve']>>;
  try {
    own = await sql.reserve();
  } catch (error) {
    query.reject(error);
    return;
  }
  const send = (own`` as unknown as DriverQuery).handler;
  const answer = query.resolve;
  let result: unknown;
  let isAnswered = false;
  // Nobody is answered before the commit.
  query.resolve = (rows) => {
    result = rows;
    isAnswered = true;
  };
  const opened = own.unsafe(`begin; ${begin}`).execute();
  opened.catch(() => undefined);
  await null; // The driver sends what was executed a microtask later.
  query.handler = send;
  send(query);
  try {
    await own.unsafe('commit');
    if (isAnswered) answer(result);
  } catch (error) {
    query.reject(error);
  } finally {
    own.release(); // Of a connection that was lost it gives nothing back.
  }
}
