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
const RETENCION_HEAD = ['Retención', 'Retención que suma'];

const METODOS = { I: 'Por diferencias', S: 'Por sustitución' } as const;

const AMOUNTS = ['Amount', 'VatAmount', 'AmountIncludingVat'] as const;

/** The maximum number of rows that the server returns at once. */
export const ROWS_PER_CALL = 200;

export interface ListProgress {
  readonly done: number;
  readonly total: number;
  /** There are more than `total`: not all of them have been counted. */
  readonly isMore: boolean;
}

export interface ListSource {
  /** A page of `ROWS_PER_CALL` rows, counted from 1. Each row says which invoices it replaces. */
  readonly pageOf: (page: number) => Promise<InvoicePage>;
  /** Called after each page except the last. */
  readonly onProgress?: (progress: ListProgress) => void;
  readonly isStopped?: () => boolean;
}

export interface ListFile {
  readonly file: Blob;
  readonly invoices: number;
}

/** A table built from the rows of a list as they arrive. */
export interface ListTable {
  readonly add: (row: InvoiceRow) => void;
  /** All its lines, including the header. */
  readonly lines: () => readonly (readonly string[])[];
}

/**
 * A table, for a spreadsheet, of every invoice of a list, whichever page is shown. Null when it was stopped: half a
 * list could be taken for a whole one.
 */
export async function listFile(source: ListSource, table: ListTable): Promise<ListFile | null> {
  // Invoices registered meanwhile push others onto the next page, where they appear again.
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

/** A spreadsheet file with those lines. */
export function fileOf(lines: readonly (readonly string[])[]): Blob {
  const parts = [CSV_MARK, ...lines.map((fields) => csvLine([...fields]))];
  return new Blob(parts, { type: 'text/csv;charset=utf-8' });
}

/** The data of each invoice, and its contribution to the sums. */
export function invoiceTable(): ListTable {
  const lines: (readonly string[])[] = [];
  const retenciones: (readonly string[])[] = [];
  let isWithheld = false;
  return {
    add: (row) => {
      const own = numberToCents(row.Retencion ?? 0);
      const added = addedCents(row, 'Retencion');
      isWithheld ||= own !== 0n || added !== 0n;
      retenciones.push([amount(own), amount(added)]);
      lines.push([
        ...[fecha(row.PostingDate), row.DocNo, row.Tipo, row.Metodo ? METODOS[row.Metodo] : ''],
        ...[row.CIF, row.Name],
        ...AMOUNTS.map((of) => amount(numberToCents(row[of]))),
        ...AMOUNTS.map((of) => amount(addedCents(row, of))),
        ...[row.Status, row.Huella ?? ''],
      ]);
    },
    // Few companies have clients who withhold.
    lines: () =>
      isWithheld
        ? [
            [...HEAD, ...RETENCION_HEAD],
            ...lines.map((line, index) => [...line, ...(retenciones[index] ?? [])]),
          ]
        : [HEAD, ...lines],
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
 * The amount invoiced to each client by quarter, taxes included, the highest first: the basis of the yearly declaration
 * of operations with third parties (modelo 347, RD 1065/2007 art. 33, which excludes some operations). Annulled
 * invoices are left out; clients without a NIF are identified by name, those with a foreign number also by country.
 * When an invoice replaces one of another client, its amount is subtracted from that client, in the quarter of the new
 * invoice.
 */
export function clientTable(): ListTable {
  const clients = new Map<string, ClientSums>();
  const sumsOf = ({ CIF, Name, Pais }: Pick<InvoiceRow, 'CIF' | 'Name' | 'Pais'>): ClientSums => {
    const key = CIF ? `${CIF} ${Pais ?? ''}` : ` ${Name}`;
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
          ...[nif, name || 'Sin cliente', String(count)],
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

/**
 * Zero for an annulled invoice. For one that replaces others in the list, only the change (RD 1619/2012 art. 15.4 and
 * 6).
 */
function addedCents(row: InvoiceRow, of: (typeof AMOUNTS)[number] | 'Retencion'): bigint {
  if (row.Status === 'Anulada') return 0n;
  return numberToCents(row[of] ?? 0) - numberToCents(row.Sustituido?.[of] ?? 0);
}

/** `123450n` → `1234,50`: a number that a spreadsheet can add up. */
export function amount(cents: bigint): string {
  return withComma(decimalToText(cents, 2, 2));
}
