import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDistributed, type Sql, type Tx } from '../store/sql.ts';
import { openBeside } from './database.ts';
import { projectRoot } from './project-root.ts';
import { StartError } from './start-error.ts';

const FOLDER = join(projectRoot, 'migrations');

export interface Migration {
  /** File name: `0001-companies.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
}

/** Any number, as long as every version of Huella uses the same. */
const LOCK = 4_835_521n;
const ASK_AGAIN_MS = 100;
/**
 * How long a migration waits for the lock of a table in use: every later statement on that table queues behind it.
 */
const STAND_IN_LINE = '2s';
/** Then it lets them pass for this long before trying again. */
const STEP_ASIDE_MS = 3_000;
/** A longer wait is reported. Processes that start together wait less than this for each other. */
const WAIT_TOLD_MS = 1_000;
const LOOK_MS = 250;
/** More than there will ever be. */
const MOST_TABLES = 1_000;
/** SQLSTATE of a lock that was not granted within `lock_timeout`. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * The only kind of migration outside a transaction, as PostgreSQL requires: an index built while the table is being
 * written to.
 */
const INDEX_APART = /^create (?:unique )?index concurrently if not exists (\w+)\s[^;]*;?$/i;

/**
 * How a migration that removes something declares which programs still work afterwards: those that know the migration
 * with that number (docs/decisions/0141). One that only adds declares nothing.
 */
const NEEDS = /^-- needs: (\d{4})$/m;

/** What is waiting, and for whom. */
export interface Waiting {
  readonly migration: string;
  /** PostgreSQL's processes, for `pg_stat_activity`; empty if they could not be asked for. */
  readonly pids: readonly number[];
}

/** Reports whom a migration waits for. Only the first call counts. */
type Tell = (pids: readonly number[]) => void;

/** The migrations of this version, by number. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(FOLDER, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** The number of the migration that a program must know to work after this one; null if any program does. */
export function neededAfter(text: string): string | null {
  return NEEDS.exec(text)?.[1] ?? null;
}

/**
 * Brings the database up to date and returns the names of the migrations it ran.
 *
 * A database migrated by a newer version also serves an older program, unless one of those migrations needs one that
 * the program does not know (docs/decisions/0141).
 *
 * Each migration runs in its own transaction, which begins by taking a lock: of several processes that start at once,
 * one migrates and the others find it done. The lock belongs to the transaction, not to the session, so it also works
 * behind a pgbouncer.
 *
 * A migration that has to wait for a long reading of a table (an export, a copy) steps aside and tries again, so that
 * nobody who writes to that table waits behind it.
 *
 * A file that consists of one `create index concurrently if not exists` and comments runs beside that transaction, on
 * a connection of its own: no writer waits for it. If interrupted, it is built again from the start.
 *
 * @param onWait called once for each migration that has to wait
 * @throws {StartError} when a file that was already applied has changed, or a newer version has migrated the database
 *   so that this one may not use it any more
 */
export async function migrate(
  sql: Sql,
  migrations: readonly Migration[],
  onWait: (waiting: Waiting) => void = () => undefined,
): Promise<string[]> {
  const pending = pendingOf(migrations, await readApplied(sql));
  const ran: string[] = [];
  for (const migration of pending) {
    const tell = tellOnce(migration.name, onWait);
    if (await steppingAside(tell, () => apply(sql, migration, tell))) ran.push(migration.name);
  }
  await secureRows(sql, tellOnce(ROW_SECURITY, onWait));
  return ran;
}

function tellOnce(migration: string, onWait: (waiting: Waiting) => void): Tell {
  let isTold = false;
  return (pids) => {
    if (!isTold) onWait({ migration, pids });
    isTold = true;
  };
}

/** Migrations of newer versions that the database has and this program does not know. */
export async function newerMigrations(
  sql: Sql,
  migrations: readonly Migration[],
): Promise<string[]> {
  return unknownOf(migrations, await readApplied(sql));
}

/**
 * Whether every table with rows of companies has row-level security as the migrations left it. PostgreSQL's own tools
 * restore tables without the role that it needs, or without that role's rights: then the owner would see everything.
 */
async function hasRowSecurity(sql: Sql): Promise<boolean> {
  const [known] = await sql<{ found: boolean }[]>`
    select to_regproc('tables_without_wall') is not null as found`;
  if (!known?.found) return true;
  return (await sql`select from tables_without_wall() limit 1`).length === 0;
}

/** The migration that defines the function `enforce_company_rows`. */
const ROW_SECURITY = '0190-wall-expects-nothing.sql';

/**
 * Adds row-level security to the tables that lack it. Each in a transaction of its own, so that nobody waits for more
 * than one of them.
 */
async function secureRows(sql: Sql, tell: Tell): Promise<void> {
  for (let table = 0; !(await hasRowSecurity(sql)); table++) {
    if (table === MOST_TABLES) throw new Error('Some tables are left without row-level security.');
    await steppingAside(tell, () =>
      underLock(sql, tell, async (tx) => {
        await limitWaiting(tx);
        await watched(sql, tx, tell, () => tx`select enforce_company_rows(1)`);
      }),
    );
  }
}

/** The start does not wait for it. */
const NOBODY_HEARS: Tell = () => undefined;
const SEARCH_INDEX = 'invoices_search_marks';
/**
 * Makes comma and slash count as letters: a trigram ends at any other character (migration 0097, whose expression
 * this is).
 */
const SEARCH_INDEX_TEXT = `
  create index concurrently if not exists ${SEARCH_INDEX} on invoices
    using gin (company_id, replace(replace(search_text, ',', 'q'), '/', 'w') gin_trgm_ops)
     with (gin_pending_list_limit = 1024) where status in ('Registrada', 'Anulada')`;

/**
 * Creates the search index if it is missing, once the database permits, and drops its predecessor. Only the caller
 * waits: one to three minutes for a million invoices, once. Until then searches use the previous index, or none.
 *
 * @returns what the administrator of the database has to be told if it does not permit it, or null
 */
export async function ensureSearchIndex(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ why: string | null; isReady: boolean }[]>`
    select ensure_search_index() as why,
           to_regclass('invoices_search') is null
             and exists (select from pg_index where indexrelid = to_regclass(${SEARCH_INDEX}) and indisvalid)
             as "isReady"`;
  if (row?.why) {
    return `Buscar en historiales largos será lento: la base de datos no deja crear las extensiones pg_trgm y btree_gin (${row.why}). Que quien la administra instale los paquetes «contrib» de PostgreSQL y ejecute en ella: create extension pg_trgm; create extension btree_gin;`;
  }
  if (row?.isReady) return null;
  await underLock(sql, NOBODY_HEARS, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await beside(sql, async (apart) => {
      await buildApart(apart, SEARCH_INDEX, SEARCH_INDEX_TEXT);
      await apart`drop index concurrently if exists invoices_search`;
    });
  });
  return null;
}

