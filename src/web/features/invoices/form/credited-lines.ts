import { decimalToEs, divRound } from '../../../../domain/money.ts';
import { priceWithoutTax } from '../../../../domain/price-with-tax.ts';
import { isEmptyLine, taxBpsOf } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import type { DraftState } from './draft-state.ts';
import { draftTotals } from './draft-totals.ts';
import { type DraftLine, writtenLines } from './lines.ts';

/** Cents to millionths of a euro. */
const CENT_E6 = 10_000n;

/**
 * The lines of an abono por diferencias that comes to what is to be credited, taxes included, where they can be
 * told: when all of them have one tax. They stay as they are when they come to that already, when they have several
 * taxes, or on the margin: which of them was too much, only who wrote them knows.
 *
 * Not every total can be reached from a base: it may be a cent away (decision 0261).
 *
 * @param creditCents what is to be credited, without its sign
 */
export function creditedLines(
  state: DraftState,
  groups: readonly VatGroup[],
  creditCents: bigint,
): readonly DraftLine[] {
  const written = writtenLines(state.lines);
  const [first] = written;
  if (!first || creditCents <= 0n || written.some((line) => !isTaxedAlike(line, first))) {
    return state.lines;
  }
  if (draftTotals(state, groups).totalCents === -creditCents) return state.lines;
  const { typeClient, claveRegimen, ivaIncluido } = state;
  const taxBps = ivaIncluido ? 0n : taxBpsOf(first, { groups, typeClient, claveRegimen });
  const priceCents = divRound(priceWithoutTax(creditCents * CENT_E6, taxBps), CENT_E6);
  const { discount: _, ...kept } = first;
  const line: DraftLine =
    written.length === 1
      ? kept
      : {
          id: first.id,
          description: `Diferencia en la factura ${state.invoiceToRectify}`,
          quantity: '1',
          price: '',
          tax: first.tax,
          linetype: 0,
          ...(first.tipoDestino && { tipoDestino: first.tipoDestino }),
        };
  return [
    { ...line, quantity: '1', price: decimalToEs(priceCents, 2, 2) },
    ...state.lines.filter(isEmptyLine),
  ];
}

function isTaxedAlike(line: DraftLine, first: DraftLine): boolean {
  return (
    line.tax === first.tax &&
    line.tipoDestino === first.tipoDestino &&
    (line.coste ?? '').trim() === ''
  );
}
