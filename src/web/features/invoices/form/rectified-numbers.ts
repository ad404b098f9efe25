import { fechaReferida } from '../../../../domain/invoice.ts';
import type { DraftState } from './draft-state.ts';

/** Like `numbersNamed`, with an empty one after a comma at the end, for the next number to be typed. */
export function numbersTyped(text: string): string[] {
  return text.split(',').map((number) => number.trim());
}

type Named = Pick<DraftState, 'invoiceToRectify' | 'invoiceToRectifyDate'>;

/** The dates of the named invoices, with one of them changed. */
export function datesWith(
  { invoiceToRectify, invoiceToRectifyDate }: Named,
  index: number,
  day: string,
): string {
  return numbersTyped(invoiceToRectify)
    .map((_, i) => (i === index ? day : fechaReferida(invoiceToRectifyDate, i)))
    .join(',');
}

/** Their dates once the text is another: each number keeps its date when another is inserted before it or removed. */
export function datesAfter(
  { invoiceToRectify, invoiceToRectifyDate }: Named,
  text: string,
): string {
  const old = numbersTyped(invoiceToRectify);
  const now = numbersTyped(text);
  if (old.length === now.length) return invoiceToRectifyDate;
  return now
    .map((number) => {
      const place = old.indexOf(number);
      return place === -1 ? '' : fechaReferida(invoiceToRectifyDate, place);
    })
    .join(',');
}
