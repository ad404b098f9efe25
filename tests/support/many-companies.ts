import type { Sql, Tx } from '../../src/store/sql.ts';

/** Columns that must be unique among companies, by table: how copy `g` gets its value. */
const OF_ITS_OWN: Readonly<Record<string, string>> = {
  'companies.nif': "'Z' || lpad(g::text, 8, '0')",
  'companies.email': "'copia' || g || '@ejemplo.es'",
  'companies.numero_instalacion': "numero_instalacion || '-' || g",
  'payments.ds_order': "ds_order || '-' || g",
};

/** Companies with nothing but their rows, numbered from 1, to which a test adds data. */
export async function insertCompanies(sql: Sql, count: number): Promise<void> {
  await sql`
    insert into companies (id, nif, email, name, address, post_code, country_code, password_hash,
           subscription_type, subscription_ends_at, numero_instalacion, payment_terms, payment_method,
           customer_posting_group, terms_accepted_at)
    select n, 'N' || n, n || '@ejemplo.es', '', '', '', 'ES', '', 'Demo', now(), n, '', '', '', now()
      from generate_series(1, ${count}) n`;
}

/** Pages of 8 kB that PostgreSQL reads for the statements of `run`, from its cache or not. */
export async function pagesRead(sql: Sql, run: () => Promise<unknown>): Promise<number> {
  await sql`create extension if not exists pg_stat_statements`;
  await sql`select pg_stat_statements_reset(0, oid) from pg_database where datname = current_database()`;
  await run();
  const [read] = await sql<{ pages: number }[]>`
    select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as pages
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid and d.datname = current_database()
     where toplevel and query not like '%pg_stat_statements%'`;
  return read?.pages ?? 0;
}

/**
 * Copies a company with all its rows inside the database: neighbours that cost a test seconds instead of minutes.
 * Nobody can sign in to them, and they have nothing due if the original has not.
 */
export async function copyCompany(sql: Sql, companyId: number, times: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`; // Skips triggers, and foreign key checks for each row.
    const [last] = await tx<{ id: number }[]>`select max(id) as id from companies`;
    for (const { name, columns } of await tablesOfCompanies(tx)) {
      const owner = name === 'companies' ? 'id' : 'company_id';
      const copied = columns.map((column) =>
        column === owner ? `${last?.id} + g` : (OF_ITS_OWN[`${name}.${column}`] ?? `t.${column}`),
      );
      await tx.unsafe(`
        insert into ${name} (${columns}) overriding system value
        select ${copied} from ${name} t, generate_series(1, ${times}) g where t.${owner} = ${companyId}`);
    }
    await tx`select setval('companies_id_seq', max(id)) from companies`;
  });
}

function tablesOfCompanies(tx: Tx): Promise<{ name: string; columns: string[] }[]> {
  return tx<{ name: string; columns: string[] }[]>`
    select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
     group by c.relname
    having c.relname = 'companies' or bool_or(a.attname = 'company_id')`;
}
