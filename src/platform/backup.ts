import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { countOtherConnections } from '../store/administration.ts';
import { copyOut } from '../store/copy-out.ts';
import type { Sql, Tx } from '../store/sql.ts';
import { type FileLock, lockFile } from './file-lock.ts';
import { makeFolder } from './make-folder.ts';
import { type Migration, migrate } from './migrate.ts';
import { keepNames, putInPlace } from './put-in-place.ts';
import { StartError } from './start-error.ts';

/** Version of the file format of a backup. */
const FORMAT = 1;

/** The manifest of a backup. It is written last: a folder without one is a backup that was interrupted. */
const Manifest = z.object({
  formato: z.literal(FORMAT),
  version: z.string(),
  /** The moment whose data it holds, in UTC. */
  creada: z.iso.datetime(),
  /** Names and checksums of the migrations that created its tables. */
  migraciones: z.array(z.object({ nombre: z.string(), checksum: z.string() })),
  /** Ordered so that each table comes after those that its foreign keys refer to. */
  tablas: z.array(
    z.object({
      nombre: z.string().regex(/^[a-z_]+$/),
      columnas: z.array(z.string()),
      filas: z.number(),
      /** Size of the compressed file. */
      bytes: z.number(),
      sha256: z.string(),
    }),
  ),
  secuencias: z.array(z.object({ nombre: z.string(), ultimo: z.string() })),
  registros: z.number(),
  /** NIF of companies whose cadena was broken when the copy was made. */
  cadenasRotas: z.array(z.string()).default([]),
  claveMaestra: z.enum(['incluida', 'aparte']),
});
export type Manifest = z.infer<typeof Manifest>;

const OfAnyFormat = z.object({ formato: z.number() });

const MANIFEST = 'manifiesto.json';
const MASTER_KEY = 'clave-maestra';
const MASTER_KEY_BYTES = 32;
/** Suffix of the folder of a copy while it is incomplete. */
const DRAFT = '.parcial';
/** A lock in that folder, held by the process that writes it. */
const LOCK = 'cerrojo';
const MIGRATIONS_TABLE = 'schema_migrations';
/** Tables that may contain somebody's data besides those of a company. */
const WITHOUT_COMPANY = ['companies', 'payments'];

/**
 * Writes every table, as of one moment, into a new folder, and reads it back. The app may be running.
 *
 * It uses PostgreSQL's own `COPY` text, compressed, one file for each table, in one transaction that does not see
 * what is written meanwhile. It can be restored into any PostgreSQL from version 15 on, on any machine.
 *
 * A broken cadena is copied as it is, like all the others, and named in the manifest: the day on which something is
 * broken is the day on which a copy is needed.
 *
 * A failed backup leaves nothing: the disk that it filled is probably the database's.
 *
 * @throws {StartError} when the folder is not empty, or what was written is not what is read back
 */
export async function writeBackup(
  sql: Sql,
  folder: string,
  options: BackupOptions,
): Promise<Manifest> {
  await assertFree(folder);
  const draft = `${folder}${DRAFT}`;
  await rm(draft, { recursive: true, force: true });
  makeFolder(draft);
  const lock = holdDraft(draft);
  try {
    const manifest = await writeDraft(sql, draft, options);
    keepNames(draft);
    putInPlace(draft, folder);
    await rm(join(folder, LOCK), { force: true });
    return manifest;
  } catch (error) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined); // The first failure is the one to report.
    throw error;
  } finally {
    lock?.release();
  }
}

/**
 * Deletes from a folder what interrupted backups (power cut, `kill -9`) left there. What another process is still
 * writing stays.
 *
 * @param name pattern of the copies that may be deleted
 */
export async function removeAbandoned(folder: string, name: RegExp): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  for (const entry of there.filter((one) => one.endsWith(DRAFT) && name.test(one))) {
    const draft = join(folder, entry);
    const lock = holdDraft(draft);
    if (!lock) continue;
    await rm(draft, { recursive: true, force: true }).catch(() => undefined); // The copy is made all the same.
    lock.release();
  }
}

