import type postgres from 'postgres';
import { DomainError } from '../domain/errors.ts';

/** `int8` columns come as `bigint`, `numeric` and `date` as text: money and days are never floats. */
export interface SqlTypes extends Record<string, unknown> {
  readonly bigint: bigint;
}

export type Sql = postgres.Sql<SqlTypes>;

/** What store functions take first: a transaction, or the pool for a single statement. */
export type Tx = postgres.ISql<SqlTypes>;

/**
 * The property in which a pool with row security (row-security.ts) gives the settings of its transactions, or null.
 */
export const OPENING = Symbol('opening');

export interface Opening {
  /** Statements, as text. */
  readonly settings: string;
  /**
   * For a request that is not admitted yet: checks it in the transaction itself, and throws if it may not be
   * answered. What is read meanwhile is not returned before.
   */
  readonly admit: ((tx: Tx) => Promise<void>) | null;
  /** Whether such a request may write after reading: nothing is committed before it is admitted. */
  readonly mayWrite: boolean;
}

/**
 * The property in which a pool with row security gives what the current request reads with, or null: see {@link
 * readTogether}.
 */
export const TURN = Symbol('turn');

/** What the calls of one session read together in this turn of the event loop (reading-turns.ts). */
export interface OwnTurn {
  /** The same object for all of them. */
  readonly turn: object;
  readonly read: <Answer>(read: (tx: Tx) => Promise<Answer>) => Promise<Answer>;
}

/** The turn in which the current request reads with others of its session, if it does. */
export function turnOf(sql: Tx): OwnTurn | null {
  return (sql as { readonly [TURN]?: OwnTurn | null })[TURN] ?? null;
}

/** Sends the last statements of a transaction with the `commit` behind them. */
export type Commit = (writes: readonly Promise<unknown>[]) => Promise<void>;

/**
 * The body of a transaction.
 *
 * @param admitted for a request that is not admitted yet: rejects if it is refused. Code that returns something
 *   before the transaction ends must await it
 */
type Run<T> = (tx: Tx, commit: Commit, admitted: Promise<void>) => Promise<T>;

/**
 * Runs one transaction whose statements may be sent together.
 *
 * `sql.begin` waits for `begin` and for `commit` separately. Here `begin` is sent with the first statements, and
 * `commit(writes)` right behind the last ones, so locks are held for only as many round trips as there are real
 * decisions. PostgreSQL turns a `commit` after a refused statement into a rollback; a write that fails before it is
 * sent prevents the `commit`. A write must send all its statements at once: one that waited for another would come
 * after the commit.
 *
 * The caller must await `commit(writes)`; without it everything is rolled back.
 *
 * @param settings statements sent with `begin`: `set local …`
 */
export async function pipelined<T>(
  sql: Sql,
  run: Run<T>,
  settings: readonly string[] = [],
): Promise<T> {
  let isAbandoned = false;
  const work = transact(sql, run, settings, () => isAbandoned);
  const silence = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      isAbandoned = true;
      reject(new DomainError('UNAVAILABLE', NO_ANSWER));
    }, PATIENCE_MS);
    work.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    );
  });
  return Promise.race([work, silence]);
}

/**
 * Several readings in one transaction, whose statements are all sent at once: as fast as each on a connection of its
 * own, for less work on both sides. No reading may wait for another's answer. Without settings of its own, a call
 * that only reads shares the transaction with calls of its session that come in with it.
 *
 * @param settings statements sent with `begin`: `set local …`
 */
export function readTogether<const Readings extends readonly Promise<unknown>[]>(
  sql: Sql,
  read: (tx: Tx) => Readings,
  settings: readonly string[] = [],
): Promise<{ -readonly [At in keyof Readings]: Awaited<Readings[At]> }> {
  type Answers = { -readonly [At in keyof Readings]: Awaited<Readings[At]> };
  const own = settings.length === 0 ? turnOf(sql) : null;
  if (own) return own.read((tx) => Promise.all(read(tx)) as Promise<Answers>);
  const readAndEnd = async (tx: Tx, commit: Commit) => {
    const readings = read(tx);
    await commit(readings);
    return (await Promise.all(readings)) as Answers;
  };
  return pipelined(sql, readAndEnd, settings);
}

