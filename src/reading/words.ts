import { fold } from '../domain/fold.ts';
import type { Caja, PageSize, Word, Words } from './shapes.ts';

/** Words close together in a row, not separated by the gap of a column. */
export interface Cell {
  readonly words: readonly Word[];
  readonly text: string;
  /** Without accents, in lower case: the text that labels are searched in. */
  readonly plain: string;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  /** Index of its row in the document. */
  readonly row: number;
}

export interface Row {
  readonly page: number;
  readonly y: number;
  readonly h: number;
  readonly words: readonly Word[];
  readonly cells: readonly Cell[];
  readonly text: string;
  readonly plain: string;
}

/** A gap wider than this many letter heights separates two columns; between words it is some 0.3. */
const COLUMN_GAP = 0.7;
/** The boxes of scanned letters are lower than the letters, and their gaps uneven. */
const SCANNED_GAP = 0.95;
/** Scanned monospaced letters are further apart for their height: up to this. */
const WIDEST_GAP = 1.7;

/** The middles of words in a row are no further apart than this, in letter heights. */
const ONE_ROW = { texto: 0.45, ocr: 0.36 } as const;

/** Rows from top to bottom, page by page, each split into cells from left to right. */
export function rowsOf(
  words: readonly Word[],
  { origen = 'texto' }: { readonly origen?: Words['origen'] } = {},
): Row[] {
  const rows: Word[][] = [];
  const sorted = words
    .map(withoutLeader)
    .filter(({ text }) => text.trim() !== '')
    .sort((a, b) => a.page - b.page || middle(a) - middle(b));
  for (const word of sorted) {
    const row = rows.at(-1);
    const last = row?.at(-1);
    const isSame =
      last &&
      last.page === word.page &&
      Math.abs(middle(last) - middle(word)) < ONE_ROW[origen] * Math.min(last.h, word.h);
    if (row && isSame) row.push(word);
    else rows.push([word]);
  }
  const areApart = setsThousandsApart(words, origen);
  const inOrder = rows.map((row) => row.sort((a, b) => a.x - b.x));
  const blank = wordGap(inOrder, 1.4);
  const joined = inOrder.map((row) => withThousands(row, { areApart, blank, origen }));
  const gap = columnGap(joined, origen === 'ocr' ? SCANNED_GAP : COLUMN_GAP);
  return joined.map((row, index) => rowFrom(row, index, gap));
}

/** The gap that separates columns in this document, derived from the gaps between its words. */
function columnGap(rows: readonly (readonly Word[])[], least: number): number {
  const usual = wordGap(rows, 1.4);
  return Math.min(WIDEST_GAP, Math.max(least, 1.5 * usual));
}

/** Dots leading to an amount, and rules drawn with letters, are not text: what they separate stays apart. */
function withoutLeader(word: Word): Word {
  const { text, x, w } = word;
  if (/^([.…_|¦│]+|[·]{2,}|[-–—=*]{3,})$/.test(text)) return { ...word, text: '' };
  // Rules stick to figures. What Tesseract took for one after eight figures is the letter of a NIF.
  const [, head = '', body = text, tail = ''] =
    /^([.…·_]{3,}|\.(?=-?\d+[.,]\d)|\|+)?(.*?)([.…·_]{4,}|(?<!^\d{8})\|+)?$/.exec(text) ?? [];
  if (head === '' && tail === '') return word;
  const letter = w / text.length;
  return { ...word, text: body, x: x + head.length * letter, w: body.length * letter };
}

const isText = ({ text }: Word) => /^\p{L}/u.test(text);

/** The median gap between consecutive words, in letter heights, among those under `most`. */
export function wordGap(rows: readonly (readonly Word[])[], most: number): number {
  const gaps = rows
    .flatMap((words) =>
      words.slice(1).map((word, i) => {
        const before = words[i] as Word;
        if (!isText(before) || !isText(word)) return most;
        return (word.x - before.x - before.w) / Math.min(before.h, word.h);
      }),
    )
    .filter((gap) => gap < most)
    .sort((a, b) => a - b);
  return gaps[gaps.length >> 1] ?? 0;
}

/** False where thousands have a mark, or nothing, between them: there `4` and `284,78` belong to two columns. */
function setsThousandsApart(words: readonly Word[], origen: Words['origen']): boolean {
  const count = (isOne: (text: string, next: string) => boolean) =>
    words.filter(({ text }, i) => isOne(text, words[i + 1]?.text ?? '')).length;
  const together = count((text) =>
    /^[-−]?(\d{4,}[.,]|\d{1,3}\.\d{3},|\d{1,3},\d{3}\.)\d{2,4}€?$/.test(text),
  );
  // Scans lose blanks.
  const apart = count(
    (text, next) => /^[-−]?\d{1,3}$/.test(text) && /^\d{3}[.,]\d{2}€?$/.test(next),
  );
  return together === 0 || (origen === 'ocr' && together <= apart);
}

