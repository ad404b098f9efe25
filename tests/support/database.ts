import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Sql } from '../../src/store/sql.ts';
import { TEMPLATE } from './global-setup.ts';

export interface TestDatabase {
  readonly sql: Sql;
  readonly url: string;
  readonly name: string;
  /** Closes `sql` and drops the database, even if somebody is still connected. */
  readonly drop: () => Promise<void>;
}

/**
 * A migrated database of its own for a test file, on the run's server.
 *
 * `isEmpty` gives one without tables, for tests that run the migrations themselves, and `template` a copy of another
 * database; one that `isRecorded` logs its statements ({@link recordedStatements}).
 */
export async function createTestDatabase({
  isEmpty = false,
  isRecorded = false,
  template = TEMPLATE,
} = {}): Promise<TestDatabase> {
  const server = inject('postgresServer');
  const name = `t_${randomBytes(6).toString('hex')}`;
  await asAdmin(server, async (admin) => {
    while (!(await cloned(admin, name, isEmpty ? 'template0' : template)));
  });
  if (isRecorded) {
    await asAdmin(server, async (admin) => {
      await admin`alter database ${admin(name)} set log_statement = 'all'`;
      await admin`alter database ${admin(name)} set log_parameter_max_length = 0`;
    });
  }
  const url = `${server}/${name}`;
  const sql = openDatabase({ url });
  return {
    sql,
    url,
    name,
    async drop() {
      await sql.end({ timeout: 1 });
      await asAdmin(server, (admin) => admin`drop database ${admin(name)} with (force)`);
    },
  };
}

/**
 * Every statement sent to a recorded database, by whichever pool, thread or connection. Without repetitions, on one
 * line each, with `$1` for parameters.
 */
export async function recordedStatements(name: string): Promise<string[]> {
  const log = await readFile(inject('postgresLog'), 'utf8');
  // A statement of several lines continues with a tab on each.
  const entries = log.matchAll(/^§(\w*)§ LOG: {2}(?:execute [^:]+|statement): (.*(?:\n\t.*)*)$/gm);
  const found = [...entries].filter(([, database]) => database === name);
  const plain = (text = '') => text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim();
  return [...new Set(found.map(([, , text]) => plain(text)))];
}

/**
 * @returns false if somebody was still in the template: a connection that is being closed, or the autovacuum.
 *   PostgreSQL waits five seconds for them, which is too short on a busy machine
 */
async function cloned(admin: Sql, name: string, template: string): Promise<boolean> {
  try {
    await admin`create database ${admin(name)} template ${admin(template)} strategy file_copy`;
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === '55006') return false;
    throw error;
  }
}

async function asAdmin(server: string, run: (admin: Sql) => Promise<unknown>): Promise<void> {
  const admin = openDatabase({ url: `${server}/postgres?max=1` });
  try {
    await run(admin);
  } finally {
    await admin.end();
  }
}
