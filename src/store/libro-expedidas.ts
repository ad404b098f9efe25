import type { Booked } from '../domain/libro-expedidas.ts';
import type { Statement, Tx } from './sql.ts';
import {
  originalsOf,
  type Place,
  type ReplacingAlta,
  type Span,
  summedPage,
} from './sums-by-rate.ts';

/** An invoice of the book, with the invoices that it names if it takes their place por sustitución. */
export interface BookedInvoice {
  readonly invoice: Booked;
  readonly originals: readonly Booked[];
}

export interface PageOfBook {
  readonly invoices: readonly BookedInvoice[];
  /** The last of these invoices; null when there are none. */
  readonly last: Place | null;
}

type BookedAlta = Booked & ReplacingAlta;

interface Row {
  readonly id: string;
  readonly day: string;
  readonly alta: BookedAlta;
}

/**
 * The next invoices of the book of some days, by day and id, as their last alta says: those that `sumsByRate` adds up.
 *
 * @param limit how many are read at most
 */
export async function pageOfBook(
  tx: Tx,
  companyId: number,
  span: Span,
  limit: number,
): Promise<PageOfBook> {
  const rows = await tx<Row[]>`
    with page as materialized (
      ${summedPage(tx, companyId, span, limit)}
    )
    select p.id::text as id, to_char(p.posting_date, 'YYYY-MM-DD') as day, r.alta
      from page p
     cross join lateral (
           select json_build_object('seq', g.seq::text, 'at', g.generated_at, ${bookedOf(tx)}) as alta
             from registros g
            where g.company_id = ${companyId} and g.invoice_id = p.id and g.issued is not null
              and g.seq + 0 <= p.seq
            order by g.seq + 0 desc limit 1) as r
     order by p.posting_date, p.id`;
  const altas = rows.map(({ alta }) => alta);
  const replacing = altas.filter(({ tipoRectificativa }) => tipoRectificativa === 'S');
  const originals = await originalsOf<Booked>(tx, companyId, replacing, bookedOf(tx));
  const last = rows.at(-1);
  return {
    invoices: altas.map((invoice) => ({ invoice, originals: originals(invoice) })),
    last: last ? { day: last.day, id: BigInt(last.id) } : null,
  };
}

/** The values needed from a document, `issued`. */
const bookedOf = (tx: Tx): Statement => tx`
  'numSerie', issued -> 'numSerie', 'tipoFactura', issued -> 'tipoFactura',
  'fechaExpedicion', issued -> 'fechaExpedicion', 'fechaOperacion', issued -> 'fechaOperacion',
  'tipoRectificativa', issued -> 'tipoRectificativa', 'rectifies', issued -> 'rectifies',
  'sustituye', issued -> 'sustituye', 'desglose', issued -> 'desglose', 'total', issued -> 'total',
  'cliente', case when issued -> 'cliente' <> 'null'
                  then json_build_object('nombre', issued -> 'cliente' -> 'nombre',
                                         'nif', issued -> 'cliente' -> 'nif',
                                         'idOtro', issued -> 'cliente' -> 'idOtro') end`;