/** Null when another process holds it, or when the disk does not support locks: then no draft is deleted. */
function holdDraft(draft: string): FileLock | null {
  try {
    return lockFile(join(draft, LOCK), 'exclusive');
  } catch {
    return null;
  }
}

interface BackupOptions {
  readonly version: string;
  readonly now: Date;
  /** The generated `CLAVE_MAESTRA`, or null when the operator keeps it elsewhere. */
  readonly masterKey: string | null;
}

async function writeDraft(
  sql: Sql,
  draft: string,
  { version, now, masterKey }: BackupOptions,
): Promise<Manifest> {
  const manifest = await sql.begin('isolation level repeatable read read only', async (tx) => {
    const cadenasRotas = await findBrokenCadenas(tx);
    const tablas: Manifest['tablas'] = [];
    for (const nombre of await tablesInOrder(tx)) tablas.push(await writeTable(tx, draft, nombre));
    return {
      formato: FORMAT as typeof FORMAT,
      version,
      creada: now.toISOString(),
      migraciones: await tx<Manifest['migraciones']>`
        select name as nombre, checksum from ${tx(MIGRATIONS_TABLE)} order by name`.then(plain),
      tablas,
      secuencias: await tx<Manifest['secuencias']>`
        select sequencename as nombre, last_value::text as ultimo
          from pg_sequences where schemaname = 'public' and last_value is not null`.then(plain),
      registros: tablas.find(({ nombre }) => nombre === 'registros')?.filas ?? 0,
      cadenasRotas,
      claveMaestra: masterKey ? ('incluida' as const) : ('aparte' as const),
    };
  });
  if (masterKey) {
    const file = join(draft, MASTER_KEY);
    await writeFile(file, `${masterKey}\n`, { mode: 0o600, flush: true });
  }
  await checkFiles(draft, manifest);
  if (masterKey && (await readMasterKey(draft)) !== masterKey) {
    throw new StartError(`La copia está dañada: ${MASTER_KEY} no es como se escribió.`);
  }
  await writeFile(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  return manifest;
}

/** A copy overwrites nothing: its folder has to be new or empty. */
async function assertFree(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (there.length > 0) throw new StartError(`En «${folder}» ya hay algo: indica otra carpeta.`);
}

/**
 * Reads the manifest of a backup, and checks each of its files against it.
 *
 * @throws {StartError} when it is not a backup, or damaged
 */
export async function readBackup(
  folder: string,
): Promise<{ readonly manifest: Manifest; readonly masterKey: string | null }> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null);
  if (text === null) {
    throw new StartError(`${folder} no es una copia de seguridad completa: le falta ${MANIFEST}.`);
  }
  const content = parseJson(text);
  if ((OfAnyFormat.safeParse(content).data?.formato ?? 0) > FORMAT) {
    throw new StartError(
      `La copia de ${folder} es de una versión más nueva de Huella: restáurala con ella.`,
    );
  }
  const manifest = Manifest.safeParse(content);
  if (!manifest.success) throw new StartError(`El ${MANIFEST} de ${folder} está dañado.`);
  await checkFiles(folder, manifest.data);
  const isKeyInside = manifest.data.claveMaestra === 'incluida';
  return {
    manifest: manifest.data,
    masterKey: isKeyInside ? await readMasterKey(folder) : null,
  };
}

async function readMasterKey(folder: string): Promise<string> {
  const key = await readFile(join(folder, MASTER_KEY), 'utf8').then(
    (text) => text.trim(),
    () => '',
  );
  if (Buffer.from(key, 'base64').length === MASTER_KEY_BYTES) return key;
  throw new StartError(`La copia no se puede leer: falta o falla su ${MASTER_KEY}.`);
}

/**
 * Loads a backup into a database in which nobody has an account, all or nothing, and migrates it to the current
 * version.
 *
 * Its tables are created by the migrations that the backup names; foreign keys and checks validate every row. A
 * cadena that was already broken when the copy was made is restored as it was, and named in the manifest
 * (`cadenasRotas`).
 *
 * @param finish the last step of the transaction: it is done if and only if the data is there
 * @throws {StartError} when the database is not empty or in use, the program is older than the backup, or a cadena
 *   that was whole in the copy is not whole any more
 */
