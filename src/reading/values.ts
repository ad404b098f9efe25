import { isIsoDate } from '../domain/dates.ts';
import { parsePlainDecimal } from '../domain/money.ts';
import { plainOf } from './words.ts';

/** How each month begins in Spanish, and its name in English, Catalan, Galician and Basque. */
const MONTHS = [
  'ene[a-z]*|jan(?:uary)?|gen(?:er)?|xan(?:eiro)?|urtarril[a-z]*',
  'feb[a-z]*|otsail[a-z]*',
  'mar[a-z]*',
  'abr[a-z]*|apr(?:il)?|apiril[a-z]*',
  'may[a-z]*|mai(?:g|o)?|maiatz[a-z]*',
  'jun[a-z]*|xun(?:o)?|ekain[a-z]*',
  'jul[a-z]*|xul(?:lo)?|uztail[a-z]*',
  'ago[a-z]*|aug(?:ust)?|abuztu[a-z]*',
  'sep[a-z]*|set(?:embre|embro)?|irail[a-z]*',
  'oct[a-z]*|out(?:ubro)?|urri[a-z]*',
  'nov[a-z]*|azaro[a-z]*',
  'dic[a-z]*|dec(?:ember|embro)?|des(?:embre)?|abendu[a-z]*',
];
const MONTH = `(${MONTHS.join('|')})\\b`;
const MONTH_NAMES = MONTHS.map((names) => new RegExp(`^(?:${names})$`));

const NUMERIC_DATE = /(?<!\d)(\d{1,2})\s?[/.·-]\s?(\d{1,2})\s?[/.·-]\s?(\d{4}|\d{2})(?!\d)/;
const ISO_DATE = /(?<!\d)(20\d{2})[-/.](\d{2})[-/.](\d{2})(?!\d)/;
const WORDED_DATE = new RegExp(
  `(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|o|er)?\\s*(?:de\\s+|d['’]\\s?|[/.-]\\s?|\\s)${MONTH}\\.?,?\\s*(?:(?:del?\\s+|[/.-]\\s?|\\s)?(\\d{4}|2\\.0\\d{2})|[/.-](\\d{2})(?!\\d))`,
);
const MONTH_FIRST = new RegExp(
  `\\b${MONTH}\\.?\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,\\s*|\\s+)(?:del?\\s+)?(\\d{4})`,
);
/** `'2026ko urriaren 12a'` */
const YEAR_FIRST = new RegExp(`(?<!\\d)(20\\d{2})(?:e?ko)?\\s+${MONTH}\\s+(\\d{1,2})(?!\\d)`);
/** `'12-X-2026'` */
const ROMAN_DATE =
  /(?<!\d)(\d{1,2})\s?[/.-]\s?(i{1,3}|iv|vi{0,3}|ix|xi{0,2})\s?[/.-]\s?(\d{4})(?!\d)/;
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
const ONES = [
  ...['uno', 'dos', 'tres', 'cuatro', 'cinco', 'seis', 'siete', 'ocho', 'nueve', 'diez', 'once'],
  ...['doce', 'trece', 'catorce', 'quince', 'dieciseis', 'diecisiete', 'dieciocho', 'diecinueve'],
  ...['veinte', 'veintiuno', 'veintidos', 'veintitres', 'veinticuatro', 'veinticinco'],
  ...['veintiseis', 'veintisiete', 'veintiocho', 'veintinueve', 'treinta', 'treinta y uno'],
];
const NUMERAL = [...ONES].sort((a, b) => b.length - a.length).join('|');
/** `'a doce de octubre de dos mil veintiséis'`, as lawyers write dates. */
const SPELT_DATE = new RegExp(
  `\\b(${NUMERAL}|primero) de (ene|feb|mar|abr|may|jun|jul|ago|sep|oct|nov|dic)[a-z]* de(?:l ano)? dos mil (${NUMERAL})\\b`,
);

/** The ways to write a date, in the order in which they are looked for, and its ISO text from the parts of each. */
const DATE_FORMS: readonly (readonly [RegExp, (parts: readonly string[]) => string])[] = [
  [ISO_DATE, (parts) => parts.join('-')],
  [
    NUMERIC_DATE,
    ([day = '', month, year = '']) =>
      dayOf(year.length === 2 ? `20${year}` : year, Number(month), day),
  ],
  [
    WORDED_DATE,
    ([day = '', month = '', whole, short]) =>
      dayOf(whole?.replace('.', '') ?? `20${short}`, monthNamed(month), day),
  ],
  [ROMAN_DATE, ([day = '', month = '', year = '']) => dayOf(year, ROMAN.indexOf(month) + 1, day)],
  [MONTH_FIRST, ([month = '', day = '', year = '']) => dayOf(year, monthNamed(month), day)],
  [YEAR_FIRST, ([year = '', month = '', day = '']) => dayOf(year, monthNamed(month), day)],
  [
    SPELT_DATE,
    ([day = '', month = '', year = '']) => {
      const number = day === 'primero' ? 1 : ONES.indexOf(day) + 1;
      return dayOf(`20${two(ONES.indexOf(year) + 1)}`, monthNamed(month), String(number));
    },
  ],
];

