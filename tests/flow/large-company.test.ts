import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NIL_UUID } from '../../src/domain/nil-uuid.ts';
import { parseNoSerie, siblingSeries } from '../../src/domain/series.ts';
import { takenSeries } from '../../src/operations/create-company.ts';
import { settleInvoices } from '../../src/operations/settle-invoices.ts';
import {
  listProblems,
  nextOriginRows,
  nextToWriteBack,
  noteWrittenBack,
  writeBackAgain,
} from '../../src/store/business-central-origins.ts';
import { findInvoiceHistory, respuestasBetween } from '../../src/store/envios.ts';
import { findImported } from '../../src/store/imports.ts';
import { lockInvoicesById } from '../../src/store/invoices.ts';
import { findMaybeOwed } from '../../src/store/owed.ts';
import type { Tx } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertCompanies, pagesRead } from '../support/many-companies.ts';

/** Queries about a company with very many rows read what they return, not everything that there is. */

const COMPANY = 1;
/** So many of each that reading them all takes a multiple of what any statement here may read. */
const MANY = 10_000;
/** Pages of 8 kB. */
const FEW = 60;
/** Registros of a message. */
const ANSWERED = 300;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertCompanies(database.sql, 1);
});
afterAll(() => database.drop());

describe('a company with many messages to the AEAT', () => {
  beforeAll(async () => {
    const { sql } = database;
    // The longest possible ones, each sent twice and answered.
    await sql`
      insert into envios (company_id, id, from_seq, to_seq, incidencia, peticion, respuesta, csv, created_at)
      select ${COMPANY}::int, n, n * 1000, n * 1000 + 999, false, repeat('x', 300)::bytea, repeat('x', 300)::bytea,
             'CSV' || n, now()
        from generate_series(1, ${MANY}) n`;
    await sql`
      insert into envio_intentos (company_id, envio_id, intento, sent_at, ended_at, outcome)
      select ${COMPANY}::int, n, i, now() + make_interval(mins => i), now(), 'answered'
        from generate_series(1, ${MANY}) n, generate_series(1, 2) i`;
    await sql`
      insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, registered_at)
      values (${COMPANY}, 1, '00001/26', 'Registrada', 'F1', '2026-11-20', now())`;
    for (const seq of [5_000_000, 5_000_999]) {
      await sql`
        insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura, fecha_expedicion_factura,
               huella, huella_anterior, fecha_hora_huso_gen_registro, generated_at, xml)
        values (${COMPANY}, ${seq}, 1, 'Alta', '', '', ${seq}, ${seq}, '', now(), '')`;
    }
    await sql`
      insert into respuestas (company_id, seq, envio_id, estado_registro, answered_at)
      values (${COMPANY}, 5000999, 5000, 'Correcto', now())`;
    await sql`vacuum analyze`;
  });

  it('tells the story of an invoice from the messages with its registros', async () => {
    const history = () => findInvoiceHistory(database.sql, COMPANY, 1n);
    const rows = await history();
    expect(rows.map(({ seq, CSV }) => [seq, CSV])).toEqual([
      [5_000_000n, null],
      [5_000_000n, null],
      [5_000_999n, 'CSV5000'],
      [5_000_999n, 'CSV5000'],
    ]);
    expect(await pagesRead(database.sql, history)).toBeLessThan(FEW);
  });

  it('returns the answers for a range of registros, from the messages with any of them', async () => {
    const between = (fromSeq: bigint, toSeq: bigint) =>
      respuestasBetween(database.sql, COMPANY, { fromSeq, toSeq, after: null, limit: 5 });
    const idsOf = async (fromSeq: bigint, toSeq: bigint) =>
      (await between(fromSeq, toSeq)).map(({ id }) => id);
    expect(await idsOf(5_000_999n, 5_001_000n)).toEqual([5000n, 5001n]);
    expect(await idsOf(5_000_000n, 5_000_998n)).toEqual([5000n]);
    expect(await idsOf(1n, 999n)).toEqual([]);
    expect(await pagesRead(database.sql, () => between(9_000_000n, 9_001_000n))).toBeLessThan(FEW);
    expect(await pagesRead(database.sql, () => between(1n, 9_001_000n))).toBeLessThan(FEW);
  });
});

