import { type Sheet, UNIT } from './line-figures.ts';
import { type Band, bandOf, CODE_LABEL, wrapped } from './line-wrapping.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { plainOf, type Row } from './words.ts';

/**
 * The descriptions of the lines of a table: the words that are not their figures, in all the rows that they take up.
 */

export interface LineText {
  readonly text: string;
  /** Those of its own row first, then those of the rows that wrap around it. */
  readonly words: readonly Word[];
}

const DATE = /^\d{1,2}[/.-]\d{1,2}([/.-]\d{2,4})?$/;
const ORDINAL = /^(\d{1,3}|[a-z])(\)|\.-?|\.?-|º|ª|(?<=\d),)$/i;
const BULLET = /^[-–—•·*▪►>]$/;
const LEADER = /^[.…·_\s-]{3,}$/;

/**
 * The text of each line.
 *
 * @param anchors rows with the figures of a line
 * @param takenOf words of a row that are its figures
 * @param figureBands where figures are aligned one below another
 */
export function textsOf(
  sheet: Sheet,
  anchors: readonly number[],
  takenOf: (row: number) => ReadonlySet<Word>,
  figureBands: readonly Band[],
): Map<number, LineText> {
  const { rows, gap } = sheet;
  /** The words of a row that are no figures of a line. */
  const leftIn = (i: number) => {
    const taken = takenOf(i);
    return (rows[i] as Row).words.filter((word) => !taken.has(word));
  };
  // Where texts of several words begin.
  const beginnings = anchors.flatMap((i) =>
    cellsOf(leftIn(i), gap).flatMap((cell) =>
      cell.length > 1 && lettersOf(cell) > 5 ? (cell[0]?.x ?? []) : [],
    ),
  );
  const all = new Map(anchors.map((i) => [i, withoutMarks(leftIn(i), gap, beginnings)]));
  const { own: kept, columns } = withoutColumns([...all], gap, {
    start: startOf(sheet, [...all]),
    areDescribedApart: isTextAround(rows, anchors),
  });
  const heads = headingsOf(sheet, [...all]).map(({ x }) => x);
  const every = withoutUnits([...kept], takenOf, heads);
  // Anything to the right of all figures is in the margin, not in the table.
  const end = Math.max(...figureBands.map(({ right }) => right));
  const own = new Map(
    [...every].map(([i, words]) => {
      const inside = words.filter(({ x }) => x < end);
      return [i, inside.length > 0 ? inside : words] as const;
    }),
  );
  const start = Math.min(...[...own.values()].flatMap(([first]) => first?.x ?? []));
  const before = figureBands.filter(
    ({ right }) => start < Number.POSITIVE_INFINITY && right <= start,
  );
  const isOfColumn = (word: Word) =>
    [...columns, ...before].some(({ x, right }) => word.x < right && word.x + word.w > x);
  const rest = (i: number) =>
    leftIn(i).filter(
      (word) =>
        !isDashes(word.text) &&
        word.text !== '|' &&
        !isOfColumn(word) &&
        !(word.x >= end && start < end),
    );
  const blocks = wrapped(sheet, anchors, { own, rest });
  const isNumbered = ordinalsOf(anchors, blocks);
  return new Map(
    [...blocks].map(([line, words]) => [line, { text: sayingOf(words, isNumbered), words }]),
  );
}

/** Whether all of them begin with a number, a letter or a bullet of a list. */
function ordinalsOf(
  anchors: readonly number[],
  blocks: ReadonlyMap<number, readonly Word[]>,
): boolean {
  const firsts = anchors.flatMap((i) => blocks.get(i)?.[0]?.text ?? []);
  const ordinals = firsts.filter((text) => ORDINAL.test(text) || /^\d{1,3}$/.test(text));
  const isSequence =
    ordinals.length === firsts.length &&
    ordinals.every((text, i) => ordinalOf(text) === ordinalOf(ordinals[0] as string) + i);
  return isSequence && (firsts.length > 1 || ordinals.every((text) => ORDINAL.test(text)));
}

function ordinalOf(text: string): number {
  const number = Number.parseInt(text, 10);
  // After twenty-six items a list would start its letters again, which nobody does.
  return Number.isNaN(number) ? (text.toLowerCase().charCodeAt(0) - 97) % 26 : number;
}

