import { addDays } from './dates.ts';
import { fold } from './fold.ts';
import { normaliseNif } from './nif.ts';

/**
 * Sort key of an invoice number, for byte order: digits compare as numbers, so `B-9` sorts before `B-10` and
 * `99999/26` before `100000/26`.
 */
export function docKey(docNo: string): string {
  return fold(docNo).replace(/\d{1,18}/g, (digits) => digits.padStart(18, '0'));
}

/** Sort key of a name, for byte order, following Spanish: without accents or case, ñ after n. */
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

/** The days of a range whose written form contains the searched text: «04/0» is the 4th of nine months. */
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

/** The text that searches of the lists look in: number, date in both formats, NIF, name and amounts. */
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

/** The text to look for: amounts may be typed with thousands separators, a decimal point or «€». */
export function searchNeedle(typed: string): string {
  const text = fold(typed.trim().replace(/\s+/g, ' '));
  const amount = text.replace(/ ?€$/, '').replace('−', '-');
  if (/^-?\d{1,3}(\.\d{3})+(,\d*)?$/.test(amount)) return amount.replaceAll('.', '');
  if (/^-?\d+\.\d{1,2}$/.test(amount)) return amount.replace('.', ',');
  if (/^-?\d+(,\d*)?$/.test(amount)) return amount;
  return text;
}

/** A tax number as it is stored: letters, and at least seven digits. */
const STORED_ID = /^(?=.*[a-z])(?=(?:.*\d){7})[a-z\d]{8,15}$/;

/**
 * The text to look for when the typed one is nowhere, but is a tax number with dots, hyphens or blanks:
 * «12.345.678-Z», «ES B-12345674». Only then, because a number of an invoice may look like one: «A-2026/0001».
 */
export function searchedId(typed: string): string | null {
  const id = normaliseNif(typed).toLowerCase();
  return STORED_ID.test(id) && id !== searchNeedle(typed) ? id : null;
}
