import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { distribute, distributionSteps, REFERENCE_TABLES } from '../../src/store/distribute.ts';
import type { Sql } from '../../src/store/sql.ts';
import { pretendCitus } from '../support/citus.ts';
import { createTestDatabase, recordedStatements, type TestDatabase } from '../support/database.ts';
import { ACROSS } from './across-companies.ts';
import { doBackgroundWork } from './background-work.ts';
import { type CallStage, openCallStage } from './call-stage.ts';
import { makeEveryCall } from './calls.ts';
import { REFERENCE, straysOf } from './company-plans.ts';
import {
  companiesOf,
  crossingWrites,
  recordedWrites,
  recordWrites,
  type Write,
} from './company-writes.ts';

/**
 * Whether the schema and the statements could be distributed over machines by company, on an existing distributed
 * PostgreSQL (docs/decisions/0007): read from the catalogue and from the query plans, because the text of a statement
 * may say one thing and its plan do another.
 */

let database: TestDatabase;
/** On a single machine. */
let plain: TestDatabase;
let stage: CallStage;
let statements: readonly string[];
let writes: readonly Write[];
beforeAll(async () => {
  plain = await createTestDatabase();
  database = await createTestDatabase({ isRecorded: true });
  // As in a distributed database, where a query about several companies at a time is made for each.
  await pretendCitus(database.sql);
  await database.sql.begin(distribute);
  await recordWrites(database.sql);
  const before = new Set(await recordedStatements(database.name));
  stage = await openCallStage(database);
  expect(await makeEveryCall(stage)).toEqual([]);
  await registerAtOnce();
  await doBackgroundWork(stage);
  statements = (await recordedStatements(database.name)).filter((one) => !before.has(one));
  writes = await recordedWrites(database.sql);
}, 240_000);
afterAll(async () => {
  await stage.close();
  await plain.drop();
});

describe('a distributed database', () => {
  it('starts every key with the company', async () => {
    const keys = await stage.world.sql<{ name: string; first: string }[]>`
      select t.relname || ': ' || i.relname as name, a.attname as first
        from pg_index x
        join pg_class t on t.oid = x.indrelid
        join pg_class i on i.oid = x.indexrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0]
       where t.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisprimary)
         and t.relname <> all(${REFERENCE}::text[])`;
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.filter(({ first }) => first !== 'company_id')).toEqual([]);
  });

  it('has foreign keys only within a company, or to tables that are everywhere', async () => {
    const keys = await stage.world.sql<
      { name: string; from: string; to: string; target: string }[]
    >`
      select t.relname || ': ' || k.conname as name, a.attname as from, b.attname as to,
             f.relname as target
        from pg_constraint k
        join pg_class t on t.oid = k.conrelid
        join pg_class f on f.oid = k.confrelid
        join pg_attribute a on a.attrelid = t.oid and a.attnum = k.conkey[1]
        join pg_attribute b on b.attrelid = f.oid and b.attnum = k.confkey[1]
       where k.contype = 'f' and t.relnamespace = 'public'::regnamespace
         and t.relname <> all(${REFERENCE}::text[])`;
    expect(keys.length).toBeGreaterThan(20);
    const strays = keys.filter(
      ({ from, to, target }) =>
        !REFERENCE.includes(target) && (from !== 'company_id' || to !== 'company_id'),
    );
    expect(strays).toEqual([]);
  });

  it('is queried for one company at a time, except for the statements listed here', async () => {
    expect(statements.length).toBeGreaterThan(300);
    const strays = await straysOf(stage.world.sql, statements);
    expect(strays.filter(({ locks }) => locks)).toEqual([]);
    const allowed = ACROSS.flatMap((group) => group.statements);
    expect(strays.filter(({ statement }) => !allowed.includes(statement))).toEqual([]);
    // Statements that are not executed any more leave the list.
    const seen = new Set(strays.map(({ statement }) => statement));
    expect(allowed.filter((statement) => !seen.has(statement))).toEqual([]);
  });

  it('is detected when a statement admits several companies', async () => {
    const strays = await straysOf(stage.world.sql, [...BOUND, ...UNBOUND]);
    expect(strays.map(({ statement }) => statement)).toEqual(UNBOUND);
  });

  it('is written for one company at a time, except for the statements listed here', async () => {
    const { company, stranger } = stage;
    for (const table of ['invoices', 'registros', 'envios', 'respuestas', 'despachos', 'cadenas']) {
      const companies = companiesOf(writes.filter((write) => write.table === table));
      expect(companies, table).toEqual(expect.arrayContaining([company.id, stranger.id]));
    }
    // Checked in their plans above, and listed there with the reason.
    const allowed = new Set(ACROSS.flatMap((group) => group.statements));
    const others = writes.filter(({ statement }) => !allowed.has(statement));
    expect(crossingWrites(others)).toEqual([]);
  });

  it('is detected when a transaction writes for two companies', async () => {
    const { world, company, stranger } = stage;
    const known = new Set((await recordedWrites(world.sql)).map(({ transaction }) => transaction));
    await world.sql.begin(async (tx) => {
      for (const { id } of [company, stranger]) {
        await tx`update cadenas set last_seq = last_seq where company_id = ${id}`;
      }
    });
    const written = await recordedWrites(world.sql);
    const crossing = crossingWrites(written.filter(({ transaction }) => !known.has(transaction)));
    expect(crossing.map(companiesOf)).toEqual([[company.id, stranger.id]]);
  });

  it('is set up in steps that distribute each table and restore its keys', async () => {
    const { sql } = plain;
    const steps = await distributionSteps(sql);
    const keys = await sql`
      select 1 from pg_constraint k join pg_class c on c.oid = k.conrelid
       where k.contype = 'f' and c.relnamespace = 'public'::regnamespace
         and c.relname <> 'schema_migrations'`;
    const places = (pattern: RegExp) =>
      steps.flatMap((step, place) => (pattern.test(step) ? [place] : []));
    const dropped = places(/ drop constraint /);
    const spread = places(/create_distributed_table/);
    const added = places(/ add constraint .* FOREIGN KEY /);
    expect(dropped).toHaveLength(keys.length);
    expect(added).toHaveLength(keys.length);
    expect(places(/create_reference_table/)).toHaveLength(REFERENCE_TABLES.length);
    // Also the keys of the tables that are everywhere: Citus creates none to such a table from a local one.
    expect(Math.max(...dropped)).toBeLessThan(Math.min(...places(/create_reference_table/)));
    expect(Math.max(...dropped)).toBeLessThan(Math.min(...spread));
    expect(Math.max(...spread)).toBeLessThan(Math.min(...added));
  });

  it('is not set up without the extension', async () => {
    expect(await plain.sql.begin((tx) => distribute(tx))).toBeNull();
  });
});

