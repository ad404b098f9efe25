/**
 * Reads the cells of an .xlsx while its XML is streamed: neither the parts of the file nor the rows beyond the limit
 * are ever in memory as a whole. Beyond it, only the first non-empty row is looked for.
 */

import { SaxesParser } from 'saxes';
import { BadFileError } from './bad-file.ts';
import { type Container, DAMAGED } from './container.ts';
import {
  EMPTY,
  type FoundCell,
  type FoundSheet,
  type FoundWorkbook,
  foundSheet,
  isBlank,
} from './found.ts';

export interface Bounds {
  /** Rows of a sheet that are read; after them, only enough is unpacked to know whether there are more. */
  readonly rows: number;
  readonly columns: number;
}

/** What Excel allows in a cell, and in the format of a number. A file with more would cost far more than its size. */
const MAX_CELL = 32_767;
const MAX_FORMAT = 255;

/** @throws {BadFileError} when it is not a workbook, or a cell has more text than any */
export async function readWorkbook(container: Container, bounds: Bounds): Promise<FoundWorkbook> {
  try {
    const { sheets, is1904 } = await readIndex(container);
    const strings = await readStrings(container);
    const styleOf = await readStyles(container);
    const found: FoundSheet[] = [];
    for (const { name, part } of sheets) {
      const values = { strings, styleOf, is1904 };
      found.push(await readSheet(container, { name, part }, values, bounds));
    }
    return { sheets: found, is1904, isText: false };
  } catch (cause) {
    if (cause instanceof BadFileError) throw cause;
    throw new BadFileError(DAMAGED, { cause });
  }
}

interface Handlers {
  readonly open?: (tag: string, attributes: Readonly<Record<string, string>>) => void;
  readonly text?: (text: string) => void;
  /** @returns true to stop reading */
  readonly close?: (tag: string) => boolean | undefined;
}

/** Names without their prefix: some programs write `x:row`. Document types are ignored. */
async function parse(container: Container, part: string, handlers: Handlers): Promise<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8');
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let isEnough = false;
  parser.on('doctype', () => {
    throw new BadFileError(DAMAGED);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (!isEnough) handlers.open?.(local(name), attributes as Record<string, string>);
  });
  parser.on('text', (text) => {
    if (!isEnough) handlers.text?.(text);
  });
  parser.on('closetag', ({ name }) => {
    if (!isEnough && handlers.close?.(local(name))) isEnough = true;
  });
  for await (const chunk of container.read(part)) {
    parser.write(decoder.decode(chunk, { stream: true }));
    if (isEnough) return;
  }
  parser.close();
}

/**
 * The text of a cell, with another piece of it.
 *
 * @throws {BadFileError}
 */
function grown(text: string, piece: string): string {
  if (text.length + piece.length <= MAX_CELL) return text + piece;
  throw new BadFileError(
    'Una celda del archivo tiene más de 32.767 caracteres, los que caben en una de Excel. Acórtala y súbelo de nuevo.',
  );
}

interface SheetPart {
  readonly name: string;
  readonly part: string;
}

async function readIndex(
  container: Container,
): Promise<{ sheets: readonly SheetPart[]; is1904: boolean }> {
  const named: { name: string; id: string }[] = [];
  let is1904 = false;
  await parse(container, 'xl/workbook.xml', {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
      if (tag !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /:id$/i.test(key))?.[1] ?? '';
      named.push({ name: attributes.name ?? '', id });
    },
  });
  const targets = new Map<string, string>();
  await parse(container, 'xl/_rels/workbook.xml.rels', {
    open: (tag, { Id = '', Target = '' }) => {
      if (tag === 'Relationship') targets.set(Id, Target);
    },
  });
  const sheets = named.flatMap(({ name, id }) => {
    const target = targets.get(id) ?? '';
    const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
    return container.has(part) && /worksheets\//.test(part) ? [{ name, part }] : [];
  });
  return { sheets, is1904 };
}

/** The shared strings, which cells refer to by index. Phonetic hints are left out. */
async function readStrings(container: Container): Promise<readonly FoundCell[]> {
  const strings: FoundCell[] = [];
  if (!container.has('xl/sharedStrings.xml')) return strings;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parse(container, 'xl/sharedStrings.xml', {
    open: (tag) => {
      if (tag === 'si') text = '';
      if (tag === 'rPh') isPhonetic = true;
      isText = tag === 't' && !isPhonetic;
    },
    text: (piece) => {
      if (isText) text = grown(text, piece);
    },
    close: (tag) => {
      if (tag === 't') isText = false;
      if (tag === 'rPh') isPhonetic = false;
      if (tag === 'si') strings.push(textCell(unescaped(text)));
      return false;
    },
  });
  return strings;
}

/** Built-in formats of Excel that show a date (ECMA-376-1 §18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 22, ...range(27, 36), ...range(50, 58)]);

/** And those that show a percentage. */
const PERCENT_FORMATS = new Set([9, 10]);

/** The meaning of a number with a style, if it is not just a number. */
type Styled = 'date' | 'percent' | null;

