import { ConfigError, readConfig } from '../config.ts';
import { takeDataDir } from '../platform/data-dir.ts';
import { openDatabase, waitForDatabase } from '../platform/database.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres.ts';
import { createLogger } from '../platform/log.ts';
import { migrate, readMigrations } from '../platform/migrate.ts';
import { StartError } from '../platform/start-error.ts';

/** `npm run migrate`: brings the database up to date without starting the app. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.databaseUrl) return migrateAt(config.databaseUrl);

  const dataDir = takeDataDir(config.dataDir, 'exclusive');
  const log = createLogger('warn');
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir, log });
  try {
    await migrateAt(postgres.address.url);
  } finally {
    await postgres.stop();
    dataDir.release();
  }
}

async function migrateAt(url: string): Promise<void> {
  const sql = openDatabase({ url });
  try {
    await waitForDatabase(sql, 30);
    const ran = await migrate(sql, await readMigrations());
    for (const name of ran) console.log(`Aplicada ${name}`);
    if (ran.length === 0) console.log('La base de datos ya estaba al día.');
  } finally {
    await sql.end();
  }
}

main().catch((error: unknown) => {
  const isForPeople = error instanceof ConfigError || error instanceof StartError;
  console.error(isForPeople ? error.message : error);
  process.exitCode = 1;
});
