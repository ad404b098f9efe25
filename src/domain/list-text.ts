import { addDays } from './dates.ts';
import { fold } from './fold.ts';

/**
 * A number of invoice as it is ordered, byte by byte: its digits as numbers, so that `B-9` goes before
 * `B-10` and `99999/26` before `100000/26`.
 */
export function docKey(docNo: string): string {
  return fold(docNo).replace(/\d{1,18}/g, (digits) => digits.padStart(18, '0'));
}

/** A name as Spanish orders it, byte by byte: without accents or case, ñ after every n. */
export function nameKey(name: string): string {
  return fold(name).replaceAll('ñ', 'n~');
}

export interface Searchable {
  readonly docNo: string;
  /** `2026-11-20` */
  readonly postingDate: string;
  readonly customerNif: string;
  readonly customerName: string;
  /** Decimal text of euros: `'121.00'`. */
  readonly base: string;
  readonly vat: string;
  readonly total: string;
}

/** The days, from one to another, whose own writing has what is looked for: «04/0», the 4th of nine months. */
export function daysThatRead(needle: string, first: string, last: string): string[] {
  const days: string[] = [];
  for (let day = first; day <= last; day = addDays(day, 1)) {
    if (writtenDay(day).includes(needle)) days.push(day);
  }
  return days;
}

/** `2026-11-20 20/11/2026` */
function writtenDay(day: string): string {
  const [year, month, date] = day.split('-');
  return `${day} ${date}/${month}/${year}`;
}

/** What the search of the lists looks through: number, date in both writings, NIF, name and amounts. */
export function searchText(invoice: Searchable): string {
  return fold(
    [
      invoice.docNo,
      writtenDay(invoice.postingDate),
      invoice.customerNif,
      invoice.customerName,
      ...[invoice.base, invoice.vat, invoice.total].map((amount) => amount.replace('.', ',')),
    ].join(' '),
  );
}

/** What was typed as it is looked for: amounts may carry points of thousands, a decimal point or «€». */
export function searchNeedle(typed: string): string {
  const text = fold(typed.trim().replace(/\s+/g, ' '));
  const amount = text.replace(/ ?€$/, '').replace('−', '-');
  if (/^-?\d{1,3}(\.\d{3})+(,\d*)?$/.test(amount)) return amount.replaceAll('.', '');
  if (/^-?\d+\.\d{1,2}$/.test(amount)) return amount.replace('.', ',');
  if (/^-?\d+(,\d*)?$/.test(amount)) return amount;
  return text;
}
