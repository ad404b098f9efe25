import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  distribute,
  distributionSteps,
  LOCAL_TABLES,
  REFERENCE_TABLES,
} from '../../src/store/distribute.ts';
import type { Sql } from '../../src/store/sql.ts';
import { pretendCitus } from '../support/citus.ts';
import { createTestDatabase, recordedStatements, type TestDatabase } from '../support/database.ts';
import { ACROSS } from './across-companies.ts';
import { doBackgroundWork } from './background-work.ts';
import { type CallStage, openCallStage } from './call-stage.ts';
import { makeEveryCall } from './calls.ts';

/** On every machine whole, or on one only. */
const REFERENCE: string[] = [...REFERENCE_TABLES, ...LOCAL_TABLES];

/**
 * Whether the schema and the statements could be spread over machines by company, on an existing
 * distributed PostgreSQL (docs/decisions/0007): read from the catalogue and from the plans, because what
 * is written may say one thing and do another.
 */

let database: TestDatabase;
/** Of one machine. */
let plain: TestDatabase;
let stage: CallStage;
let statements: readonly string[];
beforeAll(async () => {
  plain = await createTestDatabase();
  database = await createTestDatabase({ isRecorded: true });
  // As it is once it is spread: whoever asks for several companies at a time there does so for each.
  await pretendCitus(database.sql);
  await database.sql.begin(distribute);
  const before = new Set(await recordedStatements(database.name));
  stage = await openCallStage(database);
  expect(await makeEveryCall(stage)).toEqual([]);
  await doBackgroundWork(stage);
  statements = (await recordedStatements(database.name)).filter((one) => !before.has(one));
}, 240_000);
afterAll(async () => {
  await stage.close();
  await plain.drop();
});

describe('a distributed database', () => {
  it('finds the company first in every key', async () => {
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

  it('finds foreign keys that stay within a company, or point to what is everywhere', async () => {
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

  it('is asked for one company at a time, but for what is written down here', async () => {
    expect(statements.length).toBeGreaterThan(300);
    const strays = await straysOf(stage, statements);
    expect(strays.filter(({ locks }) => locks)).toEqual([]);
    const allowed = ACROSS.flatMap((group) => group.statements);
    expect(strays.filter(({ statement }) => !allowed.includes(statement))).toEqual([]);
    // What is no longer asked leaves the list.
    const seen = new Set(strays.map(({ statement }) => statement));
    expect(allowed.filter((statement) => !seen.has(statement))).toEqual([]);
  });

  it('is made in steps that put each table where it belongs, and its keys back', async () => {
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
    // Also the keys of the tables that everybody has: Citus makes none of them that a local one points to.
    expect(Math.max(...dropped)).toBeLessThan(Math.min(...places(/create_reference_table/)));
    expect(Math.max(...dropped)).toBeLessThan(Math.min(...spread));
    expect(Math.max(...spread)).toBeLessThan(Math.min(...added));
  });

  it('is left alone without the extension', async () => {
    expect(await plain.sql.begin((tx) => distribute(tx))).toBeNull();
  });
});

interface Stray {
  readonly statement: string;
  /** Tables of companies that it reads or changes without saying whose. */
  readonly tables: readonly string[];
  /** Whether it locks rows of them, which Citus refuses. */
  readonly locks: boolean;
}

/** Statements that touch a table of companies otherwise than by equality with one company. */
async function straysOf(
  { world: { sql } }: CallStage,
  statements: readonly string[],
): Promise<Stray[]> {
  const owned = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and relname <> all(${REFERENCE}::text[])`;
  const names = new Set(owned.map(({ name }) => name));
  const strays: Stray[] = [];
  for (const statement of statements) {
    const plan = await planOf(sql, statement);
    if (!plan) continue;
    const nodes = nodesOf(plan);
    const bound = boundAliases(JSON.stringify(plan), nodes);
    const tables = nodes.flatMap(({ 'Relation Name': table, Alias: alias, 'Node Type': type }) =>
      table !== undefined && names.has(table) && type !== 'ModifyTable' && !bound.has(alias ?? '')
        ? [table]
        : [],
    );
    const locks = nodes.some(({ 'Node Type': type }) => type === 'LockRows');
    if (tables.length > 0) strays.push({ statement, tables: [...new Set(tables)], locks });
  }
  return strays;
}

/** An equality of two terms in a plan: a column of an alias, a parameter, a constant. */
const EQUALITY =
  /(\w+\.\w+|\$\d+|'?\d+'?|\(InitPlan[^)]*\)\.\w+) = (\w+\.\w+|\$\d+|'?\d+'?|\(InitPlan[^)]*\)\.\w+)/g;

/** Aliases whose company is one that was given, or the same as that of one of those: `= ANY (…)` is of several. */
function boundAliases(plan: string, nodes: readonly PlanNode[]): Set<string> {
  const companies = nodes.flatMap((node) =>
    node['Relation Name'] === 'companies' ? [`${node.Alias}.id`] : [],
  );
  const isCompany = (term: string) => term.endsWith('.company_id') || companies.includes(term);
  const isGiven = (term: string) => !/^\w+\.\w+$/.test(term);
  const pairs = [...plan.matchAll(EQUALITY)].flatMap(([, left = '', right = '']) => [
    [left, right] as const,
    [right, left] as const,
  ]);
  const bound = new Set<string>();
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const [term, other] of pairs) {
      const isBound = isGiven(other) || (isCompany(other) && bound.has(aliasOf(other)));
      if (isCompany(term) && isBound) bound.add(aliasOf(term));
    }
  }
  return bound;
}

const aliasOf = (term: string): string => term.split('.')[0] ?? '';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
}

async function planOf(sql: Sql, statement: string): Promise<PlanNode | null> {
  if (!/^(select|insert|update|delete|with)\b/i.test(statement)) return null;
  const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (generic_plan, verbose, format json) ${statement}`,
  );
  return row?.['QUERY PLAN'][0]?.Plan ?? null;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
