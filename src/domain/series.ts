/**
 * The text of an invoice number and the six series that come from one. RD 1619/2012 art. 6.1.a
 * wants series of their own for rectifying and for simplified invoices, and for what is sold under
 * art. 84.Uno.2.º g) of Ley 37/1992; its D.A. 4.ª, for what travel agencies invoice as go-betweens. `S`,
 * `R`, `RS`, `G` and `M` at the end of the company's text make them.
 */

import { serieAparteOf } from './situaciones.ts';

/**
 * `F` ordinary, `S` simplified, `R` rectifying, `RS` rectifying of simplified, `G` art. 84.Uno.2.º g),
 * `M` agencies that mediate.
 */
export type SeriesKind = 'F' | 'S' | 'R' | 'RS' | 'G' | 'M';

export const SERIES_KINDS: readonly SeriesKind[] = ['F', 'S', 'R', 'RS', 'G', 'M'];

export interface Series {
  readonly prefix: string;
  readonly suffix: string;
  /** Digits the counter keeps; it grows past them: `99999/LO` → `100000/LO`. */
  readonly width: number;
  readonly nextNumber: bigint;
}

/** NumSerieFactura of the AEAT (TextoIDFactura): 1 to 60 characters. */
const MAX_LENGTH = 60;

/** The counter of a series is a bigint in Postgres; fifteen digits leave room to count. */
const MAX_WIDTH = 15;

/** ASCII 32–126 but the five the AEAT refuses (codes 1130 and 1287). */
const ALLOWED = /^[ !#-&(-;?-~]*$/;

/**
 * Digits at the start are the counter and the rest is the series (`00001/26`); otherwise the last
 * run of digits is the counter (`F26-00001`). Null without digits, or with more than fifteen.
 */
export function parseNoSerie(text: string): Series | null {
  const match = /^()(\d+)(.*)$/s.exec(text) ?? /^(.*?)(\d+)(\D*)$/s.exec(text);
  if (!match) return null;
  const [, prefix = '', digits = '', suffix = ''] = match;
  if (digits.length > MAX_WIDTH) return null;
  return { prefix, suffix, width: digits.length, nextNumber: BigInt(digits) };
}

/** The number as it is printed: `{ '', '/LO', 5, 42n }` → `'00042/LO'`. */
export function formatNoSerie(series: Series): string {
  const digits = series.nextNumber.toString().padStart(series.width, '0');
  return `${series.prefix}${digits}${series.suffix}`;
}

/** The counter of a number, when it is one of the series; null for a number of another. */
export function counterIn({ prefix, suffix }: Series, number: string): bigint | null {
  const hasRoom = number.length > prefix.length + suffix.length;
  if (!hasRoom || !number.startsWith(prefix) || !number.endsWith(suffix)) return null;
  const digits = number.slice(prefix.length, number.length - suffix.length);
  return /^\d{1,18}$/.test(digits) ? BigInt(digits) : null;
}

/** What a draft is called until it takes a number; `checkNoSerie` keeps every series from it. */
export function isDraftName(docNo: string): boolean {
  return /^B-\d+$/.test(docNo);
}

/** The six series that one text starts, each with a counter of its own. */
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
 * @param lines of the invoice: one that is apart by law takes an ordinary one to its own series
 * @param claveRegimen the one chosen for the whole invoice
 */
export function seriesKindOf(
  tipoFactura: string,
  lines: readonly { readonly tax: string }[],
  claveRegimen: string,
): SeriesKind {
  if (tipoFactura === 'R5') return 'RS';
  if (tipoFactura === 'F2') return 'S';
  if (tipoFactura.startsWith('R')) return 'R';
  const kinds = lines.map(({ tax }) => serieAparteOf(tax, claveRegimen));
  return kinds.find((kind) => kind !== null) ?? 'F';
}

/** What is wrong with the text of a counter, as a sentence to show; null when nothing is. */
export function checkNoSerie(text: string): string | null {
  if (!ALLOWED.test(text)) {
    return 'El número de serie solo puede llevar letras sin tilde ni ñ, cifras y signos corrientes; la AEAT no admite " \' < > =.';
  }
  // An invoice names those that it rectifies or replaces between commas.
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
