/** Reads tables in text form as exported by other programs, in any encoding and with any separator. */

import { streamCsvRows } from 'hucre/csv';
import { BadFileError } from './bad-file.ts';
import { EMPTY, type FoundCell, type FoundSheet, foundSheet, isBlank } from './found.ts';
import type { Bounds } from './xlsx.ts';

/** Name of the only sheet of a CSV. */
const CSV_SHEET = 'Archivo';

/** A cell with more characters is not a table but text with an unclosed quote. */
const MAX_CELL = 10_000;

export function readCsv(file: Uint8Array, bounds: Bounds): FoundSheet {
  const text = decoded(file);
  if (/^\s*<(!doctype|html|table|\?xml)/i.test(text)) {
    throw new BadFileError(
      'El archivo es una página web guardada como hoja de cálculo. Ábrelo en Excel o LibreOffice y guárdalo como .xlsx o .csv.',
    );
  }
  // Excel's own convention: a first line «sep=;».
  const [told, separator] = /^sep=(.)\r?\n/.exec(text) ?? [''];
  const table = text.slice(told.length);
  const rows: FoundCell[][] = [];
  const delimiter = separator ?? delimiterOf(table.slice(0, 20_000));
  for (const cells of streamCsvRows(table, { delimiter })) {
    const row = cells.slice(0, bounds.columns).map(cellOf);
    if (rows.length < bounds.rows) rows.push(row);
    else if (!row.every(isBlank)) return foundSheet(CSV_SHEET, rows, { goesOn: true });
  }
  return foundSheet(CSV_SHEET, rows);
}

const DELIMITERS = [';', ',', '\t', '|'];
const SAMPLE_ROWS = 50;

/**
 * The separator with which most rows have the same number of columns, and of two alike the one with more columns.
 * Programs write lines of other widths above the titles, and names have commas.
 */
function delimiterOf(sample: string): string {
  const [best] = DELIMITERS.map((delimiter) => {
    const rowsByWidth = new Map<number, number>();
    for (const { length } of streamCsvRows(sample, { delimiter, maxRows: SAMPLE_ROWS })) {
      if (length > 1) rowsByWidth.set(length, (rowsByWidth.get(length) ?? 0) + 1);
    }
    const [[width, rows] = [0, 0]] = [...rowsByWidth].sort((a, b) => b[1] - a[1] || b[0] - a[0]);
    return { delimiter, rows, width };
  }).sort((a, b) => b.rows - a.rows || b.width - a.width);
  return best?.rows ? best.delimiter : ',';
}

function cellOf(value: unknown): FoundCell {
  const text = String(value ?? '');
  if (text.length > MAX_CELL) {
    throw new BadFileError(
      'Las comillas del archivo no se cierran y no se distinguen sus columnas. Guárdalo como .xlsx.',
    );
  }
  return text === '' ? EMPTY : { kind: 'value', value: text };
}

/** For text in which no columns can be recognised. */
export const NO_TABLE = 'El archivo no es un Excel (.xlsx) ni un texto con columnas (.csv).';

/**
 * Decodes UTF-8 and UTF-16, with or without a byte order mark, and otherwise Windows-1252, as Spanish Windows
 * programs write it.
 *
 * @throws {BadFileError} when it is not text
 */
export function decoded(file: Uint8Array): string {
  const encoding = encodingOf(file);
  if (encoding === 'utf-8') {
    try {
      return assertText(new TextDecoder('utf-8', { fatal: true }).decode(file));
    } catch (error) {
      if (error instanceof BadFileError) throw error;
    }
  }
  if (encoding === 'utf-8') return assertText(windows1252(file));
  return assertText(new TextDecoder(encoding).decode(file));
}

/** Windows-1252 from 0x80 to 0x9F, where ISO 8859-1 has control characters. `·` stands for none. */
const FROM_80 = '€·‚ƒ„…†‡ˆ‰Š‹Œ·Ž··‘’“”•–—˜™š›œ·žŸ';

/** Some versions of Node decode it as ISO 8859-1, without the €. */
function windows1252(file: Uint8Array): string {
  const text = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1');
  return text.replace(/[\u0080-\u009f]/g, (byte) => FROM_80[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** How much of the beginning is checked for the zeros of UTF-16 without a mark. */
const SAMPLE = 1_024;

function encodingOf(file: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le';
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be';
  const sample = file.subarray(0, SAMPLE);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  if (odd > sample.length / 4 && even === 0) return 'utf-16le';
  if (even > sample.length / 4 && odd === 0) return 'utf-16be';
  return 'utf-8';
}

function assertText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what tells a text from the rest.
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text)) throw new BadFileError(NO_TABLE);
  return text;
}
