import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { openAuthority } from '../../simulators/aeat/certificates/authority.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres.ts';
import { ensureSearchIndex, migrate, readMigrations } from '../../src/platform/migrate.ts';
import { guardFolder } from './guardian.ts';
import { scratch } from './scratch.ts';
import { builtServer } from './stack.ts';

export const TEMPLATE = 'plantilla';

/** The server of the run: its URL without a database name. */
declare module 'vitest' {
  interface ProvidedContext {
    readonly postgresServer: string;
    /** The log of that server. */
    readonly postgresLog: string;
    /** Folder with the authority of all simulated AEATs of the run, and the certificates that it issued. */
    readonly authorityFolder: string;
  }
}

/**
 * One PostgreSQL for the whole run, with a migrated database that each test clones, and one authority of the
 * simulated AEAT, because making keys is most of the work of opening a world. Also the server's bundle, whose parts
 * start faster than their sources.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(scratch, 'huella-tests-'));
  const release = guardFolder(dataDir);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: 'silent' }),
    settings: {
      max_connections: '300',
      log_line_prefix: '§%d§ ', // The name of the database goes first, for `recordedStatements`.
      shared_preload_libraries: 'pg_stat_statements', // For `tests/contract/many-companies.test.ts`.
      'pg_stat_statements.max': '20000', // Of all the databases of the run.
      autovacuum_naptime: '60s', // With a database per test, checking all of them takes long.
    },
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

  const authorityFolder = join(dataDir, 'autoridad');
  await openAuthority(authorityFolder);

  await builtServer();
  project.provide('postgresServer', server);
  project.provide('postgresLog', join(dataDir, 'postgres.log'));
  project.provide('authorityFolder', authorityFolder);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    release();
  };
}
