import { takenBy } from './figures.ts';
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
 * What is withheld on an invoice, and on those that it replaces: the same ones that its amounts replace (figures.ts).
 *
 * @param known by number, those among them that may have a retention
 * @returns null when there is no retention on either side
 */
export function retencionOf(
  invoice: Withheld,
  known: ReadonlyMap<string, Withheld>,
): Retencion | null {
  const originals = [...new Set(replacedBy(invoice))].flatMap((numSerie) => {
    const original = known.get(numSerie);
    return original ? [naming(original, numSerie)] : [];
  });
  const replaced = sumText(
    takenBy(naming(invoice, ''), originals).map(({ original: { retencion }, isPutBack }) =>
      isPutBack ? negated(retencion) : retencion,
    ),
  );
  const isNothing = textToCents(invoice.retencion) === 0n && textToCents(replaced) === 0n;
  return isNothing ? null : { own: invoice.retencion, replaced };
}

/** The tickets that an F3 replaces have no retention. */
function naming(invoice: Withheld, numSerie: string) {
  return { ...invoice, numSerie, sustituye: [] };
}

/** The company's own invoices that it replaces. */
export function replacedBy({ tipoRectificativa, rectifies }: Withheld): string[] {
  if (tipoRectificativa !== 'S') return [];
  return rectifies.filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
}

const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);
