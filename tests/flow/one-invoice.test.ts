import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvoiceDraft } from '../../src/contract/invoices.ts';
import { downloadInvoice } from '../../src/operations/render-invoice.ts';
import { saveDraft } from '../../src/operations/save-draft.ts';
import { openBeside } from '../../src/platform/database.ts';
import { findInvoice } from '../../src/store/invoices.ts';
import { within, withRowSecurity } from '../../src/store/row-security.ts';
import { pipelined } from '../../src/store/sql.ts';
import { draftOf, openWorld, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('is found by reading no document but its own, even before any statistics', async () => {
  for (const table of ['invoices', 'invoice_documents']) {
    await world.sql`alter table ${world.sql(table)} set (autovacuum_enabled = false)`;
  }
  const { id, customerNo } = await world.signUp('B12345674', 'Empresa, S.L.');
  const draft = InvoiceDraft.parse(draftOf(customerNo, world.deps.clock()));
  const saved = await Promise.all(
    Array.from({ length: 60 }, () => saveDraft(world.deps, id, { draft })),
  );
  expect(saved).toHaveLength(60);
  const web = await withRowSecurity(world.deps.sql);
  const scope = { companyId: id, sid: null, address: '', userAgent: '' };
  const { found, read } = await within(scope, () =>
    pipelined(web, async (tx, commit) => {
      // What this connection has read until now, also in earlier transactions.
      const rowsRead = () => tx<{ rows: number }[]>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
          from pg_stat_xact_user_tables where relname in ('invoices', 'invoice_documents') order by relname desc`;
      const before = await rowsRead();
      const invoice = await findInvoice(tx, id, 'B-30');
      const after = rowsRead();
      await commit([after]);
      return {
        found: invoice,
        read: (await after).map(({ rows }, at) => rows - (before[at]?.rows ?? 0)),
      };
    }),
  );
  expect(found?.docNo).toBe('B-30');
  const [invoices, documents] = read;
  // Without statistics the company's 60 rows are read; with a list in the place of the single number, 3,720.
  expect(invoices).toBeLessThan(100);
  expect(documents).toBe(1);
});

it('occupies no connection while its PDF is drawn', async () => {
  const { id, customerNo } = await world.signUp('B76543214', 'Otra, S.L.');
  const [invoiceItem] = draftOf(customerNo, world.deps.clock()).invoiceItems as object[];
  const draft = InvoiceDraft.parse({
    ...draftOf(customerNo, world.deps.clock()),
    invoiceItems: Array.from({ length: 400 }, () => invoiceItem),
  });
  const { DocNo } = await saveDraft(world.deps, id, { draft });
  const sql = openBeside(world.deps.sql); // A single connection.
  const order: string[] = [];
  await Promise.all([
    downloadInvoice({ ...world.deps, sql }, id, DocNo).then(() => order.push('drawn')),
    sql`select 1`.then(() => order.push('another statement')),
  ]);
  await sql.end();
  expect(order).toEqual(['another statement', 'drawn']);
});