/**
 * A statement that is never answered, because its connection was silently lost, must not hold back what queues behind
 * it. Far longer than any wait for a lock.
 */
const PATIENCE_MS = 20_000;
const NO_ANSWER =
  'La base de datos no ha respondido a tiempo. Antes de repetir, mira en tus facturas si quedó hecho.';

async function transact<T>(
  sql: Sql,
  run: Run<T>,
  settings: readonly string[],
  isAbandoned: () => boolean,
): Promise<T> {
  const opening = (sql as { readonly [OPENING]?: Opening | null })[OPENING] ?? null;
  const admit = opening?.admit;
  const isReadOnly = admit && !opening?.mayWrite;
  const begins = isReadOnly ? 'begin read only' : 'begin';
  const opened = [begins, ...settings, ...(opening === null ? [] : [opening.settings])];
  const tx = await sql.reserve();
  let isCommitted = false;
  try {
    const begin = opened.length === 1 ? tx`begin` : tx.unsafe(opened.join('; '));
    const begun = begin.then(() => undefined);
    begun.catch(() => undefined); // A lost connection also rejects the statements behind it.
    let admission = Promise.resolve();
    const commit: Commit = async (writes) => {
      await untilSent(writes);
      if (!isReadOnly) await admission;
      if (isAbandoned()) throw new DomainError('UNAVAILABLE', NO_ANSWER);
      const [{ command }] = await allAnswers([tx`commit`, ...writes]);
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back.');
      isCommitted = true;
    };
    // The check is sent first, in the same flush, and its answer counts before any other.
    if (admit) {
      admission = admit(tx);
      await untilSent([admission]);
    }
    const [admitted, done] = await Promise.allSettled([admission, run(tx, commit, admission)]);
    if (admitted.status === 'rejected') throw admitted.reason;
    if (done.status === 'rejected') throw done.reason;
    await begun;
    return done.value;
  } finally {
    // If the connection was lost, so is its reservation, and both do nothing (scripts/guard-postgres.mjs).
    if (!isCommitted) await tx`rollback`.catch(() => undefined);
    tx.release();
  }
}

/** SQLSTATE of a statement that PostgreSQL refused unread, because an earlier one of its transaction had failed. */
const REFUSED_BEFORE = '25P02';

/**
 * `Promise.all` for the statements of one transaction. It rejects with the error of the statement that PostgreSQL
 * refused, never with the 25P02 of a later one, whose promise may reject sooner because it passes through fewer
 * functions.
 */
async function allAnswers<const Asked extends readonly unknown[]>(
  asked: Asked,
): Promise<{ -readonly [At in keyof Asked]: Awaited<Asked[At]> }> {
  try {
    return await Promise.all(asked);
  } catch (told) {
    if (codeOf(told) !== REFUSED_BEFORE) throw told;
    const all = await Promise.allSettled(asked);
    const first = all.find(
      (one) => one.status === 'rejected' && codeOf(one.reason) !== REFUSED_BEFORE,
    );
    throw first?.status === 'rejected' ? first.reason : told;
  }
}

/** The same for statements that have names, sent in the order in which they are written. */
export async function answersByName<Asked extends Readonly<Record<string, unknown>>>(
  asked: Asked,
): Promise<{ readonly [Name in keyof Asked]: Awaited<Asked[Name]> }> {
  const answers = await allAnswers(Object.values(asked));
  const named = Object.keys(asked).map((name, at) => [name, answers[at]]);
  return Object.fromEntries(named) as { [Name in keyof Asked]: Awaited<Asked[Name]> };
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code;
}

/** Whether the database refused a statement, and so rolled its transaction back. */
export function isRefusal(error: unknown): boolean {
  return (error as { severity?: string }).severity === 'ERROR';
}

