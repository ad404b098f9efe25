import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseNoSerie, siblingSeries } from '../../src/domain/series.ts';
import { takenSeries } from '../../src/operations/create-company.ts';
import { findInvoiceHistory, respuestasBetween } from '../../src/store/envios.ts';
import { findImported } from '../../src/store/imports.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { insertCompanies, pagesRead } from '../support/many-companies.ts';

/** What is asked of a company that has much of something: it reads what it gives, and not all that there is. */

const COMPANY = 1;
/** As many of each as make reading them all a multiple of what any statement here may read. */
const MANY = 10_000;
/** Pages of 8 kB. */
const FEW = 60;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await insertCompanies(database.sql, 1);
});
afterAll(() => database.drop());

describe('of many messages to the AEAT', () => {
  beforeAll(async () => {
    const { sql } = database;
    // The longest that there are, each sent twice and answered.
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

  it('tells the story of an invoice from those that held its registros', async () => {
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

  it('gives the answers of a stretch of registros, from those that held any of them', async () => {
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

describe('of many invoices', () => {
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

  it('tells which numbers were given, once for the six series, and since then by those alone', async () => {
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

  it('judges a file against what came before under the references that it has', async () => {
    const found = () => findImported(database.sql, COMPANY, ['pedido 7', 'pedido 70', 'otro']);
    expect((await found()).map(({ docNo }) => docNo).sort()).toEqual(['000007/25', '000070/25']);
    expect(await pagesRead(database.sql, found)).toBeLessThan(FEW);
  });
});
