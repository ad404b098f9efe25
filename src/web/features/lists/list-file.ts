import type { InvoicePage, InvoiceRow } from '../../../contract/invoices.ts';
import { decimalToText, numberToCents, withComma } from '../../../domain/money.ts';
import { CSV_MARK, csvLine } from '../../../domain/spreadsheet-text.ts';
import { fecha } from '../../lib/format.ts';

const HEAD = [
  ...['Fecha', 'Número', 'Tipo', 'Método', 'NIF', 'Cliente'],
  ...['Base imponible', 'Impuestos', 'Total'],
  ...['Base que suma', 'Impuestos que suma', 'Total que suma'],
  ...['Estado', 'Huella'],
];

const METODOS = { I: 'Por diferencias', S: 'Por sustitución' } as const;

const AMOUNTS = ['Amount', 'VatAmount', 'AmountIncludingVat'] as const;

/** As many as the server gives at once. */
export const ROWS_PER_CALL = 200;

export interface ListProgress {
  readonly done: number;
  readonly total: number;
  /** There are more than `total`: nobody has counted them all. */
  readonly isMore: boolean;
}

export interface ListSource {
  /** A page of `ROWS_PER_CALL` rows, counted from 1, that say what they take the place of. */
  readonly pageOf: (page: number) => Promise<InvoicePage>;
  /** After each page but the last. */
  readonly onProgress?: (progress: ListProgress) => void;
  readonly isStopped?: () => boolean;
}

export interface ListFile {
  readonly file: Blob;
  readonly invoices: number;
}

/**
 * Every invoice of a list, whatever page of it is shown, for a spreadsheet: what each says, and what it adds to the
 * others. Null when it was stopped: half a list would pass for a whole one.
 */
export async function listFile(source: ListSource): Promise<ListFile | null> {
  const parts = [CSV_MARK, csvLine(HEAD)];
  // What is registered meanwhile moves the others to the next page, where they come again.
  const written = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { rows, total, totalAlMenos: isMore = false } = await source.pageOf(page);
    if (source.isStopped?.()) return null;
    for (const row of rows) {
      if (!written.has(row.DocNo)) parts.push(lineOf(row));
      written.add(row.DocNo);
    }
    if (rows.length < ROWS_PER_CALL) {
      return {
        file: new Blob(parts, { type: 'text/csv;charset=utf-8' }),
        invoices: written.size,
      };
    }
    source.onProgress?.({ done: written.size, total, isMore });
  }
}

function lineOf(row: InvoiceRow): string {
  return csvLine([
    ...[fecha(row.PostingDate), row.DocNo, row.Tipo, row.Metodo ? METODOS[row.Metodo] : ''],
    ...[row.CIF, row.Name],
    ...AMOUNTS.map((of) => amount(numberToCents(row[of]))),
    ...AMOUNTS.map((of) => amount(addedCents(row, of))),
    ...[row.Status, row.Huella ?? ''],
  ]);
}

/** Nothing of an annulled one; of what takes the place of others in the list, the change (RD 1619/2012 art. 15.4 and 6). */
function addedCents(row: InvoiceRow, of: (typeof AMOUNTS)[number]): bigint {
  if (row.Status === 'Anulada') return 0n;
  return numberToCents(row[of]) - numberToCents(row.Sustituido?.[of] ?? 0);
}

/** `123450n` → `1234,50`: what a spreadsheet adds up. */
function amount(cents: bigint): string {
  return withComma(decimalToText(cents, 2, 2));
}
