import type { InvoicePage, InvoiceRow } from '../../../contract/invoices.ts';
import { decimalToText, withComma } from '../../../domain/money.ts';
import { CSV_MARK, csvLine } from '../../../domain/spreadsheet-text.ts';
import { fecha } from '../../lib/format.ts';

const HEAD = [
  ...['Fecha', 'Número', 'Tipo', 'NIF', 'Cliente', 'Base imponible', 'Impuestos', 'Total'],
  ...['Estado', 'Huella'],
];

/** As many as the server gives at once. */
export const ROWS_PER_CALL = 200;

/**
 * Every invoice of a list, whatever page of it is shown, for a spreadsheet.
 *
 * @param pageOf a page of `ROWS_PER_CALL` rows, counted from 1
 */
export async function listFile(pageOf: (page: number) => Promise<InvoicePage>): Promise<Blob> {
  const parts = [CSV_MARK, csvLine(HEAD)];
  for (let page = 1; ; page += 1) {
    const { rows } = await pageOf(page);
    parts.push(...rows.map(lineOf));
    if (rows.length < ROWS_PER_CALL) return new Blob(parts, { type: 'text/csv;charset=utf-8' });
  }
}

function lineOf(row: InvoiceRow): string {
  return csvLine([
    ...[fecha(row.PostingDate), row.DocNo, row.Tipo, row.CIF, row.Name],
    ...[row.Amount, row.VatAmount, row.AmountIncludingVat].map(amount),
    ...[row.Status, row.Huella ?? ''],
  ]);
}

/** `1234.5` → `1234,50`: what a spreadsheet adds up. */
function amount(euros: number): string {
  return withComma(decimalToText(BigInt(Math.round(euros * 100)), 2, 2));
}
