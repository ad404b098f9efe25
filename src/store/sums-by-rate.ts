import type { Naming } from '../domain/figures.ts';
import {
  addedUp,
  changeByRate,
  type Desglosada,
  OSS,
  type RateSums,
} from '../domain/sums-by-rate.ts';
import type { Statement, Tx } from './sql.ts';

/** The place of an invoice in the order of summing: by its day, then by its id. */
export interface Place {
  readonly day: string;
  readonly id: bigint;
}

export interface Span {
  /** The first and the last posting date, or null where there is no bound. */
  readonly since: string | null;
  readonly until: string | null;
  /** The last invoice that has been summed already. */
  readonly after: Place | null;
}

export interface SumsOfPage {
  readonly rows: readonly RateSums[];
  readonly invoices: number;
  /** The last of these invoices; null when there are none. */
  readonly last: Place | null;
}

interface Summed {
  readonly plain: readonly RateSums[];
  readonly replacing: readonly ReplacingInvoice[];
  readonly invoices: number;
  readonly last: { readonly day: string; readonly id: string } | null;
}

/** An alta that replaces others. */
export interface ReplacingAlta {
  readonly seq: string;
  /** When its registro was generated. */
  readonly at: string;
}

interface ReplacingInvoice extends Desglosada, ReplacingAlta {
  readonly quarter: string;
}

/**
 * The sums of the invoices of some days by tax and rate, from the desglose of their registros. They are the invoices
 * that `invoice_months` counts: registered and not annulled. Nothing is stored: they are computed on request.
 *
 * One statement adds up the invoices that count in full, and returns those that replace others as they were issued. The
 * latter are few, and what they replaced is read separately.
 *
 * @param limit how many are read at most, by day and id
 */
export async function sumsByRate(
  tx: Tx,
  companyId: number,
  span: Span,
  limit: number,
): Promise<SumsOfPage> {
  const [row] = await tx<Summed[]>`
    with page as materialized (
      ${summedPage(tx, companyId, span, limit)}
    ), issued as materialized (
      select p.id, to_char(p.posting_date, 'YYYY-Q"T"') as quarter, r.*,
             p.tipo_factura in ('F3', 'R1', 'R2', 'R3', 'R4', 'R5') and exists (
               select from invoice_documents d
                where d.company_id = ${companyId} and d.invoice_id = p.id
                  and d.replaced_total is not null) as replaces
        from page p
       cross join lateral (
             select g.seq, g.generated_at, g.issued from registros g
              where g.company_id = ${companyId} and g.invoice_id = p.id and g.issued is not null
                and g.seq + 0 <= p.seq
              order by g.seq + 0 desc limit 1) as r
    ), desgloses as (
      select i.id, i.quarter, e."Impuesto", e."vatRate", e."recargoRate", e.quota, e.recargo,
             case when e."Impuesto" = '01' and e."ClaveRegimen" = '17' and e."CalificacionOperacion" = 'N2'
                  then ${OSS} else coalesce(e."OperacionExenta", nullif(e."CalificacionOperacion", 'S1')) end as cause,
             e.base, i.issued -> 'ivaDestino' as destino
        from issued i
       cross join lateral jsonb_to_recordset(i.issued -> 'desglose') as e (
             "Impuesto" text, "ClaveRegimen" text, "CalificacionOperacion" text, "OperacionExenta" text,
             "vatRate" text, "recargoRate" text, base numeric, quota numeric, recargo numeric)
       where not i.replaces
    ), plain as (
      select quarter, "Impuesto", cause, case when cause is null then "vatRate" end as "vatRate", "recargoRate",
             sum(base - case when cause = ${OSS} then coalesce((
                   select sum((o ->> 'cuota')::numeric) from jsonb_array_elements(destino) o), 0)
                 else 0 end)::text as base,
             sum(quota)::text as quota, sum(recargo)::text as recargo, count(distinct id)::int as invoices
        from desgloses
       group by 1, 2, 3, 4, 5
    )
    select (select coalesce(json_agg(plain), '[]') from plain) as plain,
           (select coalesce(json_agg(json_build_object(
                     'quarter', quarter, 'seq', seq::text, 'at', generated_at, ${saidOf(tx)})), '[]')
              from issued where replaces) as replacing,
           (select count(*)::int from page) as invoices,
           (select json_build_object('day', posting_date, 'id', id::text)
              from page order by posting_date desc, id desc limit 1) as last`;
  if (!row) throw new Error('A sum without its row.');
  const { plain, replacing, invoices, last } = row;
  const originals = await originalsOf<Desglosada>(tx, companyId, replacing, saidOf(tx));
  const changes = replacing.flatMap((one) => changeByRate(one, originals(one), one.quarter));
  return {
    rows: addedUp([...plain, ...changes]),
    invoices,
    last: last && { day: last.day, id: BigInt(last.id) },
  };
}