describe('a process of the previous version', () => {
  it('still gets its answers after a migration has added a column to every table', async () => {
    const added = await brokenByColumns(plain.sql, [...statements, 'select * from companies']);
    expect(added).toEqual(['select * from companies']);
  });
});

/**
 * Statements that fail once they are prepared and every table has one more column, because their answers would have
 * it too («cached plan must not change result type»).
 */
async function brokenByColumns(sql: Sql, texts: readonly string[]): Promise<string[]> {
  const connection = await sql.reserve();
  try {
    const prepared = new Map<string, string>();
    for (const text of texts.filter((one) => /^(select|insert|update|delete|with)\b/.test(one))) {
      const name = `s${prepared.size}`;
      await connection.unsafe(`prepare ${name} as ${text}`);
      const [row] = await connection<{ count: number }[]>`
        select cardinality(parameter_types) as count from pg_prepared_statements where name = ${name}`;
      const nulls = Array.from({ length: row?.count ?? 0 }, () => 'null').join();
      prepared.set(text, `explain execute ${name}${nulls && `(${nulls})`}`);
    }
    const tables = await connection<{ name: string }[]>`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`;
    for (const { name } of tables) {
      await connection.unsafe(`alter table ${name} add column of_a_later_version integer`);
    }
    const broken: string[] = [];
    for (const [text, execute] of prepared) {
      await connection.unsafe(execute).catch((error: { code?: string }) => {
        if (error.code !== '0A000') throw error;
        broken.push(text);
      });
    }
    return broken;
  } finally {
    connection.release();
  }
}

const BOUND: readonly string[] = [
  'select 1 from invoices i where i.company_id = $1 and (i.doc_no = $2 or i.status = $3)',
  'select 1 from invoices i left join registros r on r.company_id = i.company_id where i.company_id = $1',
];

const UNBOUND: readonly string[] = [
  'select 1 from invoices i where i.company_id = $1 or i.doc_no = $2',
  'select 1 from invoices i where i.status = $3 and (i.company_id = $1 or i.doc_no = $2)',
  'select 1 from invoices i where not (i.company_id = $1 and i.doc_no = $2)',
  'select i.company_id = $1 from invoices i',
  'select 1 from invoices i left join registros r on r.company_id = i.company_id and i.company_id = $1',
];

/**
 * Two companies, with simultaneous requests: the saving, registering and sending of one may share commits only with
 * itself.
 */
async function registerAtOnce(): Promise<void> {
  const { company, stranger } = stage;
  const both = [company, stranger, company, stranger];
  const drafts = await Promise.all(both.map((who) => stage.newDraft(who)));
  const answers = await Promise.all([
    ...both.map((who, index) => who.register({ draftNo: drafts[index] ?? '' })),
    ...both.map((who) => who.register()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
}
