import { addedBy, type Figures, negated, plus } from '../domain/figures.ts';
import type { Move } from './blocks.ts';
import type { Statement, Tx } from './sql.ts';

/** An amount of invoices that comes to its month, or leaves it when it is negative. */
export interface MonthDelta extends Figures {
  readonly companyId: number;
  /** Any day of the month: `2026-11-20`. */
  readonly day: string;
  readonly invoices: number;
}

/** An invoice with what it says, and what it takes the place of, which was counted before. */
interface Counted extends Figures {
  readonly companyId: number;
  readonly day: string;
  readonly replaced: Figures | null;
}

/** An invoice that comes to its month. */
export function enteringMonth(invoice: Counted): MonthDelta {
  const { companyId, day } = invoice;
  return { companyId, day, invoices: 1, ...addedBy(invoice) };
}

/** One that leaves it, with what it counted there. */
export function leavingMonth(invoice: Counted): MonthDelta {
  const { companyId, day } = invoice;
  return { companyId, day, invoices: -1, ...negated(addedBy(invoice)) };
}

/**
 * Adds to the figures of Inicio. One statement per batch, in the transaction that registers.
 *
 * Goes after whatever locks the company's row of `despachos`, as storing an answer does, so that the
 * two never wait for each other in a circle.
 */
export async function addToMonths(tx: Tx, deltas: readonly MonthDelta[]): Promise<void> {
  await addingToMonths(tx, deltas);
}

/** The statement of `addToMonths`. @param condition a `where` that makes it wait for another part of its statement */
export function addingToMonths(
  tx: Tx,
  deltas: readonly MonthDelta[],
  condition: Statement = tx``,
): Statement {
  const months = byMonth(deltas);
  return tx`
    insert into invoice_months as m (company_id, month, invoices, base, vat, total)
    select t.*
      from unnest(${months.map(({ companyId }) => companyId)}::int[],
                  ${months.map(({ day }) => day)}::date[],
                  ${months.map(({ invoices }) => invoices)}::int[],
                  ${months.map(({ base }) => base)}::numeric[],
                  ${months.map(({ vat }) => vat)}::numeric[],
                  ${months.map(({ total }) => total)}::numeric[]) as t
     ${condition}
        on conflict (company_id, month) do update
       set invoices = m.invoices + excluded.invoices, base = m.base + excluded.base,
           vat = m.vat + excluded.vat, total = m.total + excluded.total`;
}

function byMonth(deltas: readonly MonthDelta[]): MonthDelta[] {
  const months = new Map<string, MonthDelta>();
  for (const delta of deltas) {
    const day = `${delta.day.slice(0, 7)}-01`;
    const key = `${delta.companyId} ${day}`;
    const { companyId } = delta;
    const sum = months.get(key) ?? NOTHING;
    const invoices = delta.invoices + sum.invoices;
    months.set(key, { companyId, day, invoices, ...plus(delta, sum) });
  }
  return [...months.values()];
}

const NOTHING = { invoices: 0, base: '0.00', vat: '0.00', total: '0.00' };

/**
 * Takes from their months the invoices that are about to be annulled, with what they counted. Before their status
 * changes.
 */
export async function takeAnnulledFromMonths(
  tx: Tx,
  companyId: number,
  moves: readonly Move[],
): Promise<void> {
  await tx`
    update invoice_months m
       set invoices = m.invoices - gone.invoices, base = m.base - gone.base, vat = m.vat - gone.vat,
           total = m.total - gone.total
      from (select date_trunc('month', i.posting_date)::date as month, count(*)::int as invoices,
                   sum(i.base - coalesce(d.replaced_base, 0)) as base,
                   sum(i.vat - coalesce(d.replaced_vat, 0)) as vat,
                   sum(i.total - coalesce(d.replaced_total, 0)) as total
              from unnest(${moves.map(({ invoiceId }) => String(invoiceId))}::bigint[],
                          ${moves.map(({ seq }) => String(seq))}::bigint[],
                          ${moves.map(({ status }) => status)}::text[]) as t (id, seq, status)
              join invoices i on i.company_id = ${companyId} and i.id = t.id and i.seq = t.seq
              left join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = i.id
             where t.status = 'Anulada' and i.status <> 'Anulada'
             group by 1) as gone
     where m.company_id = ${companyId} and m.month = gone.month`;
}

/** What was invoiced by month (`2026-11`), from a day on: registered and not annulled. */
export async function monthsSince(
  tx: Tx,
  companyId: number,
  since: string,
): Promise<{ month: string; base: string; vat: string; total: string; count: number }[]> {
  return tx`
    select to_char(month, 'YYYY-MM') as month, base::text as base, vat::text as vat,
           total::text as total, invoices as count
      from invoice_months
     where company_id = ${companyId} and month >= ${since}
     order by month`;
}
