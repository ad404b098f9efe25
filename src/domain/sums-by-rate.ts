/**
 * The sums of invoices by tax and rate: what the declaration of the tax requires about sales (modelo 303 for IVA;
 * modelo 420 for IGIC).
 *
 * It counts the same as the figures of Inicio (figures.ts): an invoice that replaces others counts, rate by rate, with
 * its own amounts less theirs.
 */

import { type Naming, takenBy } from './figures.ts';
import type { IssuedDesglose, IssuedInvoice } from './invoice.ts';
import { centsToText, sumText, textToCents } from './money.ts';
import { isOss } from './situaciones.ts';

/** What is summed together. Rates are percentages as decimal text; null where there is none. */
interface RateKey {
  /** `2026-4T`, by the day of issue. */
  readonly quarter: string;
  /** List L1: `01` IVA, `02` IPSI, `03` IGIC. */
  readonly Impuesto: string;
  /** Why no tax is charged: `E1` to `E8`, `N1`, `N2`, `S2` or {@link OSS}. Null where there is a rate. */
  readonly cause: string | null;
  readonly vatRate: string | null;
  readonly recargoRate: string | null;
}

/** Euros as decimal text. */
export interface RateSums extends RateKey {
  readonly base: string;
  readonly quota: string;
  readonly recargo: string;
  /** How many invoices contribute to it, or subtract from it. */
  readonly invoices: number;
}

/** Sales through the one-stop shop: another State's tax, declared separately (modelo 369). */
export const OSS = 'OSS';

/** The part of an invoice that is summed by rates. */
export type Desglosada = Naming & Pick<IssuedInvoice, 'desglose' | 'ivaDestino'>;

/** The amounts of an invoice, less those of the invoices that it replaces. */
export function changeByRate(
  invoice: Desglosada,
  originals: readonly Desglosada[],
  quarter: string,
): RateSums[] {
  const taken = takenBy(invoice, originals).flatMap(({ original, isPutBack }) => {
    const says = saysByRate(original, quarter);
    return isPutBack ? says : says.map(negated);
  });
  // It counts as one invoice, whatever it replaces.
  return addedUp([...saysByRate(invoice, quarter), ...taken]).map((sums) => ({
    ...sums,
    invoices: 1,
  }));
}

/** The sums, rate by rate: by quarter and, within each, the highest rate first; then what has no rate. */
export function addedUp(all: readonly RateSums[]): RateSums[] {
  const byKey = new Map<string, RateSums>();
  for (const one of all) {
    const key = keyOf(one);
    const sum = byKey.get(key);
    byKey.set(key, sum ? plus(sum, one) : one);
  }
  return [...byKey.values()].sort(inOrder);
}

function saysByRate({ desglose, ivaDestino = [] }: Desglosada, quarter: string): RateSums[] {
  return desglose.map((detalle) => {
    const { Impuesto, vatRate, recargoRate, base, quota, recargo } = detalle;
    const cause = causeOf(detalle);
    return {
      quarter,
      Impuesto,
      cause,
      vatRate: cause === null ? vatRate : null,
      recargoRate,
      // Its registro includes the other State's tax in the amount not subject (computeTotals); its base does not.
      base:
        cause === OSS
          ? centsToText(textToCents(base) - textToCents(sumText(ivaDestino.map((d) => d.cuota))))
          : base,
      quota,
      recargo,
      invoices: 1,
    };
  });
}

function causeOf(detalle: IssuedDesglose): string | null {
  const { CalificacionOperacion, OperacionExenta } = detalle;
  if (isOss(detalle)) return OSS;
  return OperacionExenta ?? (CalificacionOperacion === 'S1' ? null : CalificacionOperacion);
}

function keyOf({ quarter, Impuesto, cause, vatRate, recargoRate }: RateKey): string {
  return [quarter, Impuesto, cause, vatRate, recargoRate].join('|');
}

function plus(a: RateSums, b: RateSums): RateSums {
  return {
    ...a,
    base: sumText([a.base, b.base]),
    quota: sumText([a.quota, b.quota]),
    recargo: sumText([a.recargo, b.recargo]),
    invoices: a.invoices + b.invoices,
  };
}

function negated(sums: RateSums): RateSums {
  const minus = (euros: string) => centsToText(-textToCents(euros));
  const { base, quota, recargo } = sums;
  return { ...sums, base: minus(base), quota: minus(quota), recargo: minus(recargo) };
}

function inOrder(a: RateSums, b: RateSums): number {
  if (a.quarter !== b.quarter) return a.quarter < b.quarter ? -1 : 1;
  if (a.Impuesto !== b.Impuesto) return a.Impuesto < b.Impuesto ? -1 : 1;
  const rates = Number(b.vatRate ?? -1) - Number(a.vatRate ?? -1);
  if (rates !== 0) return rates;
  const recargos = Number(a.recargoRate ?? -1) - Number(b.recargoRate ?? -1);
  return recargos || ((a.cause ?? '') < (b.cause ?? '') ? -1 : 1);
}
