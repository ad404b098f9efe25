import type { Sql, Tx } from '../../src/store/sql.ts';

/** What is unique among all companies, by table and column: how copy `g` of it reads. */
const OF_ITS_OWN: Readonly<Record<string, string>> = {
  'companies.nif': "'Z' || lpad(g::text, 8, '0')",
  'companies.email': "'copia' || g || '@ejemplo.es'",
  'companies.numero_instalacion': "numero_instalacion || '-' || g",
  'payments.ds_order': "ds_order || '-' || g",
};

/**
 * Copies a company with all it has, row by row in the database: neighbours that cost a test seconds and not minutes.
 * They cannot be entered, and nothing of theirs is due if nothing of it is.
 */
export async function copyCompany(sql: Sql, companyId: number, times: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`; // No trigger, and no foreign key of each row.
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