/** The words as they are read: without the mark of a list, leaders, or hyphens that broke a code. */
function sayingOf(words: readonly Word[], isNumbered: boolean): string {
  let said = words.filter(({ text }) => !LEADER.test(text)).map(({ text }) => text);
  while (
    said.length > 1 &&
    (BULLET.test(said[0] as string) || (isNumbered && said[0] === words[0]?.text))
  )
    said = said.slice(1);
  return said
    .join(' ')
    .replace(/([\p{L}\d])- (?=\d)/gu, '$1-')
    .replace(/(\p{Lu}|\d)- (?=\p{Lu})/gu, '$1-')
    .replace(/\s*(\.{4,}|…+|(\s\.){3,}|_{3,})\s*$/, '')
    .replace(/\s*[:|=]$/, '')
    .trim();
}

const isDashes = (text: string) => /^[-–—=_.…·|*]+$/.test(text) && text.length > 2;

/** Leaves out units, marks and taxes in a column of their own. */
function withoutMarks(all: readonly Word[], gap: number, beginnings: readonly number[]): Word[] {
  const isFar = (word: Word | undefined, next: Word | undefined) =>
    !word || !next || next.x - word.x - word.w > gap * next.h;
  const words = all.filter((_, i) => {
    // «IVA 21 %»
    const tax = [i, i - 1, i - 2].find((k) => isTaxName(all[k]) && isFar(all[k - 1], all[k]));
    return (
      tax === undefined ||
      !all.slice(tax + 1, i + 1).every(({ text }) => /^[\d.,]*%?$/.test(text)) ||
      !/\d/.test(all[tax + 1]?.text ?? '')
    );
  });
  return words.filter((word, i) => {
    const [before, next] = [words[i - 1], words[i + 1]];
    // The «m» of «barra 6 m» may be a little further from its figure than words are.
    const near = /\d$/.test(before?.text ?? '') ? Math.max(gap, 0.9) : gap;
    const isApart =
      (!before || word.x - before.x - before.w > near * word.h) &&
      (!next || next.x - word.x - word.w > gap * word.h);
    const plain = undotted(plainOf(word.text));
    if (plain === '|') return false;
    if (/^[-–—%€]+$/.test(plain)) return !isApart;
    // The «horas» of «10 horas» may be all that wraps.
    if (beginnings.some((x) => Math.abs(x - word.x) < 0.5 * word.h)) return true;
    return !(isApart && (UNIT.test(plain) || /^(iva|igic|ipsi|vat|eur|exent[oa])$/.test(plain)));
  });
}

/**
 * Leaves out the units between quantities and descriptions: the «kg» of «7,50 kg Café», if all lines have one there. What
 * begins below the heading of the descriptions is none, as «Horas de oficial».
 */
function withoutUnits(
  all: readonly (readonly [number, readonly Word[]])[],
  takenOf: (row: number) => ReadonlySet<Word>,
  heads: readonly number[],
): Map<number, readonly Word[]> {
  const isUnit = ([row, words]: (typeof all)[number]) => {
    const [first] = words;
    const isBeside = (word: Word) =>
      first !== undefined &&
      /\d$/.test(word.text) &&
      first.x > word.x &&
      first.x - word.x - word.w < first.h;
    const isHeaded = heads.some((x) => Math.abs((first?.x ?? 0) - x) < 0.3 * (first?.h ?? 0));
    return !isHeaded && UNIT.test(plainOf(first?.text ?? '')) && [...takenOf(row)].some(isBeside);
  };
  const areUnits = all.every(isUnit);
  return new Map(all.map(([row, words]) => [row, areUnits ? words.slice(1) : words]));
}

/** What the column of the descriptions is called. */
const TEXT_HEADING = /^(descripc|concepto|detalle|articulo|denominac|producto|servicio|trabajo)/;

/**
 * Where the descriptions begin, according to their heading, if all lines that begin before it have a word there: codes
 * or dates may be as close to it as words are.
 */
function startOf(sheet: Sheet, lines: readonly (readonly [number, readonly Word[]])[]) {
  const headings = headingsOf(sheet, lines);
  const isAt = (x: number) => (word: Word) => Math.abs(word.x - x) < 0.65 * word.h;
  return headings
    .map(({ x }) => x)
    .find((x) => {
      const before = lines.filter(([, [word]]) => word && word.x < x - word.h);
      const isApart = ([, [code, first]]: (typeof lines)[number]) =>
        first !== undefined && isAt(x)(first) && /\d|-$/.test(code?.text ?? '');
      return before.length > 1 && before.every(isApart);
    });
}

/** The headings of descriptions above the first line. */
function headingsOf({ rows }: Sheet, lines: readonly (readonly [number, readonly Word[]])[]) {
  const first = lines[0]?.[0] ?? 0;
  return rows
    .slice(Math.max(0, first - 3), first)
    .flatMap((row) => row.words.filter(({ text }) => TEXT_HEADING.test(plainOf(text))));
}