interface Applied {
  readonly checksum: string;
  /** See {@link neededAfter}. */
  readonly needs: string | null;
}

function unknownOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, Applied>,
): string[] {
  const known = new Set(migrations.map(({ name }) => name));
  return [...applied.keys()].filter((name) => !known.has(name));
}

function pendingOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, Applied>,
): readonly Migration[] {
  const tooNew = unknownOf(migrations, applied).filter((name) => {
    const needs = applied.get(name)?.needs ?? null;
    return needs !== null && !migrations.some((known) => known.name.startsWith(needs));
  });
  if (tooNew.length > 0) {
    throw new StartError(
      `La base de datos es de una versión más nueva de Huella que ya no admite esta (tiene ${tooNew.join(', ')}): actualiza el programa.`,
    );
  }
  const changed = migrations.find(({ name, checksum }) => {
    const before = applied.get(name);
    return before !== undefined && before.checksum !== checksum;
  });
  if (changed) {
    throw new StartError(
      `La migración ${changed.name} ya se aplicó y su archivo ha cambiado desde entonces: devuélvelo a como estaba y haz el cambio en una migración nueva.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function readApplied(sql: Sql): Promise<ReadonlyMap<string, Applied>> {
  const [table] = await sql<{ found: boolean }[]>`
    select to_regclass('schema_migrations') is not null as found`;
  if (!table?.found) return new Map();
  // As JSON, because a database older than 0141 has no such column.
  const rows = await sql<({ name: string } & Applied)[]>`
    select name, checksum, to_jsonb(m) ->> 'needs' as needs from schema_migrations m order by name`;
  return new Map(rows.map(({ name, ...applied }) => [name, applied]));
}

/** Repeats it until its tables are free. */
async function steppingAside<T>(tell: Tell, run: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      tell([]);
      await sleep(STEP_ASIDE_MS);
    }
  }
}

/** Limits how long a transaction waits for a lock; it then fails with {@link LOCK_NOT_AVAILABLE}. */
async function limitWaiting(tx: Tx): Promise<void> {
  await tx`select set_config('lock_timeout', ${STAND_IN_LINE}, true)`;
}

/** Whether this call ran it: another process may have done so first. */
async function apply(sql: Sql, { name, text, checksum }: Migration, tell: Tell): Promise<boolean> {
  const index = indexApart(text);
  return underLock(sql, tell, async (tx) => {
    await tx`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now(),
        needs text
      )`;
    const rows = await tx`
      insert into schema_migrations (name, checksum) values (${name}, ${checksum})
          on conflict do nothing returning name`;
    if (rows.length === 0) return false;
    const needs = neededAfter(text);
    if (needs) await tx`update schema_migrations set needs = ${needs} where name = ${name}`;
    // On a distributed database one statement after another, as foreign keys to reference tables require.
    if (await isDistributed(tx)) {
      await tx.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`);
    }
    if (index === null) {
      await limitWaiting(tx);
      const run = () => tx.unsafe(text);
      await watched(sql, tx, tell, run);
    } else {
      // The transaction is idle while the index is being built, which is not what the time limit is for. As this is
      // no query, it also leaves the transaction without a snapshot that the index would wait for.
      await tx`set local idle_in_transaction_session_timeout = 0`;
      await beside(sql, (apart) => watched(sql, apart, tell, () => buildApart(apart, index, text)));
    }
    return true;
  });
}

