/**
 * What an invoice adds to the sums of Inicio and its chart.
 *
 * A rectificativa por sustitución contains the whole corrected invoice, and an F3 everything that the simplified ones
 * contained (RD 1619/2012 arts. 15.4 and 15.6; ImporteRectificacion, FacturasSustituidas). Each adds only the change:
 * its own amounts minus those of the invoices that it replaces. An invoice por diferencias contains the change
 * itself.
 */

import type { IssuedInvoice } from './invoice.ts';
import { centsToText, textToCents } from './money.ts';
import { timesTogether } from './replaced-together.ts';

/** Signed decimal text of euros. `vat` is the CuotaTotal, which includes the recargo. */
export interface Figures {
  readonly base: string;
  readonly vat: string;
  readonly total: string;
}

/** An invoice, as far as it names others. */
export type Naming = Pick<
  IssuedInvoice,
  'numSerie' | 'tipoRectificativa' | 'rectifies' | 'sustituye'
>;

/** An invoice, as far as it replaces others or is replaced. */
export type Replacing = Naming & Pick<IssuedInvoice, 'base' | 'cuotaTotal' | 'total'>;

/** A replaced invoice, to be subtracted; or one that a replaced one had replaced itself, to be added back. */
export interface Taken<Original> {
  readonly original: Original;
  readonly isPutBack: boolean;
}

/**
 * The invoices counted here that an invoice replaces, one by one.
 *
 * Those of other programs were never counted here. When several are replaced together, one of them may already have
 * replaced another: each counts with what it added to the others, and is taken and put back until it does. Those that
 * are too tangled for that are just taken; new ones are not registered (rule `sustituidas-enredadas`).
 *
 * @param originals the invoices of ours that it names, as they were issued
 */
export function takenBy<Original extends Naming>(
  invoice: Naming,
  originals: readonly Original[],
): Taken<Original>[] {
  const numbers = new Set(numbersTaken(invoice));
  if (numbers.size === 0) return [];
  const replaced = originals.filter(({ numSerie }) => numbers.has(numSerie));
  const times = timesTogether(replaced, numbersTaken);
  return replaced.flatMap((original, index) => {
    const more = (times?.[index] ?? 1) - 1;
    const again = { original, isPutBack: more < 0 };
    return [{ original, isPutBack: false }, ...Array.from({ length: Math.abs(more) }, () => again)];
  });
}

function numbersTaken({ tipoRectificativa, rectifies, sustituye }: Naming): string[] {
  const named = tipoRectificativa === 'S' ? rectifies : sustituye;
  return named.filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
}

/** Amounts of the invoices counted here that an invoice replaces; null for nothing. */
export function replacedBy(invoice: Replacing, originals: readonly Replacing[]): Figures | null {
  const taken = takenBy(invoice, originals);
  if (taken.length === 0) return null;
  return taken
    .map(({ original, isPutBack }) => {
      const says = figuresOf(original);
      return isPutBack ? negated(says) : says;
    })
    .reduce(plus);
}

/** What an invoice adds to the sums. */
export function addedBy({
  base,
  vat,
  total,
  replaced,
}: Figures & { readonly replaced: Figures | null }): Figures {
  const says = { base, vat, total };
  return replaced ? plus(says, negated(replaced)) : says;
}

/** The same with the opposite sign. */
export function negated({ base, vat, total }: Figures): Figures {
  const minus = (euros: string) => centsToText(-textToCents(euros));
  return { base: minus(base), vat: minus(vat), total: minus(total) };
}

export function plus(a: Figures, b: Figures): Figures {
  const sum = (one: string, other: string) => centsToText(textToCents(one) + textToCents(other));
  return { base: sum(a.base, b.base), vat: sum(a.vat, b.vat), total: sum(a.total, b.total) };
}

function figuresOf({ base, cuotaTotal: vat, total }: Replacing): Figures {
  return { base, vat, total };
}
