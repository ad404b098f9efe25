import type { LibroExpedidasQuery } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type CobroRow,
  cobroRow,
  EXPEDIDAS,
  LIBRO_COLUMNS,
  type LibroRow,
  libroRows,
} from '../domain/libro-expedidas.ts';
import type { PlaceOfCobro } from '../store/cobros.ts';
import { type PageOfCobros, pageOfBook, pageOfCobros } from '../store/libro-expedidas.ts';
import { countSummed, type Span } from '../store/sums-by-rate.ts';
import { companyOf } from './company-of.ts';
import { daysOfList } from './invoice-ranges.ts';
import { type SheetRow, writeSheet } from './sheet-writer.ts';

/** Invoices read at a time: short enough for others not to notice. */
const PAGE = 200;

/** A sheet holds a million rows, of which an invoice takes one for each rate. */
const MOST = 200_000;

export interface LibroExpedidas {
  readonly fileName: string;
  /** How many invoices it contains. */
  readonly facturas: number;
  readonly xlsx: AsyncIterable<Buffer>;
}

/**
 * The book of invoices issued on some days, made while it is read. Invoices not registered yet, or annulled, are left
 * out. Behind them come the cobros of those days under criterio de caja, also of earlier invoices.
 *
 * @throws {DomainError} BAD_REQUEST when there are more than fit
 */
export async function exportLibro(
  deps: Deps,
  companyId: number,
  asked: LibroExpedidasQuery,
): Promise<LibroExpedidas> {
  const [{ nif }, days] = await Promise.all([
    companyOf(deps, companyId),
    daysOfList(deps, companyId, 'history', asked),
  ]);
  const span = { ...days, after: null };
  const facturas = await countSummed(deps.sql, companyId, span);
  if (facturas > MOST) {
    throw new DomainError(
      'BAD_REQUEST',
      'Son más de 200.000 facturas, las que caben en el libro. Elige menos días.',
    );
  }
  const rows = rowsOf(deps, companyId, span);
  return {
    fileName: `libro-expedidas-${nif}.xlsx`,
    facturas,
    xlsx: writeSheet({ name: EXPEDIDAS, columns: LIBRO_COLUMNS, rows }, deps.clock()),
  };
}

async function* rowsOf(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  days: Span,
): AsyncGenerator<readonly SheetRow[]> {
  let after = days.after;
  for (;;) {
    const { invoices, last } = await pageOfBook(sql, companyId, { ...days, after }, PAGE);
    yield invoices.flatMap(({ invoice, originals }) => libroRows(invoice, originals).map(cellsOf));
    if (last === null || invoices.length < PAGE) break;
    after = last;
  }
  for (let place: PlaceOfCobro | null = null; ; ) {
    const page: PageOfCobros = await pageOfCobros(sql, companyId, days, place, PAGE);
    yield page.cobros.map(({ invoice, cobro }) => cellsOf(cobroRow(invoice, cobro)));
    place = page.last;
    if (place === null) return;
  }
}

function cellsOf(row: LibroRow | CobroRow): SheetRow {
  const cells: Partial<Record<keyof LibroRow | keyof CobroRow, string | null>> = row;
  return LIBRO_COLUMNS.map(({ of }) => (of === undefined ? null : (cells[of] ?? null)));
}