export async function restoreBackup(
  sql: Sql,
  folder: string,
  manifest: Manifest,
  migrations: readonly Migration[],
  finish: (tx: Tx) => Promise<void>,
): Promise<void> {
  const known = knownTo(manifest, migrations);
  if ((await countOtherConnections(sql)) > 0) {
    throw new StartError('Huella está en marcha sobre esta base de datos: párala y repite.');
  }
  await assertNoData(sql, known);

  await migrate(sql, known);
  await sql.begin(async (tx) => {
    const loaded = manifest.tablas.filter(({ nombre }) => nombre !== MIGRATIONS_TABLE);
    for (const { nombre } of loaded) {
      await tx`alter table ${tx(nombre)} disable trigger user`;
      // Without a separate role, row-level security applies to the owner too (decision 0016).
      await tx`alter table ${tx(nombre)} no force row level security`;
    }
    // Again, now that its tables are locked: a process may have started on it, and migrated it further, since.
    await assertNoData(tx, known);
    // Rows inserted by the migrations themselves are part of the backup too.
    for (const { nombre } of loaded.toReversed()) await tx`delete from ${tx(nombre)}`;
    for (const table of loaded) await loadTable(tx, folder, table);
    for (const { nombre } of loaded) await tx`alter table ${tx(nombre)} enable trigger user`;
    for (const { nombre, ultimo } of manifest.secuencias) {
      await tx`select setval(${nombre}::regclass, ${ultimo}::bigint)`;
    }
    const broken = await findBrokenCadenas(tx);
    const news = broken.filter((nif) => !manifest.cadenasRotas.includes(nif));
    if (news.length > 0) {
      throw new StartError(
        `La cadena de registros no está entera en la base de datos: ${news.join(', ')}.`,
      );
    }
    await finish(tx);
  });
  await migrate(sql, migrations);
  await sql`analyze`;
}

/** @throws {StartError} when loading the copy would destroy something */
async function assertNoData(sql: Tx, known: readonly Migration[]): Promise<void> {
  if (await isFree(sql, known)) return;
  throw new StartError('La base de datos ya tiene datos: restaura sobre una vacía.');
}

/**
 * Whether loading the copy destroys nothing: there are no tables, or only those of its own migrations without
 * anybody's data, as after a refused restore or in an installation where nobody has signed up.
 */
async function isFree(sql: Tx, known: readonly Migration[]): Promise<boolean> {
  const found = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public'`;
  const tables = found.map(({ name }) => name);
  if (tables.every((name) => name === MIGRATIONS_TABLE)) return true;
  if (!tables.includes(MIGRATIONS_TABLE)) return false;

  const applied = await sql<{ name: string }[]>`select name from ${sql(MIGRATIONS_TABLE)}`;
  const names = new Set(known.map(({ name }) => name));
  if (!applied.every(({ name }) => names.has(name))) return false;
  for (const table of WITHOUT_COMPANY.filter((name) => tables.includes(name))) {
    const [used] = await sql`select 1 from ${sql(table)} limit 1`;
    if (used) return false;
  }
  return true;
}

function knownTo({ migraciones }: Manifest, migrations: readonly Migration[]): Migration[] {
  const mine = new Map(migrations.map((migration) => [migration.name, migration]));
  return migraciones.map(({ nombre, checksum }) => {
    const migration = mine.get(nombre);
    if (migration?.checksum === checksum) return migration;
    throw new StartError(
      `La copia es de otra versión de Huella (la migración ${nombre} no es la de este programa): restáurala con la suya o con una más nueva.`,
    );
  });
}

