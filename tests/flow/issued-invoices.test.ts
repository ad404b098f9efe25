import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchNeedle } from '../../src/domain/list-text.ts';
import { listIssued } from '../../src/store/issued-invoices.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertCompanies, pagesRead } from '../support/many-companies.ts';
import { recountFigures } from '../support/recount-figures.ts';

/** What «Rectificar» and «F3» offer when the history is longer than a search walks through. */

const COMPANY = 1;
const TOTAL = 9_000;
const LIMIT = 50;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await insertCompanies(sql, 2);
  // One in a hundred waits, one in ten was annulled, one in eight is simplified; the oldest belong to another client.
  await sql`
    insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, customer_name, total, registered_at,
           search_text)
    select company, n, doc_no, status, tipo, day, name, amount, case when status <> 'Borrador' then now() end,
           translate(lower(concat_ws(' ', doc_no, day, to_char(day, 'DD/MM/YYYY'), name, replace(amount::text, '.', ','))),
                     'áéíóú', 'aeiou')
      from (select case when n % 4 = 0 then 2 else ${COMPANY}::int end as company, n,
                   lpad(n::text, 6, '0') || '/26' as doc_no,
                   case when n * 31 % 100 = 0 then (array['Borrador', 'En espera', 'Rechazado', 'Aceptado con errores'])
                                                   [1 + n / 100 % 4]
                        when n * 17 % 10 = 0 then 'Anulada' else 'Registrada' end as status,
                   (array['F1', 'F1', 'F1', 'R1', 'F1', 'F2', 'F1', 'F1', 'R5', 'F3'])[1 + n * 13 % 10] as tipo,
                   '2020-01-01'::date + n / 10 as day,
                   case when n < 200 then 'Ñandú, S.A.' when n * 7 % 5000 < 20 then 'Zócalo, S.L.'
                        else 'Cliente ' || n % 9 end as name,
                   (n * 37 % 500) + 0.5 as amount
              from generate_series(1, ${(TOTAL * 4) / 3}::int) n) as made`;
  // One exchange in three simplified invoices, and one exchange annulled later.
  await sql`
    insert into invoice_references (company_id, invoice_id, kind, numero)
    select s.company_id, f.id, 'sustituye', s.doc_no
      from invoices s
      join invoices f on f.company_id = s.company_id and f.id = s.id + 1
     where s.tipo_factura in ('F2', 'R5') and s.registered_at is not null and s.id * 7 % 3 = 0`;
  for (const id of [1, 2]) await sql.begin((tx) => recountFigures(tx, id));
  await sql`vacuum analyze`;
}, 120_000);
afterAll(() => database.drop());

type Only = Parameters<typeof listIssued>[2]['only'];
const ALL_KINDS: readonly Only[] = [null, 'exchangeable', 'complete'];

/** The expected result, by reading each invoice of the company. */
async function plainly(search: string, only: Only): Promise<string[]> {
  const { sql } = database;
  const like = `%${searchNeedle(search).replace(/[\\%_]/g, '\\$&')}%`;
  const rows = await sql<{ doc_no: string }[]>`
    select i.doc_no from invoices i
     where i.company_id = ${COMPANY} and i.registered_at is not null
       and i.status not in ('Anulada', 'Rechazado') and i.search_text like ${like}
       and (${only !== 'complete'}::boolean or i.tipo_factura not in ('F2', 'R5'))
       and (${only !== 'exchangeable'}::boolean or i.tipo_factura in ('F2', 'R5') and not exists (
             select from invoice_references x
               join invoices f on f.company_id = x.company_id and f.id = x.invoice_id
              where x.company_id = i.company_id and x.numero = i.doc_no and x.kind = 'sustituye'
                and f.status <> 'Anulada'))
     order by i.posting_date desc, i.id desc limit ${LIMIT}`;
  return rows.map((row) => row.doc_no);
}

const offered = async (search: string, only: Only = null) => {
  const query = { search, numbers: null, only, limit: LIMIT };
  return (await listIssued(database.sql, COMPANY, query)).map(({ docNo }) => docNo);
};

describe.each(ALL_KINDS.map((only) => ({ only })))('only those wanted: $only', ({ only }) => {
  it.each([
    ['', 'nothing typed'],
    ['1', 'what nearly all have'],
    ['CLIENTE 7', 'what many have'],
    ['zocalo', 'what is written with an accent'],
    ['Zócalo', 'what few have, from one end to the other'],
    ['ñandú', 'what only the oldest have'],
    ['ñandú, s.a.', 'what is no trigram in part'],
    ['ñ', 'a letter that only the oldest have'],
    ['00123', 'a piece of a number'],
    ['000115/26', 'a whole number'],
    ['15/03/2022', 'a day'],
    ['03/2021', 'a month'],
    ['15,5', 'an amount'],
  ])('offers «%s»: %s', async (search) => {
    const found = await offered(search, only);
    if (only !== 'complete') expect(found).not.toEqual([]);
    expect(found).toEqual(await plainly(search, only));
  });

  it.each(['no hay', '%', '_'])('offers nothing for «%s»', async (search) => {
    expect(await offered(search, only)).toEqual([]);
  });
});

it.each(ALL_KINDS.flatMap((only) => ['', '1'].map((search) => [search, only] as const)))(
  'reads no more than a page needs for «%s», of those wanted: %s',
  async (search, only) => {
    expect(await pagesRead(database.sql, () => offered(search, only))).toBeLessThan(30 * LIMIT);
  },
);

it.each(['000115/26', 'ñandú', 'no hay'])(
  'reads no other table for invoices that do not match «%s»',
  async (search) => {
    expect(await pagesRead(database.sql, () => offered(search))).toBeLessThan(TOTAL / 5);
  },
);

it.each(ALL_KINDS)('offers what has a NIF that was typed with its hyphen: %s', async (only) => {
  const { sql } = database;
  const marked = await plainly('zocalo', only);
  await sql`
    update invoices set search_text = search_text || ' b12345674' where company_id = ${COMPANY} and doc_no = any(${marked})`;
  expect(marked).not.toEqual([]);
  expect(await offered('B-12345674', only)).toEqual(marked);
});
