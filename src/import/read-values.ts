import { cut, lengthOf } from '../domain/cut.ts';
import { isIsoDate } from '../domain/dates.ts';
import {
  decimalToText,
  hasTooManyDigits,
  MAX_INTEGER_DIGITS,
  parseDecimal,
} from '../domain/money.ts';
import type { FoundCell, FoundSheet } from './found.ts';
import { BOUNDS } from './open-file.ts';
import { codeInWords, rateInWords } from './other-words.ts';
import { type Choice, folded, type ListName, shown } from './sheets.ts';
import { dateOfSerial } from './xlsx.ts';

export type Read = { readonly ok: true; readonly text: string } | ReadRefusal;
interface ReadRefusal {
  readonly ok: false;
  readonly mensaje: string;
  /** It is none of the options of its list. */
  readonly isUnknown?: true;
}

const refuse = (mensaje: string): ReadRefusal => ({ ok: false, mensaje });

/** The content of a cell as text, with no-break spaces, typographic dashes and Excel's apostrophe normalised. */
export function cellText(cell: FoundCell): string {
  if (cell.kind === 'empty') return '';
  if (cell.kind === 'error') return cell.text;
  const { value } = cell;
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'boolean') return value ? 'VERDADERO' : 'FALSO';
  if (typeof value === 'number' && cell.isPercent) return `${hundredfold(value)}%`;
  return String(value)
    .replace(/[\u00a0\u2007\u202f]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/^'/, '')
    .trim();
}

/** The texts of a row, from 0, by column. */
export function rowTexts(sheet: FoundSheet, row: number): string[] {
  return Array.from({ length: BOUNDS.columns }, (_, column) => cellText(sheet.at(row, column)));
}

/** As much of a text as is quoted in a message, or shown beside one. */
const MAX_QUOTED = 100;

/** A text that came from a cell, cut if it is too long to be read in a message. */
export function quoted(text: string): string {
  if (lengthOf(text) <= MAX_QUOTED) return text;
  return `${cut(text, MAX_QUOTED - 1)}…`;
}

export function readText(cell: FoundCell, max: number): Read {
  const text = cellText(cell);
  const length = lengthOf(text);
  return length > max
    ? refuse(`No puede pasar de ${max} caracteres: tiene ${length}.`)
    : { ok: true, text };
}

/** The decimal separator in another program's file. */
export type DecimalSign = ',' | '.';

/**
 * Decimal text with a point, `45.5`, from a number or from text such as `1.234,50 €`.
 *
 * @param sign the decimal separator of the whole file, or null if each cell decides
 */
export function readDecimal(cell: FoundCell, decimals: number, sign: DecimalSign | null): Read {
  const value = cell.kind === 'value' ? cell.value : '';
  if (value instanceof Date) return refuse('Debe ser un número y es una fecha: cambia su formato.');
  const text = cellText(cell).replace(/\s|%/g, '');
  const typed =
    typeof value === 'number' ? numberOf(cell, value) : sign ? withSign(text, sign) : text;
  if (typed === '') return { ok: true, text: '' };
  const scaled = typed === null ? null : parseDecimal(typed, decimals);
  if (scaled !== null) return { ok: true, text: decimalToText(scaled, decimals) };
  if (typed !== null && hasTooManyDigits(typed)) {
    return refuse(
      `«${quoted(cellText(cell))}» tiene más de ${MAX_INTEGER_DIGITS} cifras antes de la coma. Comprueba si sobra alguna.`,
    );
  }
  const how = sign ? ` escrito con «${sign}»` : '';
  return refuse(
    `«${quoted(cellText(cell))}» no es un número${how} con un máximo de ${decimals} decimales.`,
  );
}

/**
 * Text with thousands and decimals as in a file → digits with at most a comma: `1.234,50 €`, `1,234.50`, `12,00-`.
 * Null for any other format: nothing is guessed.
 */
export function withSign(text: string, sign: DecimalSign): string | null {
  const bare = text.replace(/(€|EUR|\$|USD)$/i, '').replace(/^(€|\$)/, '');
  const [, digits = bare, minus = ''] = /^([^-]+)(-)$/.exec(bare) ?? [];
  const thousands = sign === ',' ? "[.']" : "[,']";
  const form = new RegExp(`^[+-]?(\\d+|\\d{1,3}(${thousands}\\d{3})+)?(\\${sign}\\d*)?$`);
  if (digits === '') return '';
  if (!form.test(digits)) return null;
  return minus + digits.replace(new RegExp(thousands, 'g'), '').replace(sign, ',');
}