describe('a company with many invoices', () => {
  beforeAll(async () => {
    const { sql } = database;
    await sql`
      insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, registered_at)
      select ${COMPANY}::int, n, lpad(n::text, 6, '0') || '/25', 'Registrada', 'F1', '2025-11-20', now()
        from generate_series(2, ${MANY}) n`;
    await sql`
      insert into imported_invoices (company_id, referencia, invoice_id, content_hash, version)
      select ${COMPANY}::int, 'pedido ' || n, n, '', 1 from generate_series(2, ${MANY}) n`;
    await sql`vacuum analyze`;
  });

  it('finds the numbers in use, once for the six series, and later among new invoices only', async () => {
    const taken = (text: string, since: bigint | null = null) => {
      const first = parseNoSerie(text);
      if (!first) throw new Error(`«${text}» is no number.`);
      return takenSeries(database.sql, [COMPANY], siblingSeries(first), since);
    };
    expect(await taken('000001/25')).toMatchObject({ suffix: '/25' });
    expect(await taken('000001/25', 5_000_999n)).toBeNull();
    const of = (since: bigint | null) => pagesRead(database.sql, () => taken('000001/27', since));
    expect(await of(null)).toBeLessThan(MANY / 10);
    expect(await of(5_000_000n)).toBeLessThan(FEW);
  });

  it('compares a file only with earlier imports of the same references', async () => {
    const found = () => findImported(database.sql, COMPANY, ['pedido 7', 'pedido 70', 'otro']);
    expect((await found()).map(({ docNo }) => docNo).sort()).toEqual(['000007/25', '000070/25']);
    expect(await pagesRead(database.sql, found)).toBeLessThan(FEW);
  });

  it('settles what the AEAT answered reading only that, also when it is planned for this company', async () => {
    const { sql } = database;
    await sql`
      insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, seq)
      select ${COMPANY}::int, n, n::text, 'En espera', 'F1', '2026-11-20', n
        from generate_series(${MANY + 1}::int, ${MANY + ANSWERED}::int) n`;
    const verdicts = Array.from({ length: ANSWERED }, (_, i) => ({
      invoiceId: BigInt(MANY + 1 + i),
      seq: BigInt(MANY + 1 + i),
      status: 'Registrada' as const,
      errorMessage: null,
      errorCode: null,
      CSV: `CSV${i}`,
    }));
    const read = await sql.begin(async (tx) => {
      await tx`set local plan_cache_mode = force_custom_plan`;
      const before = await invoicesRead(tx);
      await lockInvoicesById(
        tx,
        COMPANY,
        verdicts.map(({ invoiceId }) => invoiceId),
      );
      await settleInvoices(tx, COMPANY, verdicts);
      return (await invoicesRead(tx)) - before;
    });
    // To lock them, to count them in their lists and to update them.
    expect(read).toBeLessThan(4 * ANSWERED);
    const [settled] = await sql<{ count: number }[]>`
      select count(*)::int as count from invoices where company_id = ${COMPANY} and csv like 'CSV%'`;
    expect(settled?.count).toBe(ANSWERED);
  });
});

