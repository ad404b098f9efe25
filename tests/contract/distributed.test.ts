import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  distribute,
  distributionSteps,
  LOCAL_TABLES,
  REFERENCE_TABLES,
} from '../../src/store/distribute.ts';
import { type CallStage, openCallStage } from './call-stage.ts';
import { CALLS } from './calls.ts';

/** On every machine whole, or on one only. */
const REFERENCE: string[] = [...REFERENCE_TABLES, ...LOCAL_TABLES];

/**
 * Whether the schema and the statements could be spread over machines by company, on an existing
 * distributed PostgreSQL (docs/decisions/0007): read from the catalogue and from the plans, because what
 * is written may say one thing and do another.
 */

/**
 * What looks over all companies on purpose: work that is due, health and metrics, what has run out. They
 * read, or delete, and lock nothing. How each begins.
 */
const ACROSS: readonly string[] = [
  'select company_id from despachos where waiting_since is not null and rechazados = 0',
  "select company_id from data_copies where status = 'preparando' and lease_until < now()",
];

let stage: CallStage;
beforeAll(async () => {
  stage = await openCallStage();
  for (const { call, send, as, isPublic } of CALLS) {
    const token = isPublic ? undefined : ((await as?.(stage)) ?? stage.company.token);
    await stage.send(call, (await send?.(stage)) ?? {}, token);
    stage.forgetRates();
  }
}, 240_000);
afterAll(() => stage.close());

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

  it('is asked for one company at a time, or for nothing that needs a lock', async () => {
    const { sql } = stage.world;
    const owned = await sql<{ name: string }[]>`
      select relname as name from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and relname <> all(${REFERENCE}::text[])`;
    const names = new Set(owned.map(({ name }) => name));
    const statements = await preparedStatements(stage);
    expect(statements.length).toBeGreaterThan(100);

    const strays: string[] = [];
    for (const statement of statements) {
      const plan = await planOf(stage, statement);
      if (!plan) continue;
      const text = JSON.stringify(plan);
      const loose = nodesOf(plan).some(
        ({ 'Relation Name': table, Alias: alias, 'Node Type': type }) =>
          table !== undefined &&
          names.has(table) &&
          type !== 'ModifyTable' &&
          !text.includes(`${alias}.company_id = `),
      );
      const plain = statement.replace(/\s+/g, ' ').trim();
      if (loose && !ACROSS.some((start) => plain.startsWith(start))) strays.push(plain);
    }
    expect(strays).toEqual([]);
  });

  it('is made in steps that put each table where it belongs, and its keys back', async () => {
    const { sql } = stage.world;
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
    expect(await stage.world.sql.begin((tx) => distribute(tx))).toBeNull();
  });
});

/** What the pool's connections have prepared: every statement that the calls above made them run. */
async function preparedStatements({ world: { sql } }: CallStage): Promise<string[]> {
  const connections = await Promise.all(
    Array.from({ length: sql.options.max }, () => sql.reserve()),
  );
  const found = await Promise.all(
    connections.map(
      (own) => own<{ statement: string }[]>`select statement from pg_prepared_statements`,
    ),
  );
  for (const own of connections) own.release();
  return [...new Set(found.flat().map(({ statement }) => statement))];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Plans?: readonly PlanNode[];
}

async function planOf({ world: { sql } }: CallStage, statement: string): Promise<PlanNode | null> {
  if (!/^\s*(select|insert|update|delete|with)\b/i.test(statement)) return null;
  const [row] = await sql.unsafe<{ 'QUERY PLAN': { Plan: PlanNode }[] }[]>(
    `explain (generic_plan, verbose, format json) ${statement}`,
  );
  return row?.['QUERY PLAN'][0]?.Plan ?? null;
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}