function numberOf(cell: FoundCell, value: number): number {
  return cell.kind === 'value' && cell.isPercent ? hundredfold(value) : rounded(value);
}

/** 0.07 → 7, which in binary is 7.000000000000001. */
const hundredfold = (value: number): number => rounded(value * 100);

/** Excel stores 0.1 + 0.2 with seventeen digits and shows fifteen, like this. */
function rounded(value: number): number {
  return Number(value.toPrecision(15));
}

/** A day as `2026-11-20`, from a date, Excel's count of days, or text `d/m/aaaa`. */
export function readDate(cell: FoundCell, { is1904 }: { readonly is1904: boolean }): Read {
  if (cell.kind === 'empty') return { ok: true, text: '' };
  const value = cell.kind === 'value' ? cell.value : '';
  const iso =
    value instanceof Date
      ? value.toISOString().slice(0, 10)
      : typeof value === 'number'
        ? isoOfSerial(value, { is1904 })
        : isoOfText(cellText(cell));
  return isIsoDate(iso)
    ? { ok: true, text: iso }
    : refuse(`«${quoted(cellText(cell))}» no es una fecha. Escríbela como dd/mm/aaaa.`);
}

function isoOfSerial(serial: number, { is1904 }: { readonly is1904: boolean }): string {
  if (serial < 10_000 || serial > 80_000) return '';
  return dateOfSerial(serial, { is1904 }).toISOString().slice(0, 10);
}

function isoOfText(text: string): string {
  if (/^\d{4}-\d{1,2}-\d{1,2}/.test(text)) {
    const [year = '', month = '', day = ''] = text.slice(0, 10).split('-');
    return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  }
  const match = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ T]\d{1,2}:\d{2}.*)?$/.exec(text);
  if (!match) return '';
  const [, day = '', month = '', year = ''] = match;
  const century = year.length === 2 ? `20${year}` : year;
  return `${century}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Finds options by code or name, ignoring accents and case. */
export class ChoiceFinder {
  readonly #codes = new Map<string, string>();
  readonly #list: ListName;
  readonly #known: ReadonlySet<string>;
  readonly #sample: string;

  constructor(list: ListName, choices: readonly Choice[]) {
    this.#list = list;
    this.#known = new Set(choices.map(({ value }) => value));
    for (const { value, label } of [...choices].reverse()) {
      this.#codes.set(folded(label), value);
    }
    for (const { value, also = [] } of [...choices].reverse()) {
      for (const other of also) this.#codes.set(folded(other), value);
    }
    for (const { value } of choices) this.#codes.set(folded(value), value);
    if (list === 'clavesRegimen') {
      // A spreadsheet turns 01 into a number.
      for (const { value } of choices) this.#codes.set(String(Number(value)), value);
    }
    const sample = choices.slice(0, 4).map((choice) => shown(list, choice));
    this.#sample = sample.join(', ') + (choices.length > sample.length ? '…' : '.');
  }

  read(cell: FoundCell): Read {
    const text = cellText(cell);
    if (text === '') return { ok: true, text: '' };
    // A rate: «21 %», «21,00», «7,5».
    const percent = text.replace(/\s*%$/, '');
    const rate = /^\d+[.,]\d+$/.test(percent)
      ? percent.replace(',', '.').replace(/\.?0+$/, '')
      : percent;
    const code =
      this.#codes.get(folded(text)) ??
      this.#codes.get(folded(rate)) ??
      this.#inWords(text) ??
      this.#ofRate(text);
    return code === undefined
      ? {
          ...refuse(`«${quoted(text)}» no está en la lista. Valores: ${this.#sample}`),
          isUnknown: true,
        }
      : { ok: true, text: code };
  }

  #inWords(text: string): string | undefined {
    const code = codeInWords(this.#list, text);
    return code !== null && (code === '' || this.#known.has(code)) ? code : undefined;
  }

  #ofRate(text: string): string | undefined {
    if (this.#list !== 'impuestos' && this.#list !== 'impuestosDeProducto') return undefined;
    const told = rateInWords(text);
    const code = told ? this.#codes.get(told.rate) : undefined;
    // «IVA 4 %» is no IPSI of 4 %.
    return told && code?.startsWith(told.tax) ? code : undefined;
  }
}