/** The name of the index that a file builds outside a transaction; null for any other file. */
function indexApart(text: string): string | null {
  const statement = text.replace(/--.*$/gm, '').trim();
  return INDEX_APART.exec(statement)?.[1] ?? null;
}

/** Runs outside the open transaction and its pool, which may have no second connection. */
async function beside(sql: Sql, work: (apart: Sql) => Promise<void>): Promise<void> {
  const apart = openBeside(sql);
  try {
    await work(apart);
  } finally {
    await apart.end({ timeout: 1 });
  }
}

/**
 * Meanwhile checks, on a connection of its own, whom the working one waits for. Quick work opens none; and if none is
 * available, the work continues all the same.
 */
async function watched<T>(sql: Sql, at: Tx, tell: Tell, work: () => PromiseLike<T>): Promise<T> {
  const [row] = await at<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const apart = openBeside(sql);
  let waitsSince = Number.POSITIVE_INFINITY;
  const look = async () => {
    const [found] = await apart<{ pids: number[] }[]>`
      select pg_blocking_pids(${row?.pid ?? 0}) as pids`;
    const pids = found?.pids ?? [];
    const now = performance.now();
    waitsSince = pids.length > 0 ? Math.min(waitsSince, now) : Number.POSITIVE_INFINITY;
    if (now - waitsSince >= WAIT_TOLD_MS) tell(pids);
  };
  const timer = setInterval(() => look().catch(() => clearInterval(timer)), LOOK_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await apart.end({ timeout: 1 });
  }
}

/** Who holds the lock of `underLock`. */
async function holdersOfLock(tx: Tx): Promise<number[]> {
  const rows = await tx<{ pid: number }[]>`
    select pid from pg_locks
     where locktype = 'advisory' and granted and classid = 0 and objid = ${LOCK}::bigint::oid and objsubid = 1
       and database = (select oid from pg_database where datname = current_database())`;
  return rows.map(({ pid }) => pid);
}

async function buildApart(sql: Sql, index: string, text: string): Promise<void> {
  // An earlier build was interrupted: PostgreSQL leaves an invalid index of that name, which cannot be used.
  const [husk] = await sql`
    select 1 from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`;
  if (husk) await sql`drop index concurrently if exists ${sql(index)}`;
  await sql.unsafe(text);
}

/**
 * Runs a transaction that no other process of the installation runs at the same time.
 *
 * A process that finds the lock taken tries again and again, each time in a new transaction: an index built
 * concurrently waits for every older snapshot, and would wait for ever for one that waits for this lock.
 */
async function underLock<T>(sql: Sql, tell: Tell, run: (tx: Tx) => Promise<T>): Promise<T> {
  const since = performance.now();
  let isTold = false;
  for (;;) {
    const done = await sql.begin(async (tx) => {
      const [row] = await tx<{ taken: boolean }[]>`
        select pg_try_advisory_xact_lock(${LOCK}) as taken`;
      if (row?.taken) return { value: await run(tx) };
      if (!isTold && performance.now() - since >= WAIT_TOLD_MS) {
        isTold = true;
        tell(await holdersOfLock(tx));
      }
      return null;
    });
    if (done) return done.value as T;
    await sleep(ASK_AGAIN_MS);
  }
}
