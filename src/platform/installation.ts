import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, readConfig } from '../config.ts';
import type { Sql } from '../store/sql.ts';
import { FolderTaken, takeDataDir } from './data-dir.ts';
import { type DatabaseAddress, openDatabase, waitForDatabase } from './database.ts';
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { createLogger } from './log.ts';
import { keptSecrets } from './secrets.ts';
import { StartError } from './start-error.ts';

const PATIENCE_SECONDS = 30;

/** The database of an installation, for a command that runs beside the app or without it. */
export interface Installation {
  readonly sql: Sql;
  readonly address: DatabaseAddress;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database of `DATABASE_URL`, or the embedded one of `DATA_DIR`: the server of the app that is running on
 * that folder, or one started for the duration of the command.
 *
 * @throws {StartError} when there is none
 */
export async function openInstallation({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<Installation> {
  if (databaseUrl) return connect({ url: databaseUrl });
  try {
    return await openStopped(dataDir);
  } catch (error) {
    const address = error instanceof FolderTaken ? await findRunningPostgres(dataDir) : null;
    if (!address) throw error;
    return connect(address);
  }
}

/**
 * The configuration and database of an existing installation, for maintenance commands. If there is none, nothing is
 * created, not even a key: the command was probably run without the right environment.
 *
 * @throws {StartError} when there is no installation
 */
export async function openExisting(
  env: Readonly<Record<string, string | undefined>>,
): Promise<Installation & { readonly config: Config; readonly isKeyMissing: boolean }> {
  const { databaseUrl, dataDir } = readWithoutSecrets(env);
  if (!databaseUrl && (await isMissing(join(dataDir, 'postgres', 'PG_VERSION')))) {
    throw new StartError(
      `En «${dataDir}» no hay ninguna instalación: indica dónde está con DATA_DIR o DATABASE_URL, como cuando arranca.`,
    );
  }
  let isKeyMissing = false;
  const config = readConfig(env, (folder) =>
    keptSecrets(folder, (name) => {
      if (name === 'clave-maestra') isKeyMissing = true;
    }),
  );
  const installation = await openInstallation(config);
  const [row] = await installation.sql<{ isEmpty: boolean }[]>`
    select to_regclass('schema_migrations') is null as "isEmpty"`;
  if (row?.isEmpty === false) return { ...installation, config, isKeyMissing };
  await installation.close();
  throw new StartError('La base de datos está vacía: Huella no ha arrancado nunca con ella.');
}

function isMissing(file: string): Promise<boolean> {
  return stat(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
}

/** Leaves out the keys that the environment does not give. */
export function readWithoutSecrets(env: Readonly<Record<string, string | undefined>>): Config {
  return readConfig(env, () => ({ claveMaestra: () => Buffer.alloc(32), jwtSecret: () => '' }));
}

async function openStopped(folder: string): Promise<Installation> {
  const dataDir = takeDataDir(folder, 'exclusive');
  let postgres: EmbeddedPostgres | null = null;
  const stop = async () => {
    await postgres?.stop();
    dataDir.release();
  };
  try {
    postgres = await startEmbeddedPostgres({ dataDir: folder, log: createLogger('warn') });
    return await connect(postgres.address, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function connect(
  address: DatabaseAddress,
  stop: () => Promise<void> = async () => {},
): Promise<Installation> {
  const sql = openDatabase(address);
  try {
    await waitForDatabase(sql, PATIENCE_SECONDS);
  } catch (error) {
    await sql.end({ timeout: 1 });
    throw error;
  }
  return {
    sql,
    address,
    close: async () => {
      await sql.end({ timeout: 5 });
      await stop();
    },
  };
}
