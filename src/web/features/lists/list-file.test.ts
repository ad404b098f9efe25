import { expect, it } from 'vitest';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { listFile, ROWS_PER_CALL } from './list-file.ts';

const row = (change: Partial<InvoiceRow>): InvoiceRow => ({
  PostingDate: '2026-11-25',
  DocNo: '00001/26',
  CIF: 'A58818501',
  Name: 'Talleres Ruiz',
  Status: 'Registrada',
  Amount: 1234.5,
  VatAmount: 259.25,
  AmountIncludingVat: 1493.75,
  Tipo: 'F1',
  Huella: 'A1',
  ...change,
});

it('has every page of the list, with amounts that add up and nothing that is a formula', async () => {
  const pages = [
    Array.from({ length: ROWS_PER_CALL }, () => row({})),
    [row({ Name: '=1+1; y otra', Amount: -0.29, VatAmount: 0, AmountIncludingVat: -0.29 })],
  ];
  const file = await listFile(async (page) => {
    const rows = pages[page - 1] ?? [];
    return { rows, total: ROWS_PER_CALL + 1, page, pageSize: ROWS_PER_CALL };
  });
  const lines = (await file.text()).trimEnd().split('\r\n');
  expect(lines).toHaveLength(ROWS_PER_CALL + 2);
  expect(lines[1]).toBe(
    '25/11/2026;00001/26;F1;A58818501;Talleres Ruiz;1234,50;259,25;1493,75;Registrada;A1',
  );
  expect(lines.at(-1)).toBe(
    `25/11/2026;00001/26;F1;A58818501;"'=1+1; y otra";-0,29;0,00;-0,29;Registrada;A1`,
  );
});
