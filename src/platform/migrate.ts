import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sql } from '../store/sql.ts';
import { projectRoot } from './project-root.ts';
import { StartError } from './start-error.ts';

export const migrationsFolder: string = join(projectRoot, 'migrations');

export interface Migration {
  /** File name: `0001-companies.sql`. */
  readonly name: string;
  readonly text: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly checksum: string;
}

/** Any number, as long as every version of Huella uses the same. */
const LOCK = 4_835_521n;

/** The SQL files of a folder, in the order of their numbers. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the database up to date and returns the names of the migrations it ran.
 *
 * Each runs in its own transaction, which starts by taking a lock: of several processes that start
 * at once, one migrates and the others find it done. The lock is the transaction's, not the
 * session's, so it also holds behind a pgbouncer.
 *
 * @throws {StartError} when a file that was already applied has changed, or the database was
 *   migrated by a newer version
 */
export async function migrate(sql: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const pending = pendingOf(migrations, await readApplied(sql));
  const ran: string[] = [];
  for (const migration of pending) {
    if (await apply(sql, migration)) ran.push(migration.name);
  }
  if (ran.length > 0) await raiseWall(sql);
  return ran;
}

/** Puts the wall between companies on the tables that have none yet (0016-company-wall.sql). */
async function raiseWall(sql: Sql): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    const [known] = await tx<{ found: boolean }[]>`
      select to_regproc('enforce_company_rows') is not null as found`;
    if (known?.found) await tx`select enforce_company_rows()`;
  });
}

/**
 * Makes the index of the search where it is missing, once the database lets us.
 *
 * @returns what to tell whoever runs the database when it does not, or null
 */
export async function ensureSearchIndex(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ why: string | null }[]>`select ensure_search_index() as why`;
  if (!row?.why) return null;
  return `Buscar en historiales largos será lento: la base de datos no deja crear las extensiones pg_trgm y btree_gin (${row.why}). Que quien la administra instale los paquetes «contrib» de PostgreSQL y ejecute en ella: create extension pg_trgm; create extension btree_gin;`;
}

function pendingOf(
  migrations: readonly Migration[],
  applied: ReadonlyMap<string, string>,
): readonly Migration[] {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new StartError(
      `La base de datos es de una versión más nueva de Huella (tiene ${unknown.join(', ')}): actualiza el programa.`,
    );
  }
  const changed = migrations.find(({ name, checksum }) => {
    const before = applied.get(name);
    return before !== undefined && before !== checksum;
  });
  if (changed) {
    throw new StartError(
      `La migración ${changed.name} ya se aplicó y su archivo ha cambiado desde entonces: devuélvelo a como estaba y haz el cambio en una migración nueva.`,
    );
  }
  return migrations.filter(({ name }) => !applied.has(name));
}

async function readApplied(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const [table] = await sql<{ found: boolean }[]>`
    select to_regclass('schema_migrations') is not null as found`;
  if (!table?.found) return new Map();
  const rows = await sql<{ name: string; checksum: string }[]>`
    select name, checksum from schema_migrations`;
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Whether this call ran it: another process may have come first. */
async function apply(sql: Sql, { name, text, checksum }: Migration): Promise<boolean> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`;
    const rows = await tx`
      insert into schema_migrations (name, checksum) values (${name}, ${checksum})
          on conflict do nothing returning name`;
    if (rows.length === 0) return false;
    await tx.unsafe(text);
    return true;
  });
}
