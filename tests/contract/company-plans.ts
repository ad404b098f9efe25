import { LOCAL_TABLES, REFERENCE_TABLES } from '../../src/store/distribute.ts';
import type { Sql } from '../../src/store/sql.ts';

/** Kept whole on every machine, or on one only. */
export const REFERENCE: string[] = [...REFERENCE_TABLES, ...LOCAL_TABLES];

/** Tables in which each row belongs to one company. */
export async function companyTables(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all(${REFERENCE}::text[])`;
  return tables.map(({ name }) => name);
}

export interface Stray {
  readonly statement: string;
  /** Tables of companies that it reads or changes without limiting them to a company. */
  readonly tables: readonly string[];
  /** Whether it locks rows of these, which Citus refuses. */
  readonly locks: boolean;
}

/** Statements that access a table of companies other than by equality with one company. */
export async function straysOf(sql: Sql, statements: readonly string[]): Promise<Stray[]> {
  const names = new Set(await companyTables(sql));
  const strays: Stray[] = [];
  for (const statement of statements) {
    const plan = await planOf(sql, statement);
    if (!plan) continue;
    const nodes = nodesOf(plan);
    const bound = boundAliases(nodes);
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

/** A term of a plan: a column of an alias, a parameter, a constant. */
const TERM = String.raw`(\w+\.\w+|\$\d+|'?\d+'?|\(InitPlan[^)]*\)\.\w+)`;
const EQUALITY = new RegExp(`^${TERM} = ${TERM}$`);

/** Aliases limited to a given company, or to the same company as one of those. `= ANY (…)` admits several. */
function boundAliases(nodes: readonly PlanNode[]): Set<string> {
  const companies = nodes.flatMap((node) =>
    node['Relation Name'] === 'companies' ? [`${node.Alias}.id`] : [],
  );
  const isCompany = (term: string) => term.endsWith('.company_id') || companies.includes(term);
  const isGiven = (term: string) => !/^\w+\.\w+$/.test(term);
  const equalities = nodes.flatMap(equalitiesOf);
  const bound = new Set<string>();
  for (let before = -1; before !== bound.size; ) {
    before = bound.size;
    for (const { term, other } of equalities) {
      const isBound = isGiven(other) || (isCompany(other) && bound.has(aliasOf(other)));
      if (isCompany(term) && isBound) bound.add(aliasOf(term));
    }
  }
  return bound;
}

interface Equality {
  readonly term: string;
  readonly other: string;
}

/** What a node demands of every row, each equality with the side of the join that it restricts. */
function equalitiesOf(node: PlanNode): Equality[] {
  const every = aliasesBelow(node);
  const joined = confinedByJoin(node);
  const conditions = [
    [node.Filter, every],
    [node['Index Cond'], every],
    [node['Recheck Cond'], every],
    [node['TID Cond'], every],
    [node['Hash Cond'], joined],
    [node['Merge Cond'], joined],
    [node['Join Filter'], joined],
  ] as const;
  return conditions.flatMap(([condition = '', confined]) =>
    conjunctsOf(condition).flatMap((conjunct) => {
      const [, left = '', right = ''] = EQUALITY.exec(conjunct) ?? [];
      const sides = [
        { term: left, other: right },
        { term: right, other: left },
      ];
      return sides.filter(({ term }) => confined.has(aliasOf(term)));
    }),
  );
}

/** Aliases in whose rows the condition of a join always holds: those kept without a match are not included. */
function confinedByJoin(node: PlanNode): Set<string> {
  const side = (name: 'Outer' | 'Inner') =>
    new Set(
      (node.Plans ?? []).flatMap((child) =>
        child['Parent Relationship'] === name ? [...aliasesBelow(child)] : [],
      ),
    );
  switch (node['Join Type']) {
    case 'Left':
    case 'Anti':
      return side('Inner');
    case 'Right':
    case 'Right Anti':
      return side('Outer');
    case 'Full':
      return new Set();
    default:
      return aliasesBelow(node);
  }
}

/**
 * Aliases of a node that reads, or of those that it joins. An index of a bitmap has none, as it may be joined by OR.
 */
function aliasesBelow(node: PlanNode): Set<string> {
  if (node.Alias !== undefined) return new Set([node.Alias]);
  return new Set((node.Plans ?? []).flatMap((child) => [...aliasesBelow(child)]));
}

/** What holds for every row that meets a condition: `((a) AND ((b) OR (c)))` gives `a` and `(b) OR (c)`. */
function conjunctsOf(condition: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  let closes = 0; // Whether the first parenthesis closes at the end.
  for (const { 0: found, index } of condition.matchAll(TOKEN)) {
    if (found === '(') depth++;
    if (found === ')') depth--;
    if (found === ')' && depth === 0 && closes === 0) closes = index;
    if (found === ' AND ' && depth === 0) {
      parts.push(condition.slice(start, index));
      start = index + found.length;
    }
  }
  if (parts.length > 0) return [...parts, condition.slice(start)].flatMap(conjunctsOf);
  const isWrapped = condition.startsWith('(') && closes === condition.length - 1;
  return isWrapped ? conjunctsOf(condition.slice(1, -1)) : [condition];
}

/** Texts and names in quotes are skipped. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|[()]| AND /g;

const aliasOf = (term: string): string => term.split('.')[0] ?? '';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Parent Relationship'?: string;
  readonly 'Join Type'?: string;
  readonly 'Relation Name'?: string;
  readonly Alias?: string;
  readonly Filter?: string;
  readonly 'Index Cond'?: string;
  readonly 'Recheck Cond'?: string;
  readonly 'TID Cond'?: string;
  readonly 'Hash Cond'?: string;
  readonly 'Merge Cond'?: string;
  readonly 'Join Filter'?: string;
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