/** Whether there is at least one row of text for each line around their own rows, which may then have only codes. */
function isTextAround(rows: readonly Row[], anchors: readonly number[]): boolean {
  const isLine = new Set(anchors);
  const texts = rows
    .slice(Math.max(0, (anchors[0] ?? 0) - 1), (anchors.at(-1) ?? 0) + 2)
    .filter((row) => !isLine.has(rows.indexOf(row)))
    .filter(({ cells, plain }) => cells.length === 1 && /[a-z]{3}/.test(plain));
  return anchors.length > 1 && texts.length >= anchors.length;
}

const isTaxName = (word: Word | undefined) =>
  word !== undefined && /^(iva|igic|ipsi|vat)$/.test(undotted(plainOf(word.text)));

const lettersOf = (words: readonly Word[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** Leaves out other columns than the description: codes, dates, lots, letters of rates. */
function withoutColumns(
  rest: readonly (readonly [number, readonly Word[]])[],
  gap: number,
  {
    start,
    areDescribedApart,
  }: { readonly start: number | undefined; readonly areDescribedApart: boolean },
): { own: Map<number, readonly Word[]>; columns: Band[] } {
  const cells = rest.flatMap(([row, words]) =>
    cellsOf(words, gap, start).map((cell) => ({ row, words: cell, ...bandOf(cell) })),
  );
  const rows = rest.filter(([, words]) => words.length > 0).length;
  // They are aligned on their left edge, or over most of their width.
  const columns: { cells: typeof cells; band: Band }[] = [];
  for (const cell of [...cells].sort((a, b) => a.x - b.x)) {
    const h = cell.words[0]?.h ?? 10;
    const column = columns.find(
      ({ cells: [first], band }) =>
        Math.abs((first as Band).x - cell.x) < 0.5 * h ||
        Math.min(band.right, cell.right) - Math.max(band.x, cell.x) >
          0.5 * Math.min(band.right - band.x, cell.right - cell.x),
    );
    if (column) {
      column.cells.push(cell);
      column.band = {
        x: Math.min(column.band.x, cell.x),
        right: Math.max(column.band.right, cell.right),
      };
    } else columns.push({ cells: [cell], band: cell });
  }
  const isCode = (words: readonly Word[]) =>
    isCodeLike(words) ||
    // A name in capitals beside text that is not in capitals.
    (words.length === 1 && /^\p{Lu}{2,8}$/u.test(words[0]?.text ?? '') && !isAllUpper);
  const isAllUpper = !rest.some(([, words]) => words.some(({ text }) => /\p{Ll}{3}/u.test(text)));
  const heft = ({ cells: list }: (typeof columns)[number]) =>
    list.reduce((sum, { words }) => sum + lettersOf(words), 0);
  const [main] = [...columns].sort((a, b) => heft(b) - heft(a));
  const dropped = columns.filter((column) => {
    if (column === main && !areDescribedApart) return false;
    const inRows = new Set(column.cells.map(({ row }) => row)).size;
    const areShort = column.cells.every(({ words }) => words.length <= 2 && lettersOf(words) <= 16);
    const areCodes = column.cells.every(({ words }) => isCode(words));
    if (column === main) return areCodes && column.cells.every(({ words }) => words.length === 1);
    return areShort && (areCodes || (inRows >= 2 && inRows >= 0.6 * rows));
  });
  const gone = new Set(dropped.flatMap(({ cells: list }) => list.flatMap(({ words }) => words)));
  const own = new Map(
    rest.map(([row, words]) => {
      const kept = words.filter((word) => !gone.has(word));
      const isLabel = CODE_LABEL.test(plainOf(kept.map(({ text }) => text).join(' ')));
      return [row, isLabel ? [] : kept] as const;
    }),
  );
  return { own, columns: dropped.map(({ band }) => band) };
}

/** @param start where one begins, however close to what is before it */
function cellsOf(words: readonly Word[], gap: number, start = Number.NaN): Word[][] {
  const cells: Word[][] = [];
  for (const word of words) {
    const cell = cells.at(-1);
    const last = cell?.at(-1);
    const isStart = Math.abs(word.x - start) < 0.65 * word.h;
    if (cell && last && !isStart && word.x - last.x - last.w <= gap * word.h) cell.push(word);
    else cells.push([word]);
  }
  return cells;
}

function isCodeLike(words: readonly Word[]): boolean {
  const [first] = words;
  if (!first || words.length > 1)
    return CODE_LABEL.test(plainOf(words.map(({ text }) => text).join(' ')));
  const { text } = first;
  return (
    DATE.test(text) ||
    (/\d/.test(text) && /^[\p{L}\d][\p{L}\d./-]*$/u.test(text)) ||
    /^\p{Lu}{1,2}$/u.test(text)
  );
}
