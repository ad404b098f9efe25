import type { IssuedInvoice } from './invoice.ts';
import { sumText, textToCents } from './money.ts';

/** What the client of an invoice withholds, as decimal text. */
export interface Retencion {
  readonly own: string;
  /** Of the invoices that it replaces, without what those had replaced themselves. */
  readonly replaced: string;
}

export type Withheld = Pick<IssuedInvoice, 'retencion' | 'tipoRectificativa' | 'rectifies'>;

/**
 * What is withheld on an invoice, and on those that it replaces.
 *
 * @param known by number, those among them that may have a retention
 * @returns null when there is no retention on either side
 */
export function retencionOf(
  invoice: Withheld,
  known: ReadonlyMap<string, Withheld>,
): Retencion | null {
  const numbers = new Set(replacedBy(invoice));
  const amongThem = (docNos: Iterable<string>) =>
    [...docNos].flatMap((docNo) => (numbers.has(docNo) ? (known.get(docNo) ?? []) : []));
  const replaced = sumText(
    amongThem(numbers).flatMap((one) => [
      one.retencion,
      // One that had itself replaced another of them counts by the difference.
      ...amongThem(replacedBy(one)).map(({ retencion }) => negated(retencion)),
    ]),
  );
  const isNothing = textToCents(invoice.retencion) === 0n && textToCents(replaced) === 0n;
  return isNothing ? null : { own: invoice.retencion, replaced };
}

/** The company's own invoices that it replaces. */
export function replacedBy({ tipoRectificativa, rectifies }: Withheld): string[] {
  if (tipoRectificativa !== 'S') return [];
  return rectifies.filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
}

const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