/** The next invoices that are summed, by day and id: `id`, `posting_date`, `seq` and `tipo_factura`. */
export function summedPage(tx: Tx, companyId: number, span: Span, limit: number): Statement {
  return tx`
      select id, posting_date, seq, tipo_factura from (
        (select i.id, i.posting_date, i.seq, i.tipo_factura from invoices i
          where i.company_id = ${companyId} and ${inHistory(tx)} and ${within(tx, span)}
          order by i.posting_date, i.id limit ${limit})
        union all
        (select i.id, i.posting_date, i.seq, i.tipo_factura from invoices i
          where i.company_id = ${companyId} and ${beingSent(tx)} and ${within(tx, span)}
          order by i.posting_date, i.id limit ${limit})) as both_lists
       order by posting_date, id limit ${limit}`;
}

/** How many invoices of some days are summed, including those summed already. */
export async function countSummed(tx: Tx, companyId: number, span: Span): Promise<number> {
  const all = { ...span, after: null };
  const [row] = await tx<{ count: number }[]>`
    select ((select count(*) from invoices i
              where i.company_id = ${companyId} and ${inHistory(tx)} and ${within(tx, all)})
          + (select count(*) from invoices i
              where i.company_id = ${companyId} and ${beingSent(tx)} and ${within(tx, all)}))::int as count`;
  return row?.count ?? 0;
}

/** What counts in each list, written so that the index on its days is used. */
const inHistory = (tx: Tx): Statement => tx`i.status = 'Registrada'`;
const beingSent = (tx: Tx): Statement =>
  tx`i.status in ('En espera', 'Rechazado', 'Aceptado con errores') and i.registered_at is not null`;

function within(tx: Tx, { since, until, after }: Span): Statement {
  return tx`
    i.posting_date between ${since ?? '-infinity'}::date and ${until ?? 'infinity'}::date
      and (i.posting_date, i.id) > (${after?.day ?? '-infinity'}::date, ${String(after?.id ?? 0)}::bigint)`;
}

/** The values needed from a document, `issued`, to sum it. */
const saidOf = (tx: Tx): Statement => tx`
  'numSerie', issued -> 'numSerie', 'tipoRectificativa', issued -> 'tipoRectificativa',
  'rectifies', issued -> 'rectifies', 'sustituye', issued -> 'sustituye', 'desglose', issued -> 'desglose',
  'ivaDestino', coalesce(issued -> 'ivaDestino', '[]')`;

interface Alta {
  readonly seq: string;
  /** When the AEAT refused it; null if it did not. */
  readonly refusedAt: string | null;
}

/**
 * The invoices that others replaced, each as it was when that happened (`heldIssued`): according to its last earlier
 * alta that had not been refused, or to its last alta of all.
 *
 * @param said the values needed from each document, `issued`
 */
export async function originalsOf<Document extends Naming>(
  tx: Tx,
  companyId: number,
  replacing: readonly (Naming & ReplacingAlta)[],
  said: Statement,
): Promise<(invoice: Naming & ReplacingAlta) => Document[]> {
  const numbersOf = ({ rectifies, sustituye }: Naming) =>
    [...rectifies, ...sustituye].filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
  if (replacing.length === 0) return () => [];
  const rows = await tx<{ alta: Document & Alta }[]>`
    select json_build_object(
             'seq', g.seq::text,
             'refusedAt', case when a.estado_registro = 'Incorrecto' then a.answered_at end,
             ${said}) as alta
      from invoices i
      join registros g on g.company_id = ${companyId} and g.invoice_id = i.id and g.issued is not null
      left join respuestas a on a.company_id = ${companyId} and a.seq = g.seq
     where i.company_id = ${companyId} and i.registered_at is not null
       and i.doc_no = any(${[...new Set(replacing.flatMap(numbersOf))]}::text[])
     order by g.seq`;
  const altasOf = new Map<string, (Document & Alta)[]>();
  for (const { alta } of rows) {
    const altas = altasOf.get(alta.numSerie);
    if (altas) altas.push(alta);
    else altasOf.set(alta.numSerie, [alta]);
  }
  return (invoice) =>
    numbersOf(invoice).flatMap((number) => {
      const before = (altasOf.get(number) ?? []).filter(
        ({ seq }) => BigInt(seq) < BigInt(invoice.seq),
      );
      const stood = before.filter(
        ({ refusedAt }) => refusedAt === null || Date.parse(refusedAt) > Date.parse(invoice.at),
      );
      return stood.at(-1) ?? before.at(-1) ?? [];
    });
}
