import { nombreImpuesto } from '../../../../domain/impuestos.ts';
import { decimalToEs, textToCents } from '../../../../domain/money.ts';
import type { PagadoAntes } from '../../../../domain/paid-before.ts';
import type { InvoiceTotals } from '../../../../domain/totals.ts';
import type { SumName } from '../upload/reading-fields.ts';

export interface Sum {
  readonly name: string;
  readonly cents: bigint;
  /** Which sum of an uploaded file this is, if any. */
  readonly read?: SumName;
}

/** The name of an invoice's tax, as called where it is charged; for an invoice without lines, the company's `own`. */
export function taxName({ desglose }: Pick<InvoiceTotals, 'desglose'>, own: string): string {
  return desglose[0] ? nombreImpuesto(desglose[0].Impuesto) : own;
}

/** The sums that make up the total: they add up to it. */
export function partsOfTotal(totals: InvoiceTotals, own: string): Sum[] {
  const { baseCents, vatCents, ivaDestino, fueraDeBaseCents, recargoCents } = totals;
  return [
    { name: 'Base imponible', cents: baseCents, read: 'baseImponible' },
    { name: taxName(totals, own), cents: vatCents, read: 'cuotaIVA' },
    ...ivaDestino.map(({ tipoBps, cuotaCents }) => ({
      name: `IVA de destino ${decimalToEs(tipoBps, 2)}\u00a0%`,
      cents: cuotaCents,
    })),
    ...unlessZero({ name: 'Coste, fuera de la base', cents: fueraDeBaseCents }),
    ...unlessZero({ name: 'Recargo de equivalencia', cents: recargoCents }),
  ];
}

/** The sums between the total and the amount to pay: with the total, they add up to it. */
export function partsOfPayable({
  retencionCents,
  suplidosCents,
  pagado,
}: InvoiceTotals & { readonly pagado?: PagadoAntes | null }): Sum[] {
  return [
    ...unlessZero({ name: 'Retención IRPF', cents: -retencionCents, read: 'retencion' }),
    ...unlessZero({ name: 'Suplidos', cents: suplidosCents }),
    ...unlessZero({ name: 'Ya pagado', cents: -textToCents(pagado?.importe ?? '0.00') }),
  ];
}

const unlessZero = (sum: Sum): Sum[] => (sum.cents === 0n ? [] : [sum]);