async function readStyles(container: Container): Promise<(style: string) => Styled> {
  const custom = new Map<string, string>();
  const formats: string[] = [];
  let isInCells = false;
  if (container.has('xl/styles.xml')) {
    await parse(container, 'xl/styles.xml', {
      open: (tag, attributes) => {
        if (tag === 'numFmt') custom.set(attributes.numFmtId ?? '', attributes.formatCode ?? '');
        if (tag === 'cellXfs') isInCells = true;
        if (tag === 'xf' && isInCells) formats.push(attributes.numFmtId ?? '0');
      },
      close: (tag) => {
        if (tag === 'cellXfs') isInCells = false;
        return false;
      },
    });
  }
  const styles = formats.map((id): Styled => {
    // Parts in quotes or brackets, escaped characters and padding are not part of the format itself.
    const code =
      custom
        .get(id)
        ?.slice(0, MAX_FORMAT)
        .replace(/"[^"]*"|\[[^\]]*\]|[\\_*]./g, '') ?? '';
    if (DATE_FORMATS.has(Number(id)) || /[dy]/i.test(code)) return 'date';
    return PERCENT_FORMATS.has(Number(id)) || code.includes('%') ? 'percent' : null;
  });
  return (style) => styles[Number(style)] ?? null;
}

interface Values {
  /** Cells with the same content share an object. */
  readonly strings: readonly FoundCell[];
  readonly styleOf: (style: string) => Styled;
  readonly is1904: boolean;
}

interface RawCell {
  readonly type: string;
  readonly style: string;
  text: string;
  formula: string | null;
}

async function readSheet(
  container: Container,
  { name, part }: SheetPart,
  values: Values,
  bounds: Bounds,
): Promise<FoundSheet> {
  const rows: (FoundCell[] | undefined)[] = [];
  const merged: { row: number; column: number }[] = [];
  let row = -1;
  let column = -1;
  let cell: RawCell | null = null;
  let isIn: 'value' | 'formula' | null = null;
  let isPhonetic = false;
  let goesOn = false;
  await parse(container, part, {
    open: (tag, attributes) => {
      if (tag === 'row') {
        row = attributes.r ? Number(attributes.r) - 1 : row + 1;
        column = -1;
      } else if (tag === 'c') {
        column = attributes.r ? columnOf(attributes.r) : column + 1;
        cell = { type: attributes.t ?? 'n', style: attributes.s ?? '', text: '', formula: null };
      } else if (tag === 'rPh') isPhonetic = true;
      else if (tag === 'v' || tag === 't') isIn = isPhonetic ? null : 'value';
      else if (tag === 'f' && cell) {
        cell.formula = '';
        isIn = 'formula';
      } else if (tag === 'mergeCell') {
        const [first = ''] = (attributes.ref ?? '').split(':');
        merged.push({ row: Number(first.replace(/\D/g, '')) - 1, column: columnOf(first) });
      }
    },
    text: (piece) => {
      if (cell && isIn === 'value') cell.text = grown(cell.text, piece);
      else if (cell && isIn === 'formula') cell.formula = grown(cell.formula ?? '', piece);
    },
    close: (tag) => {
      if (tag === 'v' || tag === 't' || tag === 'f') isIn = null;
      if (tag === 'rPh') isPhonetic = false;
      if (tag !== 'c') return false;
      const found = cell && row >= 0 && column < bounds.columns ? foundCell(cell, values) : EMPTY;
      cell = null;
      if (row >= bounds.rows) {
        goesOn = !isBlank(found);
        return goesOn;
      }
      if (found === EMPTY) return false;
      rows[row] ??= [];
      (rows[row] as FoundCell[])[column] = found;
      return false;
    },
  });
  return foundSheet(name, rows, { merged, goesOn });
}

function foundCell({ type, style, text, formula }: RawCell, values: Values): FoundCell {
  if (type === 'e') return { kind: 'error', text: text || '#¿?' };
  if (text === '') return formula === null ? EMPTY : { kind: 'error', text: `=${formula}` };
  if (type === 's') return values.strings[Number(text)] ?? EMPTY;
  if (type === 'b') return { kind: 'value', value: text === '1' };
  if (type === 'd') return textCell(text);
  if (type === 'str' || type === 'inlineStr') {
    const plain = unescaped(text);
    const isError = formula !== null && /^#(REF|N\/A|VALUE|DIV\/0|NAME|NUM|NULL)/i.test(plain);
    return isError ? { kind: 'error', text: plain } : textCell(plain);
  }
  const number = Number(text);
  if (Number.isNaN(number)) return textCell(text);
  const styled = values.styleOf(style);
  if (styled === 'percent') return { kind: 'value', value: number, isPercent: true };
  const isDate = styled === 'date' && number >= 0 && number < LAST_SERIAL;
  return { kind: 'value', value: isDate ? dateOfSerial(number, values) : number };
}

function textCell(value: string): FoundCell {
  return value === '' ? EMPTY : { kind: 'value', value };
}

const DAY_MS = 86_400_000;
/** Day 0 of both date systems; of the first one, as seen after the 29 February 1900 that it counts. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
/** The number of that day, which did not exist: the days before it are one later than counted from there. */
const FALSE_DAY = 60;
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** The end of the year 9999. */
const LAST_SERIAL = 2_958_466;

export function dateOfSerial(serial: number, { is1904 }: { readonly is1904: boolean }): Date {
  const days = Math.floor(serial);
  if (is1904) return new Date(EPOCH_1904 + days * DAY_MS);
  return new Date(EPOCH_1900 + (days < FALSE_DAY ? days + 1 : days) * DAY_MS);
}

/** Characters that XML cannot contain are written `_x000D_` (ECMA-376-1 §22.9.2.19). */
function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}

/** `C7` → 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference.replace(/[^A-Z]/gi, '').toUpperCase()) {
    column = column * 26 + letter.charCodeAt(0) - 64;
  }
  return column - 1;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
