import { isDistributed, quoted, type Tx } from './sql.ts';

/**
 * Tables that a distributed database keeps whole on every machine: everybody reads them and they are rarely written.
 * A payment is made before there is a company that it could belong to.
 */
export const REFERENCE_TABLES = ['companies', 'payments', 'app_settings', 'rate_limits'] as const;

/** Stays on the machine that runs migrations. */
export const LOCAL_TABLES = ['schema_migrations'] as const;

/** Any table of companies: when it is distributed, new tables are placed with it. */
const SPREAD_ALREADY = 'invoices';

/**
 * The steps that make the schema distributed, in order: the tables of companies are spread by company, each company
 * whole on one machine. What is spread already stays as it is.
 *
 * Foreign keys wait until both sides are spread: Citus refuses to spread a table to which another one, not spread
 * yet, refers.
 */
export async function distributionSteps(tx: Tx): Promise<string[]> {
  const done = await distributedTables(tx);
  const owned = (
    await tx<{ name: string }[]>`
      select c.relname as name from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
         and c.relname <> all(${[...REFERENCE_TABLES, ...LOCAL_TABLES]}::text[])
       order by c.relname`
  )
    .map(({ name }) => name)
    .filter((name) => !done.has(name));
  const references = REFERENCE_TABLES.filter((name) => !done.has(name));
  const keys = await tx<{ table: string; name: string; definition: string }[]>`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
      from pg_constraint k join pg_class c on c.oid = k.conrelid
     where k.contype = 'f' and c.relnamespace = current_schema()::regnamespace
       and c.relname = any(${[...owned, ...references]}::text[])
     order by c.relname, k.conname`;
  // Tables of a later migration are placed with the rest of each company.
  const first = done.has(SPREAD_ALREADY) ? SPREAD_ALREADY : owned[0];
  return [
    ...keys.map(
      ({ table, name }) => `alter table ${quoted(table)} drop constraint ${quoted(name)}`,
    ),
    ...references.map((name) => `select create_reference_table('${name}')`),
    ...owned.map((name) => {
      const together = name === first ? '' : `, colocate_with => '${first}'`;
      return `select create_distributed_table('${name}', 'company_id'${together})`;
    }),
    ...keys.map(
      ({ table, name, definition }) =>
        `alter table ${quoted(table)} add constraint ${quoted(name)} ${definition}`,
    ),
  ];
}

/**
 * Spreads the tables over the machines of a Citus database, all or nothing.
 *
 * @returns how many steps it took; null, and nothing done, where the `citus` extension is not installed
 */
export async function distribute(tx: Tx): Promise<number | null> {
  if (!(await isDistributed(tx))) return null;
  const steps = await distributionSteps(tx);
  // Row-level security takes a form that Citus accepts (migration 0190).
  await tx`select enforce_company_rows()`;
  // Foreign keys to reference tables are checked one machine after another.
  await tx.unsafe(`set local citus.multi_shard_modify_mode = 'sequential'`);
  // Our triggers use nothing but their own row.
  await tx.unsafe('set local citus.enable_unsafe_triggers = on');
  for (const step of steps) await tx.unsafe(step);
  const [database] = await tx<{ name: string }[]>`select current_database() as name`;
  const name = quoted(database?.name ?? '');
  await tx.unsafe(`alter database ${name} set citus.enable_unsafe_triggers = on`);
  // For row-level security: makes `set local` reach the other machines too.
  await tx.unsafe(`alter database ${name} set citus.propagate_set_commands = 'local'`);
  return steps.length;
}

async function distributedTables(tx: Tx): Promise<Set<string>> {
  if (!(await isDistributed(tx))) return new Set();
  const rows = await tx.unsafe<{ name: string }[]>(
    'select table_name::text as name from citus_tables',
  );
  return new Set(rows.map(({ name }) => name));
}