/** `1` and `234,56` close together are one amount with its thousands set apart; OCR also splits `121,` and `6000`. */
function withThousands(
  words: readonly Word[],
  { areApart, blank, origen }: { areApart: boolean; blank: number; origen: Words['origen'] },
): Word[] {
  const joined: Word[] = [];
  for (const word of [...words].reverse()) {
    const next = joined.at(-1);
    if (!next) {
      joined.push(word);
      continue;
    }
    const gap = next.x - word.x - word.w;
    const isHead =
      areApart &&
      /^[-−]?\d{1,3}$/.test(word.text) &&
      /^\d{3}( \d{3})*[.,]\d{2,6}[€)]*$/.test(next.text) &&
      gap <
        Math.max(
          0.62 * word.h,
          // As far apart as words, where all letters are small compared with their blanks.
          blank > 0.62 ? 1.3 * blank * word.h : 0,
          Math.min(SCANNED_GAP * word.h, (1.45 * next.w) / next.text.length),
        );
    const after = joined.at(-2)?.text ?? '';
    const isCut =
      origen === 'ocr' &&
      /^[-−]?[\d.]*\d,$/.test(word.text) &&
      // «Factura 10483, 13 de mayo», «modelos 111, 115 y 303»
      !/^(del?|y|e|o|u|i)$/i.test(after) &&
      (/^\d{3,4}[€%]*$|^\d{2}€$/.test(next.text) ||
        /^[-−]?[\d.]*\d{3},\d{2}[€%]*$/.test(word.text + next.text));
    const isParted = isAmountInEuros(word.text, next.text, after);
    if (!isHead && !((isCut || isParted) && gap < SCANNED_GAP * word.h)) {
      joined.push(word);
      continue;
    }
    joined.pop();
    joined.push({
      ...word,
      text: `${word.text}${isHead ? ' ' : ''}${next.text}`,
      w: next.x + next.w - word.x,
    });
  }
  return joined.reverse();
}

/** `2,487.` and `66` before `EUR`, `319` and `.74€`: OCR separates the cents in monospaced text. */
function isAmountInEuros(whole: string, cents: string, after: string): boolean {
  const isEuros = cents.endsWith('€') || /^(€|eur|euros?)$/i.test(after);
  return isEuros && /^[-−]?\d{1,3}([.,]\d{3})*([.,] | [.,])\d{2}€?$/.test(`${whole} ${cents}`);
}

function rowFrom(words: readonly Word[], index: number, columnGap: number): Row {
  const groups: Word[][] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    // The colons of a form are aligned one below another, away from the words they belong to.
    const isColon = word.text === ':' && /\p{L}/u.test(last?.text ?? '');
    const isNear = last && word.x - (last.x + last.w) < columnGap * Math.min(last.h, word.h);
    if (group && (isColon || isNear)) {
      group.push(word);
    } else groups.push([word]);
  }
  const cells = groups.map((group) => cellFrom(group, index));
  const first = words[0] as Word;
  const text = words.map((word) => word.text).join(' ');
  const { y, h } = boxOf(words);
  return { page: first.page, y, h, words, cells, text, plain: plainOf(text) };
}

export function cellFrom(words: readonly Word[], row: number): Cell {
  const text = words.map((word) => word.text).join(' ');
  return { words, text, plain: plainOf(text), page: (words[0] as Word).page, row, ...boxOf(words) };
}

/** Unifies dashes, blanks and compatibility forms, and removes accents, including that of ñ, and case. */
export function plainOf(text: string): string {
  return fold(
    text
      .normalize('NFKC')
      .replace(/[‐-―−]/g, '-')
      .replace(/\s+/g, ' '),
  ).replaceAll('ñ', 'n');
}

function boxOf(words: readonly Caja[]): Caja {
  const x = Math.min(...words.map((word) => word.x));
  const y = Math.min(...words.map((word) => word.y));
  return {
    x,
    y,
    w: Math.max(...words.map((word) => word.x + word.w)) - x,
    h: Math.max(...words.map((word) => word.y + word.h)) - y,
  };
}

/** The place of some words on the paper, as the screen needs it. */
export function placeOf(
  words: readonly Word[],
  pages: readonly PageSize[],
): { pagina: number; caja: Caja } {
  const first = words[0] as Word;
  const { width, height } = pages[first.page - 1] ?? { width: 595, height: 842 };
  const boxes = words
    .filter(({ page }) => page === first.page)
    .map(
      ({ paper, x, y, w, h }) =>
        paper ?? { x: x / width, y: y / height, w: w / width, h: h / height },
    );
  const box = boxOf(boxes);
  const part = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;
  return {
    pagina: first.page,
    caja: { x: part(box.x), y: part(box.y), w: part(box.w), h: part(box.h) },
  };
}

/** Cells below a cell, nearest first: where the value of a label above it may be. */
export function cellsBelow(rows: readonly Row[], cell: Cell): Cell[] {
  return rows
    .slice(cell.row + 1, cell.row + 5)
    .filter((row) => row.page === cell.page && row.y - cell.y < 3.2 * cell.h + cell.h)
    .flatMap((row) => row.cells.filter((other) => overlaps(cell, other)));
}

/** The cell immediately above, or null. */
export function cellAbove(rows: readonly Row[], cell: Cell): Cell | null {
  for (const row of rows.slice(Math.max(0, cell.row - 2), cell.row).reverse()) {
    if (row.page !== cell.page || cell.y - row.y > 3.2 * cell.h) return null;
    const above = row.cells.find((other) => overlaps(cell, other));
    if (above) return above;
  }
  return null;
}

export function overlaps(a: Pick<Caja, 'x' | 'w'>, b: Pick<Caja, 'x' | 'w'>): boolean {
  return Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x) > 0;
}

function middle({ y, h }: Word): number {
  return y + h / 2;
}

/** The words between two characters of a cell's text. */
export function wordsAt(cell: Cell, start: number, end: number): readonly Word[] {
  let at = 0;
  const inside = cell.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from < end && from + text.length > start;
  });
  return inside.length > 0 ? inside : cell.words;
}
