import { signOf } from '../../../../domain/invoice.ts';
import { parseDecimal, textToCents } from '../../../../domain/money.ts';
import type { PagadoAntes } from '../../../../domain/paid-before.ts';
import { type ComputedLine, computeTotals, type InvoiceTotals } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { draftItems } from './draft-payload.ts';
import type { DraftState } from './draft-state.ts';
import { writtenLines } from './lines.ts';

export interface DraftTotals extends InvoiceTotals {
  /** The amounts of each written line, by the key of its row. */
  readonly byLine: ReadonlyMap<string, ComputedLine>;
  /** For an F3: what was paid with the simplified invoices that it replaces. Only the server knows it. */
  readonly pagado?: PagadoAntes | null;
}

/** What is still to be paid. */
export function owedCents({ payableCents, pagado }: DraftTotals): bigint {
  return payableCents - textToCents(pagado?.importe ?? '0.00');
}

/**
 * The amounts of what is being typed, computed by the same function as when registering. An abono por diferencias comes
 * out negative, as it will be registered.
 */
export function draftTotals(state: DraftState, groups: readonly VatGroup[]): DraftTotals {
  const totals = computeTotals({
    items: draftItems(state),
    groups,
    typeClient: state.typeClient,
    claveRegimen: state.claveRegimen,
    sign: signOf(state),
    ivaIncluido: state.ivaIncluido,
    retencionBps: parseDecimal(state.retencionIRPF, 2) ?? 0n,
    suplidosCents: parseDecimal(state.suplidos || '0', 2) ?? 0n,
  });
  const keys = writtenLines(state.lines).map((line) => line.id);
  const byLine = new Map(totals.lines.map((line, index) => [keys[index] ?? '', line]));
  return { ...totals, byLine };
}