/** The tables, each after those that its foreign keys refer to. */
async function tablesInOrder(tx: Tx): Promise<string[]> {
  const tables = await tx<{ name: string; needs: string[] }[]>`
    select c.relname as name,
           array(select distinct f.relname::text
                   from pg_constraint k join pg_class f on f.oid = k.confrelid
                  where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as needs
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`;
  const ordered: string[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const ready = waiting.filter(({ needs }) => needs.every((name) => ordered.includes(name)));
    if (ready.length === 0) throw new Error('Two tables point to each other: there is no order.');
    ordered.push(...ready.map(({ name }) => name));
    waiting = waiting.filter((table) => !ready.includes(table));
  }
  return ordered;
}

async function writeTable(
  tx: Tx,
  folder: string,
  nombre: string,
): Promise<Manifest['tablas'][number]> {
  const columns = await tx<{ name: string }[]>`
    select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = ${nombre} and is_generated = 'NEVER'
     order by ordinal_position`;
  const columnas = columns.map(({ name }) => name);
  const rows = new Tally('lines');
  const file = new Tally('hash');
  await pipeline(
    copyOut(await tx`copy ${tx(nombre)} (${tx(columnas)}) to stdout`.readable()),
    rows,
    createGzip({ level: 3 }),
    file,
    createWriteStream(fileOf(folder, nombre), { mode: 0o600, flush: true }),
  );
  return { nombre, columnas, filas: rows.lines, bytes: file.bytes, sha256: file.digest() };
}

async function loadTable(
  tx: Tx,
  folder: string,
  { nombre, columnas, filas }: Manifest['tablas'][number],
): Promise<void> {
  const rows = new Tally('lines');
  await pipeline(
    createReadStream(fileOf(folder, nombre)),
    createGunzip(),
    rows,
    await tx`copy ${tx(nombre)} (${tx(columnas)}) from stdin`.writable(),
  );
  if (rows.lines !== filas)
    throw new StartError(`A la tabla ${nombre} de la copia le faltan filas.`);
}

/** NIF of companies whose cadena does not end at its head, or has a gap. */
async function findBrokenCadenas(tx: Tx): Promise<string[]> {
  const broken = await tx<{ nif: string }[]>`
    select m.nif
      from cadenas c
      join companies m on m.id = c.company_id
      left join lateral (
             select count(*) as count, max(seq) as last from registros r
              where r.company_id = c.company_id) r on true
      left join registros h on h.company_id = c.company_id and h.seq = c.last_seq
     where r.count <> c.last_seq or coalesce(r.last, 0) <> c.last_seq
        or coalesce(h.huella, '') <> c.last_huella
     order by m.nif, m.id`;
  return broken.map(({ nif }) => nif);
}

async function checkFiles(folder: string, { tablas }: Manifest): Promise<void> {
  for (const { nombre, bytes, sha256 } of tablas) {
    const file = new Tally('hash');
    try {
      await pipeline(createReadStream(fileOf(folder, nombre)), file, drain());
    } catch (cause) {
      throw new StartError(`La copia no se puede leer: falta o falla ${nombre}.copy.gz.`, {
        cause,
      });
    }
    if (file.bytes !== bytes || file.digest() !== sha256) {
      throw new StartError(`La copia está dañada: ${nombre}.copy.gz no es como se escribió.`);
    }
  }
}

const fileOf = (folder: string, table: string) => join(folder, `${table}.copy.gz`);

const NEWLINE = 0x0a;

/** A pass-through stream that counts bytes, and lines or SHA-256. */
class Tally extends Transform {
  bytes = 0;
  lines = 0;
  readonly #what: 'lines' | 'hash';
  readonly #hash = createHash('sha256');

  constructor(what: 'lines' | 'hash') {
    super();
    this.#what = what;
  }

  digest(): string {
    return this.#hash.digest('hex');
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    if (this.#what === 'hash') this.#hash.update(chunk);
    // A newline in a value is escaped, so each one here ends a row.
    else
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1))
        this.lines++;
    done(null, chunk);
  }
}

function drain() {
  return async (source: AsyncIterable<unknown>) => {
    for await (const _ of source);
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function plain<T>(rows: readonly T[]): T[] {
  return [...rows];
}
