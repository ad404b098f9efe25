import { AsyncLocalStorage } from 'node:async_hooks';
import { type Admission, readingTurns } from './reading-turns.ts';
import { OPENING, type Opening, type OwnTurn, type Sql, TURN, type Tx } from './sql.ts';

/**
 * Whom a request is for. At first it is for nobody, as public calls stay; the session of a private call sets the
 * company, and from then on no other company's data is within reach.
 */
export interface RequestScope {
  companyId: number | null;
  /** Used instead of `companyId` when requests of several companies share a transaction. */
  readonly companyIds?: readonly number[];
  /** While its session is looked up: that is done by key, waits for no lock, and so needs no {@link LIMITS}. */
  readonly isBeingLookedUp?: boolean;
  /**
   * Set until the session is looked up, for requests that do so in their first transaction. Single statements and
   * `readTogether` are then sent along with those of other calls of the same session; `begin` is refused.
   */
  admission?: Admission | null;
  /** The id under which its call is logged. */
  readonly reqId?: string | undefined;
  /** What the security log records about the request. */
  sid: string | null;
  readonly address: string;
  readonly userAgent: string;
}

/**
 * How long a call waits for a lock, and for the answer to one statement: what one company holds must not occupy the
 * connections of all, nor must work for which nobody waits any more. Set in each transaction, because behind a
 * pgbouncer that is the only place. The wait for a lock ends before `pipelined` loses patience, so that it is known
 * that nothing was done. A commit has no limit. Public calls have the same limits, though not row-level security.
 */
const LIMITS = "set local lock_timeout = '15s'; set local statement_timeout = '60s'";

const scopes = new AsyncLocalStorage<RequestScope>();

/** Runs something, and whatever it starts, on behalf of a request. */
export function within<T>(scope: RequestScope, run: () => T): T {
  return scopes.run(scope, run);
}

/** Runs what requests of these companies do together. Outside of any request nothing is restricted. */
export function withinCompanies<T>(companyIds: readonly number[], run: () => T): T {
  const scope = scopes.getStore();
  if (!scope) return run();
  return scopes.run({ ...scope, companyId: null, companyIds, reqId: undefined, sid: null }, run);
}

/** Looks up the session of the current request. Every private call does, and should not pay for more. */
export function lookingUp<T>(run: () => T): T {
  const scope = scopes.getStore();
  return scope ? scopes.run({ ...scope, isBeingLookedUp: true }, run) : run();
}

/** The request that this code runs for, or null for work that nobody asked for over HTTP. */
export function currentScope(): RequestScope | null {
  return scopes.getStore() ?? null;
}

/** What is read while an answer is being streamed is read on behalf of the request that asked, whoever pulls. */
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
 * The pool as HTTP calls see it: every statement of a private call runs as a role to which PostgreSQL shows the rows
 * of one company only (migration 0016, docs/decisions/0016).
 *
 * Work that belongs to no request is refused, not let through.
 *
 * A single statement becomes a transaction whose `begin` and `commit` are sent in the same flush, so it waits for no
 * more round trips than before.
 *
 * @param isPatient for readers that may take as long as they need, on connections for which nobody else waits
 */
export async function withRowSecurity(sql: Sql, { isPatient = false } = {}): Promise<Sql> {
  const role = await findWebRole(sql);
  const turnUnderWay = readingTurns(sql);
  const opened = (companyIds: readonly number[]) =>
    isPatient ? settings(role, companyIds) : `${LIMITS}; ${settings(role, companyIds)}`;

  /**
   * The settings with which a transaction of the current request begins; null when nothing has to be restricted or
   * limited.
   */
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

  /** The turn in which a request reads together with others, until it is admitted. */
  function ownTurn(scope: RequestScope | undefined): OwnTurn | null {
    const admission = scope?.admission;
    if (!scope || !admission) return null;
    const turn = turnUnderWay(admission, opened(companiesIn(scope) ?? []));
    return { turn, read: (read) => turn.read(admission, (tx) => within(scope, () => read(tx))) };
  }

  /** The same as text, for uses where nobody would check whether the request is admitted. */
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
      const handler = (sent: DriverQuery) => {
        const own = ownTurn(scope);
        if (own) readIn(own, sent, (tx) => Reflect.apply(tx, undefined, args));
        else void aloneWithin(sql, opened.settings, sent);
      };
      query.handler = handler; // Not written here: decision 1100.
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
 * Reads what one company may know of others, inside a transaction: whether other accounts of its own NIF, including
 * closed ones, already gave a number. Nothing read here may be part of an answer.
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

/** Sent as text, because `set` takes no parameters and `set_config` does not reach Citus's workers. */
function settings(role: string | null, companyIds: readonly number[]): string {
  if (!companyIds.every(Number.isSafeInteger)) throw new Error('A company is a whole number.');
  const company = `set local huella.company = '${companyIds.join(',')}'`;
  return role === null ? company : `${company}; set local role "${role.replaceAll('"', '""')}"`;
}

/** The role of private calls, or null when the database's user may not use one. */
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
    // Not awaited: it is sent ahead of the first statement, in the same flush.
    const opened = tx.unsafe(begin).execute();
    opened.catch(() => undefined);
    const result = await run(tx);
    await opened;
    return result;
  });
}

/** What the driver (postgres 3.4.9, pinned) attaches to a query: who sends it when it is awaited. */
interface DriverQuery extends PromiseLike<unknown> {
  handler: (query: DriverQuery) => void;
  readonly isRaw?: unknown;
  readonly cursorFn?: unknown;
  readonly forEachFn?: unknown;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** Repeats a statement within a turn: the same text, on the turn's connection. */
function readIn(own: OwnTurn, query: DriverQuery, again: (tx: Tx) => Promise<unknown>): void {
  if (query.isRaw || query.cursorFn || query.forEachFn) {
    query.reject(new Error('Rows are read whole by a request that is not admitted yet.'));
  } else {
    own.read(again).then(query.resolve, query.reject);
  }
}

/** One statement between a `begin` and a `commit`, sent without waiting for either. */
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
  const keep = (rows: unknown) => {
    result = rows;
    isAnswered = true;
  };
  query.resolve = keep; // Not written here: decision 1100.
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
    own.release(); // On a lost connection, this does nothing.
  }
}
