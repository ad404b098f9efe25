import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { ensureSearchIndex, migrate, readMigrations } from '../../src/platform/migrate.ts';

export const TEMPLATE = 'plantilla';

/** The server of the run: its URL, without the name of a database. */
declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresServer: string;
  }
}

/** One PostgreSQL for the whole run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'huella-tests-'));
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: 'silent' }),
    settings: { max_connections: '300' },
  });
  const { url } = postgres.address;
  const server = url.slice(0, url.lastIndexOf('/'));

  const admin = openDatabase({ url });
  await admin`create database ${admin(TEMPLATE)}`;
  await admin.end();
  const template = openDatabase({ url: `${server}/${TEMPLATE}` });
  await migrate(template, await readMigrations());
  await ensureSearchIndex(template);
  await template.end();

  project.provide('postgresServer', server);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
