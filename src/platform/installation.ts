import type { Config } from '../config.ts';
import type { Sql } from '../store/sql.ts';
import { FolderTaken, takeDataDir } from './data-dir.ts';
import { type DatabaseAddress, openDatabase, waitForDatabase } from './database.ts';
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
import { createLogger } from './log.ts';

const PATIENCE_SECONDS = 30;

/** The database of an installation, for a command that works beside the app or without it. */
export interface Installation {
  readonly sql: Sql;
  readonly address: DatabaseAddress;
  readonly close: () => Promise<void>;
}

/**
 * Opens the database of `DATABASE_URL`, or the embedded one of `DATA_DIR`: that of the app which is
 * running on the folder, or one started for as long as the command takes.
 *
 * @throws {StartError} when it cannot be had
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
