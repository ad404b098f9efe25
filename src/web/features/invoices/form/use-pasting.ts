import { useCallback } from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import { writtenLines } from './lines.ts';
import {
  FIGURES,
  type Figure,
  isFigure,
  pastedLines,
  pastedNumbers,
  TIDY,
} from './pasted-lines.ts';
import { undoToast } from './undo-toast.tsx';
import type { LineContextInput, WantedFocus } from './use-line-context.ts';

/** The most that an invoice may have (`src/contract/invoices.ts`). */
const MAX_LINES = 1000;

interface PastingInput extends Pick<LineContextInput, 'live' | 'dispatch'> {
  readonly products: readonly Producto[];
  readonly wantedFocus: WantedFocus;
}

/**
 * What is pasted in a field of a line: numbers fill in fields, from that one on to the right and down, and rows of a
 * spreadsheet become lines.
 *
 * @returns a function that answers false for ordinary text, which is left to the field
 */
export function usePasting({ live, dispatch, products, wantedFocus }: PastingInput) {
  return useCallback(
    (id: string, field: string | undefined, text: string): boolean => {
      const numbers = pastedNumbers(text);
      if (numbers && isFigure(field)) {
        fillIn({ live, dispatch }, id, field, numbers);
        return true;
      }
      const pasted = pastedLines(text, products);
      if (!pasted) return false;
      const { nextLine } = live.state;
      const room = MAX_LINES - writtenLines(live.lines).length;
      const taken = pasted.slice(0, Math.max(room, 0));
      wantedFocus.current = `l${nextLine + taken.length - 1}.description`;
      dispatch({ kind: 'lines-paste', id, pasted: taken });
      undoToast(pastedMessage(taken.length, pasted.length), () => {
        taken.forEach((_, index) => {
          dispatch({ kind: 'line-remove', id: `l${nextLine + index}` });
        });
      });
      return true;
    },
    [live, dispatch, products, wantedFocus],
  );
}

function fillIn(
  { live, dispatch }: Pick<LineContextInput, 'live' | 'dispatch'>,
  id: string,
  field: Figure,
  rows: readonly (readonly string[])[],
): void {
  const fields = FIGURES.slice(FIGURES.indexOf(field));
  const from = live.lines.findIndex((line) => line.id === id);
  rows.forEach((cells, index) => {
    const line = live.lines[from + index];
    const changes = cells.flatMap((cell, at) => {
      const name = fields[at];
      return name && cell !== '' ? [[name, TIDY[name](cell)]] : [];
    });
    if (line) dispatch({ kind: 'line', id: line.id, change: Object.fromEntries(changes) });
  });
}

function pastedMessage(taken: number, found: number): string {
  if (taken < found) return `Se han pegado ${taken} de ${found} líneas: una factura no admite más.`;
  return taken === 1 ? 'Línea pegada.' : `${taken} líneas pegadas.`;
}
