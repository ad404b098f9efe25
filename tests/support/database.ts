import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Sql } from '../../src/store/sql.ts';
import { TEMPLATE } from './global-setup.ts';

export interface TestDatabase {
  readonly sql: Sql;
  readonly url: string;
  /** Closes `sql` and removes the database, whoever else is still in it. */
  readonly drop: () => Promise<void>;
}

/**
 * A database of its own for a test file, migrated, on the run's server.
 *
 * `isEmpty` gives one without tables, for what runs the migrations itself.
 */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const server = inject('postgresServer');
  const name = `t_${randomBytes(6).toString('hex')}`;
  const template = isEmpty ? 'template0' : TEMPLATE;
  await asAdmin(
    server,
    (admin) => admin`create database ${admin(name)} template ${admin(template)}`,
  );
  const url = `${server}/${name}`;
  const sql = openDatabase({ url });
  return {
    sql,
    url,
    async drop() {
      await sql.end({ timeout: 1 });
      await asAdmin(server, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

async function asAdmin(server: string, run: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = openDatabase({ url: `${server}/postgres?max=1` });
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}
