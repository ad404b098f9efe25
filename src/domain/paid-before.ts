import type { IssuedInvoice } from './invoice.ts';
import { type Original, totalOf } from './issue.ts';
import { centsToText, textToCents } from './money.ts';
import type { InvoiceTotals } from './totals.ts';

/** How an invoice of ours is paid, as far as it matters to the F3 that replaces it. */
export interface Cobro {
  /** What its customer pays, in decimal text. */
  readonly importe: string;
  /** Nothing of it is due after the day it was issued: the usual ticket. */
  readonly alContado: boolean;
  readonly formaPago: string;
}

/** What was paid when the simplified invoices that an F3 replaces were issued. */
export interface PagadoAntes {
  /** Decimal text, always positive. */
  readonly importe: string;
  /** The day of the last of those invoices, `YYYY-MM-DD`. */
  readonly fecha: string;
  /** How all of them were paid; empty if in several ways. */
  readonly formaPago: string;
}

export function cobroOf(
  issued: Pick<IssuedInvoice, 'payable' | 'vencimientos' | 'fechaExpedicion' | 'formaPago'>,
): Cobro {
  return {
    importe: issued.payable,
    alContado: issued.vencimientos.every(({ fecha }) => fecha <= issued.fechaExpedicion),
    formaPago: issued.formaPago,
  };
}

/**
 * What the client of an F3 has paid already, because the tickets that it replaces were due on the day they were issued.
 * An R5 counts with what it corrects: what it gave back is no longer paid. Tickets that give the client more time are
 * still owed, and nothing is known of those of another program.
 *
 * Each ticket was rounded on its own, so that the F3 may differ by a cent for each: then all of it is paid. With prices
 * that include tax they add up exactly.
 */
export function pagadoAntes(
  originals: readonly Original[],
  totals: Pick<InvoiceTotals, 'payableCents'>,
  { ivaIncluido }: { readonly ivaIncluido: boolean },
): PagadoAntes | null {
  const atOnce = paidAtOnce(originals);
  const paid = originals.filter(({ numSerie }) => atOnce.has(numSerie));
  const sum = paid.reduce((cents, original) => cents + paidFor(original), 0n);
  if (sum <= 0n) return null;
  const slack = ivaIncluido ? 0n : BigInt(paid.length);
  const difference = totals.payableCents - sum;
  const isRounding = difference <= slack && difference >= -slack;
  const ways = new Set(paid.map(({ cobro }) => cobro?.formaPago));
  const [way = ''] = ways;
  return {
    importe: centsToText(isRounding ? totals.payableCents : sum),
    fecha: paid.map(({ fecha }) => fecha).reduce((last, day) => (day > last ? day : last)),
    formaPago: ways.size === 1 ? way : '',
  };
}

/** The numbers of those among them that {@link pagadoAntes} counts. */
export function paidAtOnce(originals: readonly Ticket[]): Set<string> {
  const byNumber = new Map(originals.map((original) => [original.numSerie, original]));
  // Each is looked at once: one may have corrected all of those before it.
  const known = new Map<Ticket, boolean>();
  const isPaid = (original: Ticket): boolean => {
    const before = known.get(original);
    if (before !== undefined) return before;
    const { cobro, corrige = [] } = original;
    const is =
      cobro?.alContado === true &&
      corrige.every((number) => {
        const corrected = byNumber.get(number);
        return !corrected || isPaid(corrected);
      });
    known.set(original, is);
    return is;
  };
  return new Set(originals.filter(isPaid).map(({ numSerie }) => numSerie));
}

type Ticket = Pick<Original, 'numSerie' | 'cobro' | 'corrige'>;

/** Of an R5 por sustitución, only the difference: what it replaces counts on its own. */
function paidFor({ cobro, sustituido }: Original): bigint {
  return textToCents(cobro?.importe ?? '0.00') - (sustituido ? totalOf(sustituido) : 0n);
}