/** Whether it was refused because of a deadlock: the other transaction went on. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01';
}

/** Waits until each statement has been sent, and throws if one failed before that. */
async function untilSent(asked: readonly Promise<unknown>[]): Promise<void> {
  let hasFailed = false;
  for (const one of asked) {
    one.catch(() => {
      hasFailed = true;
    });
  }
  // A statement is sent one microtask after its function is called; a failure shows after two.
  for (let turn = 0; turn < 4; turn++) await Promise.resolve();
  if (hasFailed) await Promise.all(asked);
}

/** The database did not answer in time. */
export class NoAnswer extends Error {}

/**
 * The answer of the database, if it comes in time: when none of several hosts accepts writes, the driver keeps
 * looking for one and says nothing.
 */
export async function answerWithin<T>(milliseconds: number, ask: () => PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('no answer in time')), milliseconds);
  });
  try {
    return await Promise.race([ask(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Restricts a statement to companies. A single one by plain equality, which a distributed database sends straight to
 * its machine, and which is the only form in which it locks rows.
 */
export function ofCompanies(tx: Tx, column: string, companyIds: readonly number[]) {
  const [only] = companyIds;
  return companyIds.length === 1
    ? tx`${tx(column)} = ${only ?? 0}`
    : tx`${tx(column)} = any(${[...companyIds]}::int[])`;
}

/**
 * The same for a statement that joins its rows with a given list. Only a single company is repeated as a condition: a
 * list beside the join would lead PostgreSQL to compare every row with every other.
 */
export function ofOneCompany(
  tx: Tx,
  column: string,
  rows: readonly { readonly companyId: number }[],
) {
  const companyIds = companiesOf(rows);
  return companyIds.length === 1 ? tx`and ${ofCompanies(tx, column, companyIds)}` : tx``;
}

/** A statement, or part of one, that has not been sent: awaiting it sends it. */
export type Statement = ReturnType<Tx>;

/** No text of ours contains this: XML does not allow it, and JSON escapes it. */
const BETWEEN = '\u0001';
const NOTHING = '\u0002';

/**
 * A column of long texts, one per row, that PostgreSQL cuts out of a single one. In an array, each character would be
 * examined twice on both sides; in a JSON document, they would be escaped and parsed.
 */
export function textColumn(tx: Tx, texts: readonly (string | null)[]): Statement {
  if (texts.some((text) => text?.includes(BETWEEN)))
    throw new Error('A text holds a control mark.');
  const joined = texts.map((text) => `${BETWEEN}${text ?? NOTHING}`).join('');
  return tx`(string_to_array(${joined}::text, E'\\x01', E'\\x02'))[2:]`;
}

/**
 * A column for the rows of a `select` beside an `unnest` of the same length. When all values are equal, as in the
 * AEAT's answer to a thousand invoices, the value is sent and read once.
 */
export function columnOf(
  tx: Tx,
  type: 'text' | 'int',
  values: readonly (string | number | null)[],
): Statement {
  const [first = null] = values;
  return values.every((value) => value === first)
    ? tx`${first}::${TYPES[type](tx)}`
    : tx`unnest(${ofAnyLength(tx, type, values)})`;
}

/**
 * An array whose length the plan does not depend on. Otherwise a thousand keys are held against all invoices of a
 * company of forty thousand instead of being looked up (docs/decisions/1020).
 */
export function ofAnyLength(
  tx: Tx,
  type: keyof typeof TYPES,
  values: readonly (string | number | null)[],
): Statement {
  const column = TYPES[type](tx);
  return tx`(select ${[...values]}::${column}[])::${column}[]`;
}

const TYPES = {
  text: (tx: Tx) => tx`text`,
  int: (tx: Tx) => tx`int`,
  bigint: (tx: Tx) => tx`bigint`,
};

/** The companies of some rows, without repetitions. */
export function companiesOf(rows: readonly { readonly companyId: number }[]): number[] {
  return [...new Set(rows.map(({ companyId }) => companyId))];
}

/** Whether the tables are spread over several machines (`npm run admin -- distribuir`). */
export async function isDistributed(tx: Tx): Promise<boolean> {
  const [row] = await tx`select 1 from pg_extension where extname = 'citus'`;
  return row !== undefined;
}

/** A name from the PostgreSQL catalog, quoted as an identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
