import { decimalToEs, divRound } from '../../../../domain/money.ts';
import { priceWithoutTax } from '../../../../domain/price-with-tax.ts';
import { isEmptyLine, taxBpsOf } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import type { DraftState } from './draft-state.ts';
import { draftTotals } from './draft-totals.ts';
import { type DraftLine, writtenLines } from './lines.ts';

/** Millionths of a euro in a cent. */
const CENT_E6 = 10_000n;

/**
 * The lines of an abono por diferencias with the amount to credit, taxes included, where they can be determined: when
 * all of them have the same tax. They stay as they are when they have that amount already, when they have several
 * taxes, or when the tax is on the margin: only their author knows which of them was too much.
 *
 * Not every total can be reached from a base: it may be missed by a cent (decision 0261).
 *
 * @param creditCents the amount to credit, without its sign
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
