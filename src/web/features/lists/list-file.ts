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

/** A table that is made of the rows of a list as they come. */
export interface ListTable {
  readonly add: (row: InvoiceRow) => void;
  /** All its lines, the head among them. */
  readonly lines: () => readonly (readonly string[])[];
}

/**
 * A table of every invoice of a list, whatever page of it is shown, for a spreadsheet. Null when it was stopped: half a
 * list would pass for a whole one.
 */
export async function listFile(source: ListSource, table: ListTable): Promise<ListFile | null> {
  // What is registered meanwhile moves the others to the next page, where they come again.
  const taken = new Set<string>();
  for (let page = 1; ; page += 1) {
    const { rows, total, totalAlMenos: isMore = false } = await source.pageOf(page);
    if (source.isStopped?.()) return null;
    for (const row of rows) {
      if (!taken.has(row.DocNo)) table.add(row);
      taken.add(row.DocNo);
    }
    if (rows.length < ROWS_PER_CALL) {
      return { file: fileOf(table.lines()), invoices: taken.size };
    }
    source.onProgress?.({ done: taken.size, total, isMore });
  }
}

/** A file of those lines for a spreadsheet. */
export function fileOf(lines: readonly (readonly string[])[]): Blob {
  const parts = [CSV_MARK, ...lines.map((fields) => csvLine([...fields]))];
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** What each invoice says, and what it adds to the others. */
export function invoiceTable(): ListTable {
  const lines: (readonly string[])[] = [HEAD];
  return {
    add: (row) =>
      lines.push([
        ...[fecha(row.PostingDate), row.DocNo, row.Tipo, row.Metodo ? METODOS[row.Metodo] : ''],
        ...[row.CIF, row.Name],
        ...AMOUNTS.map((of) => amount(numberToCents(row[of]))),
        ...AMOUNTS.map((of) => amount(addedCents(row, of))),
        ...[row.Status, row.Huella ?? ''],
      ]),
    lines: () => lines,
  };
}

interface ClientSums {
  readonly nif: string;
  readonly name: string;
  count: number;
  total: bigint;
  readonly ofQuarter: Map<string, bigint>;
}

/**
 * What each client was invoiced, taxes included, by quarters, the one with most first: what the yearly declaration of
 * operations with others is made of (modelo 347, RD 1065/2007 art. 33, which leaves some operations out). Annulled ones
 * are left out; who has no NIF is told by the name. What takes the place of another client's invoice is taken off that
 * client, in the quarter in which it is.
 */
export function clientTable(): ListTable {
  const clients = new Map<string, ClientSums>();
  const sumsOf = ({ CIF, Name }: Pick<InvoiceRow, 'CIF' | 'Name'>): ClientSums => {
    const key = CIF || ` ${Name}`;
    const sums = clients.get(key) ?? {
      nif: CIF,
      name: Name,
      count: 0,
      total: 0n,
      ofQuarter: new Map<string, bigint>(),
    };
    clients.set(key, sums);
    return sums;
  };
  const addTo = (sums: ClientSums, quarter: string, cents: bigint) => {
    sums.total += cents;
    sums.ofQuarter.set(quarter, (sums.ofQuarter.get(quarter) ?? 0n) + cents);
  };
  return {
    add: (row) => {
      if (row.Status === 'Anulada') return;
      const quarter = quarterOf(row.PostingDate);
      const own = sumsOf(row);
      own.count += 1;
      addTo(own, quarter, addedCents(row, 'AmountIncludingVat'));
      for (const other of row.Sustituido?.DeOtros ?? []) {
        const cents = numberToCents(other.AmountIncludingVat);
        addTo(own, quarter, cents);
        addTo(sumsOf(other), quarter, -cents);
      }
    },
    lines: () => {
      const all = [...clients.values()].sort((a, b) => Number(b.total - a.total));
      const quarters = [...new Set(all.flatMap(({ ofQuarter }) => [...ofQuarter.keys()]))].sort();
      return [
        ['NIF', 'Cliente', 'Facturas', ...quarters, 'Total'],
        ...all.map(({ nif, name, count, total, ofQuarter }) => [
          ...[nif, name, String(count)],
          ...quarters.map((quarter) => amount(ofQuarter.get(quarter) ?? 0n)),
          amount(total),
        ]),
      ];
    },
  };
}

/** `2026-11-20` → `2026-4T` */
function quarterOf(day: string): string {
  return `${day.slice(0, 4)}-${Math.ceil(Number(day.slice(5, 7)) / 3)}T`;
}

/** Nothing of an annulled one; of what takes the place of others in the list, the change (RD 1619/2012 art. 15.4 and 6). */
function addedCents(row: InvoiceRow, of: (typeof AMOUNTS)[number]): bigint {
  if (row.Status === 'Anulada') return 0n;
  return numberToCents(row[of]) - numberToCents(row.Sustituido?.[of] ?? 0);
}

/** `123450n` → `1234,50`: what a spreadsheet adds up. */
export function amount(cents: bigint): string {
  return withComma(decimalToText(cents, 2, 2));
}
