import { isIsoDate } from '../domain/dates.ts';
import { parsePlainDecimal } from '../domain/money.ts';
import { plainOf } from './words.ts';

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];

const NUMERIC_DATE = /(?<!\d)(\d{1,2})\s?[/.-]\s?(\d{1,2})\s?[/.-]\s?(\d{4}|\d{2})(?!\d)/;
const ISO_DATE = /(?<!\d)(20\d{2})[-/.](\d{2})[-/.](\d{2})(?!\d)/;
const WORDED_DATE =
  /(?<!\d)(\d{1,2})\s*(?:de\s+|[/.-]\s?|\s)(ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)[a-z]*\.?\s*(?:(?:del?\s+|[/.-]\s?|\s)?(\d{4})|[/.-](\d{2})(?!\d))/;

const MONTH_FIRST =
  /\b(ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)[a-z]*\.?\s+(\d{1,2})(?:,\s*|\s+)(?:del?\s+)?(\d{4})/;
const ONES = [
  ...['uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once'],
  ...['doce', 'trece', 'catorce', 'quince', 'dieciseis', 'diecisiete', 'dieciocho', 'diecinueve'],
  ...['veinte', 'veintiuno', 'veintidos', 'veintitres', 'veinticuatro', 'veinticinco'],
  ...['veintiseis', 'veintisiete', 'veintiocho', 'veintinueve', 'treinta', 'treinta y uno'],
];
const NUMERAL = [...ONES].sort((a, b) => b.length - a.length).join('|');
/** `'a doce de octubre de dos mil veintiséis'`, as lawyers date. */
const SPELT_DATE = new RegExp(
  `\\b(${NUMERAL}|primero) de (ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)[a-z]* de(?:l ano)? dos mil (${NUMERAL})\\b`,
);

/** The first day written in a text, as `YYYY-MM-DD`, and where; null when there is none. */
export function findDate(text: string): { iso: string; start: number; end: number } | null {
  const plain = plainOf(text);
  const iso = ISO_DATE.exec(plain);
  const isoDay = iso ? iso.slice(1, 4).join('-') : '';
  if (iso && isIsoDate(isoDay)) return found(iso, isoDay);
  const numeric = NUMERIC_DATE.exec(plain);
  if (numeric) {
    const [, day = '', month = '', year = ''] = numeric;
    const day8 = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
    if (isIsoDate(day8)) return found(numeric, day8);
  }
  const worded = WORDED_DATE.exec(plain);
  if (worded) {
    const [, day = '', month = '', whole, short] = worded;
    const year = whole ?? `20${short}`;
    const day8 = `${year}-${two(MONTHS.indexOf(month) + 1)}-${day.padStart(2, '0')}`;
    if (isIsoDate(day8)) return found(worded, day8);
  }
  const first = MONTH_FIRST.exec(plain);
  if (first) {
    const [, month = '', day = '', year = ''] = first;
    const day8 = `${year}-${two(MONTHS.indexOf(month) + 1)}-${day.padStart(2, '0')}`;
    if (isIsoDate(day8)) return found(first, day8);
  }
  const spelt = SPELT_DATE.exec(plain);
  if (spelt) {
    const [, day = '', month = '', year = ''] = spelt;
    const number = day === 'primero' ? 1 : ONES.indexOf(day) + 1;
    const day8 = `20${two(ONES.indexOf(year) + 1)}-${two(MONTHS.indexOf(month) + 1)}-${two(number)}`;
    if (isIsoDate(day8)) return found(spelt, day8);
  }
  return null;
}

const two = (number: number) => String(number).padStart(2, '0');

function found(match: RegExpExecArray, iso: string) {
  return { iso, start: match.index, end: match.index + match[0].length };
}

const AMOUNT = /^(\d{1,3}(?:[.' ]\d{3})+|\d+),(\d{2})$|^(\d{1,3}(?:,\d{3})+|\d+)\.(\d{2})$/;

/** `'1.234,50'`, `'1,234.50 €'`, `'-12,00'`, `'(12,00)'` → cents; null for what has no two decimals. */
export function amountOf(text: string): bigint | null {
  const bare = text.replace(/[€\s]|EUR(OS)?/gi, '').replace(/[−–]/g, '-');
  const isNegative = /^-|^\(.*\)$|-$/.test(bare);
  const match = AMOUNT.exec(bare.replace(/[()+-]/g, ''));
  if (!match) return null;
  const integer = (match[1] ?? match[3] ?? '').replace(/\D/g, '');
  const cents = parsePlainDecimal(`${integer}.${match[2] ?? match[4]}`, 2);
  return cents === null || !isNegative ? cents : -cents;
}

/** A quantity, a price or a rate: as an amount, with up to six decimals. Plain text (`'2.5'`) or null. */
export function decimalOf(text: string): string | null {
  const bare = text.replace(/[€%\s]|EUR/gi, '').replace(/[−–]/g, '-');
  const spanish = /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d{1,6})?$/.test(bare);
  if (spanish) return bare.replaceAll('.', '').replace(',', '.');
  return /^-?(\d{1,3}(,\d{3})+|\d+)\.\d{1,6}$/.test(bare) ? bare.replaceAll(',', '') : null;
}

/** Hundredths of a per cent of `'21'`, `'21,00'` or `'5,2'`; null when it is no rate. */
export function rateOf(text: string): bigint | null {
  const plain = decimalOf(text.replace(/[()]/g, ''));
  const bps = plain === null || plain.length > 5 ? null : parsePlainDecimal(plain, 2);
  // `21.000` is no twenty-one thousand per cent.
  return bps === null || bps > 10_000n ? null : bps;
}

/** `'i.v.a.'`, `'1.g.i.c.'` → `'iva'`, `'igic'`; also N.I.F., R.E. and I.R.P.F. For looking at, not for places. */
export function undotted(plain: string): string {
  return (
    plain
      // OCR takes a capital I before a point for a one.
      .replace(/\b1(?=\.\s?[vgrp]\b)/g, 'i')
      .replace(/(?<=\b[cng]\.\s?)1(?=\.)/g, 'i')
      .replace(/\b([cn])\.?\s?[li1]\.?\s?f\b/g, '$1if')
      .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
      .replace(/\b(iva|igic|ipsi|irpf|nif|cif|dni|re)\./g, '$1')
  );
}
