/**
 * The text of an invoice number, and the six series derived from one. RD 1619/2012 art. 6.1.a requires separate
 * series for rectificativas, for simplified invoices, and for sales under art. 84.Uno.2.º g) of Ley 37/1992; its D.A.
 * 4.ª, for what travel agencies invoice as intermediaries. They are formed by adding `S`, `R`, `RS`, `G` or `M` to
 * the company's text.
 */

import { serieAparteOf } from './situaciones.ts';
import { type InvoiceItemInput, isEmptyLine } from './totals.ts';

/**
 * `F` ordinary, `S` simplified, `R` rectificativa, `RS` rectificativa of a simplified one, `G` art. 84.Uno.2.º g),
 * `M` agencies as intermediaries.
 */
export type SeriesKind = 'F' | 'S' | 'R' | 'RS' | 'G' | 'M';

export const SERIES_KINDS: readonly SeriesKind[] = ['F', 'S', 'R', 'RS', 'G', 'M'];

export interface Series {
  readonly prefix: string;
  readonly suffix: string;
  /** Minimum digits of the counter; it grows past them: `99999/LO` → `100000/LO`. */
  readonly width: number;
  readonly nextNumber: bigint;
}

/** NumSerieFactura of the AEAT (TextoIDFactura): 1 to 60 characters. */
const MAX_LENGTH = 60;

/** The counter of a series is a bigint in Postgres; fifteen digits leave room to count. */
const MAX_WIDTH = 15;

/** ASCII 32–126 except the five that the AEAT refuses (codes 1130 and 1287). */
const ALLOWED = /^[ !#-&(-;?-~]*$/;

/**
 * Leading digits are the counter and the rest is the series (`00001/26`); otherwise the last run of digits is the
 * counter (`F26-00001`). Null without digits, or with more than fifteen.
 */
export function parseNoSerie(text: string): Series | null {
  const match = /^()(\d+)(.*)$/s.exec(text) ?? /^(.*?)(\d+)(\D*)$/s.exec(text);
  if (!match) return null;
  const [, prefix = '', digits = '', suffix = ''] = match;
  if (digits.length > MAX_WIDTH) return null;
  return { prefix, suffix, width: digits.length, nextNumber: BigInt(digits) };
}

/** The printed number: `{ '', '/LO', 5, 42n }` → `'00042/LO'`. */
export function formatNoSerie(series: Series): string {
  const digits = series.nextNumber.toString().padStart(series.width, '0');
  return `${series.prefix}${digits}${series.suffix}`;
}

/** The counter of a number, if it belongs to the series; otherwise null. */
export function counterIn({ prefix, suffix }: Series, number: string): bigint | null {
  if (!number.startsWith(prefix) || !number.endsWith(suffix)) return null;
  const digits = number.slice(prefix.length, number.length - suffix.length);
  return /^\d{1,18}$/.test(digits) ? BigInt(digits) : null;
}

/** The form of a draft's name before it takes a number; `checkNoSerie` prevents series of that form. */
export function isDraftName(docNo: string): boolean {
  return /^B-\d+$/.test(docNo);
}

/** «el borrador B-1», «la factura 00001/26»: what a number is the name of. */
export function calledInvoice(docNo: string): string {
  return `${isDraftName(docNo) ? 'el borrador' : 'la factura'} ${docNo}`;
}

/** The six series derived from one text, each with a counter of its own. */
export function siblingSeries(series: Series): Record<SeriesKind, Series> {
  const withSuffix = (letters: string): Series => ({ ...series, suffix: series.suffix + letters });
  return {
    F: series,
    S: withSuffix('S'),
    R: withSuffix('R'),
    RS: withSuffix('RS'),
    G: withSuffix('G'),
    M: withSuffix('M'),
  };
}

/**
 * @param lines of the invoice: if the law requires a separate series for one, an ordinary invoice goes there. An empty
 *   one, which is no part of the invoice, has a tax all the same
 * @param claveRegimen the one chosen for the whole invoice
 */
export function seriesKindOf(
  tipoFactura: string,
  lines: readonly Pick<InvoiceItemInput, 'description' | 'price' | 'tax'>[],
  claveRegimen: string,
): SeriesKind {
  if (tipoFactura === 'R5') return 'RS';
  if (tipoFactura === 'F2') return 'S';
  if (tipoFactura.startsWith('R')) return 'R';
  const kinds = lines
    .filter((line) => !isEmptyLine(line))
    .map(({ tax }) => serieAparteOf(tax, claveRegimen));
  return kinds.find((kind) => kind !== null) ?? 'F';
}

/** What is wrong with the text of a counter, as a sentence; null when nothing is. */
export function checkNoSerie(text: string): string | null {
  if (!ALLOWED.test(text)) {
    return 'El número de serie solo puede llevar letras sin tilde ni ñ, cifras y signos corrientes; la AEAT no admite " \' < > =.';
  }
  // Several rectified or replaced invoices are named in one field, separated by commas.
  if (text.includes(',')) {
    return 'El número de serie no puede llevar comas: separan las facturas que una rectificativa o un canje nombran.';
  }
  if (text.trim() !== text || text === '') {
    return 'El número de serie no puede estar vacío ni empezar o acabar con espacios.';
  }
  if (!/\d/.test(text)) {
    return 'El número de serie debe llevar cifras, que son el contador; por ejemplo, 00001/LO.';
  }
  const series = parseNoSerie(text);
  if (!series) return `El contador no puede pasar de ${MAX_WIDTH} cifras.`;
  if (formatNoSerie(siblingSeries(series).RS).length > MAX_LENGTH) {
    return `El número de serie es demasiado largo: con las letras de las rectificativas pasaría de los ${MAX_LENGTH} caracteres que admite la AEAT.`;
  }
  if (series.prefix === 'B-' && series.suffix === '') {
    return '«B-» y un número es el nombre de los borradores. Añade algo más, por ejemplo FB-00001.';
  }
  return null;
}