/** The first date written in a text, as `YYYY-MM-DD`, and where it is; null when there is none. */
export function findDate(text: string): { iso: string; start: number; end: number } | null {
  const plain = plainOf(text);
  for (const [pattern, isoOf] of DATE_FORMS)
    for (const match of matchesOf(pattern, plain)) {
      const iso = isoOf(match.slice(1));
      if (isIsoDate(iso)) return { iso, start: match.index, end: match.index + match[0].length };
    }
  return null;
}

/** Also those that overlap: the number before a date may look like its day, as in `2026/55 · 15/08/2026`. */
function* matchesOf(pattern: RegExp, text: string): Generator<RegExpExecArray> {
  let match = pattern.exec(text);
  while (match) {
    yield match;
    const next = new RegExp(pattern, 'g');
    next.lastIndex = match.index + 1;
    match = next.exec(text);
  }
}

/** From 1. */
const monthNamed = (name: string) => MONTH_NAMES.findIndex((names) => names.test(name)) + 1;

const dayOf = (year: string, month: number, day: string) =>
  `${year}-${two(month)}-${day.padStart(2, '0')}`;

const two = (number: number) => String(number).padStart(2, '0');

const AMOUNT = /^(\d{1,3}(?:[.' ]\d{3})+|\d+),(\d{2})$|^(\d{1,3}(?:[,']\d{3})+|\d+)\.(\d{2})$/;

/** `'1.234,50'`, `'1,234.50 €'`, `'-12,00'`, `'(12,00)'` → cents; null for anything without exactly two decimals. */
export function amountOf(text: string): bigint | null {
  const bare = text.replace(/[€\s]|EUR(OS)?/gi, '').replace(/[−–]/g, '-');
  const isNegative = /^-|^\(.*\)$|-$/.test(bare);
  const match = AMOUNT.exec(bare.replace(/[()+-]/g, ''));
  if (!match) return null;
  const integer = (match[1] ?? match[3] ?? '').replace(/\D/g, '');
  const cents = parsePlainDecimal(`${integer}.${match[2] ?? match[4]}`, 2);
  return cents === null || !isNegative ? cents : -cents;
}

/** A quantity, a price or a rate: like an amount, but with up to six decimals. Plain text (`'2.5'`) or null. */
export function decimalOf(text: string): string | null {
  const bare = text.replace(/[€%\s]|EUR/gi, '').replace(/[−–]/g, '-');
  const spanish = /^-?(\d{1,3}(\.\d{3})+|\d+)(,\d{1,6})?$/.test(bare);
  if (spanish) return bare.replaceAll('.', '').replace(',', '.');
  return /^-?(\d{1,3}(,\d{3})+|\d+)\.\d{1,6}$/.test(bare) ? bare.replaceAll(',', '') : null;
}

/** Hundredths of a percent of `'21'`, `'21,00'` or `'5,2'`; null when it is not a rate. */
export function rateOf(text: string): bigint | null {
  const plain = decimalOf(text.replace(/[()]/g, ''));
  const bps = plain === null || plain.length > 5 ? null : parsePlainDecimal(plain, 2);
  // `21.000` is not twenty-one thousand percent.
  return bps === null || bps > 10_000n ? null : bps;
}

/**
 * `'i.v.a.'`, `'1.g.i.c.'` → `'iva'`, `'igic'`; also N.I.F., R.E. and I.R.P.F., and the Basque names of sums and taxes.
 * Use it for searching, not for positions.
 */
export function undotted(plain: string): string {
  return (
    plain
      // OCR reads a capital I before a full stop as a one.
      .replace(/\b1(?=\.\s?[vgrp]\b)/g, 'i')
      .replace(/(?<=\b[cng]\.\s?)1(?=\.)/g, 'i')
      .replace(/\b([cn])\.?\s?[li1]{1,2}\.?\s?f\b/g, '$1if')
      .replace(/\b([a-z])\.\s?(?=[a-z]\b)/g, '$1')
      .replace(/\b(iva|igic|ipsi|irpf|nif|cif|dni|re)\./g, '$1')
      .replace(/\bbez\b/g, 'iva')
      .replace(/\bpfez\b/g, 'irpf')
      .replace(/\bguztira\b/g, 'total')
      .replace(/\b(zerga[- ]?)?oinarria\b/g, 'base')
      .replace(/\b(kontzeptua|azalpena)\b/g, 'concepto')
      .replace(/\bkopurua\b/g, 'cantidad')
      .replace(/\bprezioa\b/g, 'precio')
      // «BEZ %21»
      .replace(/(?<![\d%])%(\d{1,2}(?:[.,]\d{1,2})?)(?![\d.,]*%)/g, '$1%')
  );
}
