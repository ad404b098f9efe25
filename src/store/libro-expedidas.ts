import type { Booked, BookedCobro } from '../domain/libro-expedidas.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';
import type { PlaceOfCobro } from './cobros.ts';
import { issuedOf } from './invoices.ts';
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
 * Each document is taken apart once: with an `->` for each value it would be unpacked as often, in four times the time.
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
    select p.id::text as id, to_char(p.posting_date, 'YYYY-MM-DD') as day,
           to_jsonb(d) || jsonb_build_object('seq', r.seq::text, 'at', r.generated_at) as alta
      from page p
     cross join lateral (
           select g.seq, g.generated_at, g.issued from registros g
            where g.company_id = ${companyId} and g.invoice_id = p.id and g.issued is not null
              and g.seq + 0 <= p.seq
            order by g.seq + 0 desc limit 1) as r
     cross join lateral ${takenApart(tx)}
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

/** The same values of a document, `issued`, of those few that were replaced. */
const bookedOf = (tx: Tx): Statement => tx`
  'numSerie', issued -> 'numSerie', 'tipoFactura', issued -> 'tipoFactura',
  'fechaExpedicion', issued -> 'fechaExpedicion', 'fechaOperacion', issued -> 'fechaOperacion',
  'tipoRectificativa', issued -> 'tipoRectificativa', 'rectifies', issued -> 'rectifies',
  'sustituye', issued -> 'sustituye', 'desglose', issued -> 'desglose', 'total', issued -> 'total',
  'cliente', issued -> 'cliente'`;

/** A document, `r.issued`, as `d` with the values of {@link Booked}. */
const takenApart = (tx: Tx): Statement => tx`
  jsonb_to_record(r.issued) as d (
    "numSerie" text, "tipoFactura" text, "fechaExpedicion" text, "fechaOperacion" text,
    "tipoRectificativa" text, rectifies jsonb, sustituye jsonb, desglose jsonb, total text, cliente jsonb)`;

export interface PageOfCobros {
  readonly cobros: readonly { readonly invoice: Booked; readonly cobro: BookedCobro }[];
  /** The last cobro that was looked at; null when there are none. */
  readonly last: PlaceOfCobro | null;
}

/**
 * The next cobros of some days whose invoices, of whatever days, are under criterio de caja and not annulled. After the
 * tax fell due without a cobro, those that come later are not part of the book.
 *
 * @param limit how many are looked at, most of which may be of other invoices
 */
export async function pageOfCobros(
  tx: Tx,
  companyId: number,
  { since, until }: Pick<Span, 'since' | 'until'>,
  after: PlaceOfCobro | null,
  limit: number,
): Promise<PageOfCobros> {
  const rows = await tx<(BookedCobro & { id: string; invoice: Booked | null })[]>`
    with page as materialized (
      select id, invoice_id, fecha, importe, medio, identificacion from cobros
       where company_id = ${companyId}
         and fecha between ${since ?? '-infinity'}::date and ${until ?? 'infinity'}::date
         and (fecha, id) > (${after?.fecha ?? '-infinity'}::date, ${after?.id ?? NIL_UUID}::uuid)
       order by fecha, id limit ${limit}
    )
    select p.id, p.fecha, p.importe, p.medio, p.identificacion, o.invoice
      from page p
      left join lateral (
           select to_jsonb(d) as invoice
             from invoices i
            cross join lateral (${issuedOf(tx, companyId, tx`i`)}) as r
            cross join lateral ${takenApart(tx)}
            where i.company_id = ${companyId} and i.id = p.invoice_id and i.status <> 'Anulada'
              and d.desglose @> '[{"Impuesto": "01", "ClaveRegimen": "07"}]'
              and not exists (
                    select from cobros n
                     where n.company_id = ${companyId} and n.invoice_id = p.invoice_id
                       and n.medio = '03' and n.fecha < p.fecha)) as o on true
     order by p.fecha, p.id`;
  const last = rows.at(-1);
  return {
    cobros: rows.flatMap(({ id: _, invoice, ...cobro }) => (invoice ? { invoice, cobro } : [])),
    last: last ? { fecha: last.fecha, id: last.id } : null,
  };
}