describe('a company with many documents of Business Central', () => {
  const bcCompany = '00000000-0000-4000-8000-000000000001';
  const origin = { companyId: COMPANY, bcCompany };
  const told = () => nextToWriteBack(database.sql, origin, NIL_UUID, 40);

  beforeAll(async () => {
    const { sql } = database;
    await sql`
      insert into bc_documents (company_id, bc_company, bc_id, kind, number, issued_on, customer_name, total, content_hash,
             state, reasons, invoice_id, written_back)
      select ${COMPANY}::int, ${bcCompany}::uuid, lpad(to_hex(n), 32, '0')::uuid, 'factura', 'FV-' || n,
             '2025-01-01'::date + n / 100, 'Cliente', 1, '', 'importada',
             case when n % 1000 = 0 then '["No cuadra."]' else '[]' end::jsonb, i.id,
             md5(concat_ws('|', i.doc_no, i.status, i.huella, i.csv))
        from generate_series(2, ${MANY}) n join invoices i on i.company_id = ${COMPANY} and i.id = n`;
    await sql`
      insert into bc_parties (company_id, bc_company, kind, bc_id, number, name, content_hash, problems)
      select ${COMPANY}::int, ${bcCompany}::uuid, 'cliente', lpad(to_hex(n), 32, '0')::uuid, n, '', '',
             case when n % 1000 = 0 then '["Sin NIF."]' else '[]' end::jsonb
        from generate_series(1, ${MANY}) n`;
    await sql`vacuum analyze`;
  });

  it('finds the answers to write back among pending ones only, once the AEAT has said something else', async () => {
    const { sql } = database;
    expect(await told()).toEqual([]);
    expect(await pagesRead(sql, told)).toBeLessThan(FEW);
    await writeBackAgain(sql, COMPANY, [7n, 70n]);
    const [first, second, ...others] = await told();
    expect([first?.number, second?.number, others]).toEqual(['FV-7', 'FV-70', []]);
    if (!first || !second) return;

    await noteWrittenBack(sql, origin, { ...first, attachmentId: first.bcId });
    await sql`update invoices set csv = 'OTRO' where company_id = ${COMPANY} and id = 70`;
    await noteWrittenBack(sql, origin, { ...second, attachmentId: second.bcId });
    expect((await told()).map(({ number, CSV }) => [number, CSV])).toEqual([['FV-70', 'OTRO']]);
    expect(await pagesRead(sql, () => writeBackAgain(sql, COMPANY, [8n]))).toBeLessThan(FEW);
  });

  it('returns a page of all imported documents, starting anywhere', async () => {
    const page = () =>
      nextOriginRows(database.sql, COMPANY, { issuedOn: '2025-03-01', bcId: NIL_UUID }, 3);
    expect((await page()).map(({ number, docNo }) => [number, docNo])).toEqual([
      ['FV-5900', '005900/25'],
      ['FV-5901', '005901/25'],
      ['FV-5902', '005902/25'],
    ]);
    expect(await pagesRead(database.sql, page)).toBeLessThan(FEW);
  });

  it('lists what was not imported, reading only that', async () => {
    const problems = () => listProblems(database.sql, COMPANY, bcCompany, 12);
    const { problems: rows, total } = await problems();
    expect(total).toBe(20);
    expect(rows.map(({ number, docNo }) => [number, docNo]).slice(8)).toEqual([
      ['FV-9000', '009000/25'],
      ['FV-10000', '010000/25'],
      ['1000', null],
      ['10000', null],
    ]);
    expect(await pagesRead(database.sql, problems)).toBeLessThan(2 * FEW);
  });
});

describe('a company of which ten thousand invoices wait for the AEAT, as when it is down', () => {
  const FIRST = 1_000_000;

  beforeAll(async () => {
    const { sql } = database;
    await sql`
      insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, registered_at, seq)
      select ${COMPANY}::int, n, n || '/27', 'En espera', 'F1', '2027-01-01'::date + n % 300, now(), n
        from generate_series(${FIRST + 1}::int, ${FIRST + MANY}::int) n`;
    await sql`
      insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura, fecha_expedicion_factura,
             huella, huella_anterior, fecha_hora_huso_gen_registro, generated_at, xml, issued)
      select ${COMPANY}::int, n, n, 'Alta', '', '', n, n, '', now(), '', '{"payable":"1.00"}'
        from generate_series(${FIRST + 1}::int, ${FIRST + MANY}::int) n`;
    await sql`vacuum analyze`;
  });

  it.each([true, false])(
    'finds what is owed among a thousand, the oldest first: %s',
    async (isOldestFirst) => {
      const query = { search: '', since: null, until: null, isOldestFirst };
      const owed = () => findMaybeOwed(database.sql, COMPANY, query);
      const { invoices, isMore } = await owed();
      expect([invoices.length > 500, isMore]).toEqual([true, true]);
      // About nine for each that is found. With the registros of all ten thousand, it would be 33,000.
      expect(await pagesRead(database.sql, owed)).toBeLessThan(2 * MANY);
    },
  );
});

/** As counted by this connection, which has not reported what it read shortly before. */
async function invoicesRead(tx: Tx): Promise<number> {
  const [rows] = await tx<{ read: number }[]>`
    select (pg_stat_get_xact_tuples_returned('invoices'::regclass)
              + pg_stat_get_xact_tuples_returned('invoices_pkey'::regclass))::int as read`;
  return rows?.read ?? 0;
}
