import { type Figure, isAmount, type Sheet, UNIT } from './line-figures.ts';
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

/** A heading over several lines, part of none of them. */
export const SECTION =
  /^(capitulo|partida|obra|albaran|n\/?albaran|s\/?pedido|seccion|fase|zona|apartado|grupo|matricula)\b.*\d|:$/;
/** Text around the lines that does not belong to them. */
const NO_ITEM =
  /\b([nc]\.?i\.?f|dni|tel|telefono)\b|rectifica(tiva|\b)|forma de pago|vencimiento|observaciones|^(conceptos?|honorarios|detalle|descripcion|por los siguientes conceptos)\b.{0,3}$|suma y sigue|pagina \d/;
/** A sum together with its amount: «Base imponible 40,00». */
const SUM =
  /^(total|sub-?\s?total|suma|(total )?base( imp\w*)?|importe (neto|bruto)|cuota|(\d+([.,]\d+)? ?% )?(iva|igic|ipsi|irpf|retencion))\b.*\d[.,]\d{2}( ?(€|eur|euros))?$/;
/** A code with a label that says so. */
const CODE_LABEL =
  /^(ref|refer?encia|sku|cod|codigo|ean|art|lote|s\/n|n\/s|n\.? ?(de )?serie)\b[.:ªº]*(\s*\S*\d\S*)?$/;
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
  const left = (i: number) => {
    const taken = takenOf(i);
    return withoutMarks(
      (rows[i] as Row).words.filter((word) => !taken.has(word)),
      gap,
      beginnings,
    );
  };
  // Where texts of several words begin.
  const beginnings = anchors.flatMap((i) => {
    const taken = takenOf(i);
    const words = (rows[i] as Row).words.filter((word) => !taken.has(word));
    return cellsOf(words, gap).flatMap((cell) =>
      cell.length > 1 && lettersOf(cell) > 5 ? (cell[0]?.x ?? []) : [],
    );
  });
  const all = new Map(anchors.map((i) => [i, left(i)]));
  const { own: kept, columns } = withoutColumns([...all], gap, {
    areDescribedApart: isTextAround(rows, anchors),
  });
  const every = withoutUnits([...kept], takenOf);
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
  const rest = (i: number) => {
    const taken = takenOf(i);
    return (rows[i] as Row).words.filter(
      (word) =>
        !taken.has(word) &&
        !isDashes(word.text) &&
        word.text !== '|' &&
        !isOfColumn(word) &&
        !(word.x >= end && start < end),
    );
  };
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
    return !(isApart && (UNIT.test(plain) || /^(iva|igic|ipsi|vat|eur)$/.test(plain)));
  });
}

/** Leaves out the units between quantities and descriptions: the «kg» of «7,50 kg Café», if all lines have one there. */
function withoutUnits(
  all: readonly (readonly [number, readonly Word[]])[],
  takenOf: (row: number) => ReadonlySet<Word>,
): Map<number, readonly Word[]> {
  const isUnit = ([row, words]: (typeof all)[number]) => {
    const [first] = words;
    const isBeside = (word: Word) =>
      first !== undefined &&
      /\d$/.test(word.text) &&
      first.x > word.x &&
      first.x - word.x - word.w < first.h;
    return UNIT.test(plainOf(first?.text ?? '')) && [...takenOf(row)].some(isBeside);
  };
  const areUnits = all.every(isUnit);
  return new Map(all.map(([row, words]) => [row, areUnits ? words.slice(1) : words]));
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

export interface Band {
  readonly x: number;
  readonly right: number;
}

const bandOf = (words: readonly Word[]): Band => ({
  x: Math.min(...words.map(({ x }) => x)),
  right: Math.max(...words.map(({ x, w }) => x + w)),
});

const lettersOf = (words: readonly Word[]) => words.reduce((sum, { text }) => sum + text.length, 0);

/** Leaves out other columns than the description: codes, dates, lots, letters of rates. */
function withoutColumns(
  rest: readonly (readonly [number, readonly Word[]])[],
  gap: number,
  { areDescribedApart }: { readonly areDescribedApart: boolean },
): { own: Map<number, readonly Word[]>; columns: Band[] } {
  const cells = rest.flatMap(([row, words]) =>
    cellsOf(words, gap).map((cell) => ({ row, words: cell, ...bandOf(cell) })),
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

function cellsOf(words: readonly Word[], gap: number): Word[][] {
  const cells: Word[][] = [];
  for (const word of words) {
    const cell = cells.at(-1);
    const last = cell?.at(-1);
    if (cell && last && word.x - last.x - last.w <= gap * word.h) cell.push(word);
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

/** The words of each line, from its own row and from those that wrap around it. */
function wrapped(
  sheet: Sheet,
  anchors: readonly number[],
  { own, rest }: Pick<Wrapping, 'own' | 'rest'>,
): Map<number, readonly Word[]> {
  const { rows, space } = sheet;
  const texts = new Map(anchors.map((i) => [i, own.get(i) ?? []]));
  const isText = textTest(sheet, anchors, { own, rest });
  const h = rows[anchors[0] ?? 0]?.h ?? 10;
  const stack = stackOf(rows, anchors, h, { isText, rest });
  const spoken = stack.seq.map((i, k) => {
    if (stack.is[k] === 'line') return own.get(i) ?? [];
    return stack.is[k] === 'text' ? rest(i) : [];
  });
  const goesOn = wrapTest(spoken, space * h);
  const isTop = takeBlocks({ ...stack, h, spoken, goesOn }, texts);
  const isEmpty = (line: number) =>
    !texts.get(line)?.some(({ text }) => /\p{L}{2}/u.test(text)) &&
    (own.get(line) ?? []).length === 0;
  const empty = anchors.filter(isEmpty);
  const between = new Set<number>();
  for (const line of empty) {
    const around = centred(rows, line, isText);
    texts.set(
      line,
      around.flatMap((i) => [...rest(i)]),
    );
    const [middle, near] = [rows[line], rows[around[around.length / 2] ?? -1]];
    // Between two rows of text that leave it no row of its own.
    if (middle && near && near.y - middle.y < 0.9 * middle.h) between.add(line);
  }
  const others = anchors.filter((line) => !between.has(line));
  if (empty.length > between.size) aboveOf(rows, others, { own, isText, rest, texts, goesOn });
  if (isTop) {
    overleaf(rows, anchors, { own, isText, rest, texts, goesOn, reach: stack.reach });
  }
  return texts;
}

/**
 * Returns a test for whether a row contains only text that may belong to a line, and begins where the texts of lines
 * do.
 */
function textTest(
  { rows, figures }: Sheet,
  anchors: readonly number[],
  { own, rest }: Pick<Wrapping, 'own' | 'rest'>,
): (row: number) => boolean {
  const lefts = anchors.flatMap((i) => own.get(i)?.[0]?.x ?? []).sort((a, b) => a - b);
  const left = lefts[lefts.length >> 1] ?? null;
  const isLine = new Set(anchors);
  return (i) => {
    const row = rows[i] as Row;
    const words = rest(i);
    const [first] = words;
    const plain = plainOf(words.map(({ text }) => text).join(' '));
    return (
      first !== undefined &&
      !isLine.has(i) &&
      isOneCell(words) &&
      ![SECTION, NO_ITEM, CODE_LABEL].some(
        (pattern) => pattern.test(plain) || pattern.test(row.plain),
      ) &&
      !SUM.test(undotted(plain)) &&
      !hasAmount(figures[i] ?? [], words) &&
      (left === null || Math.abs(first.x - left) < 0.6 * row.h)
    );
  };
}

/** The rows around the lines, one below another. */
interface Stack {
  readonly seq: readonly number[];
  readonly is: readonly ('line' | 'text' | null)[];
  /** Distance from each one down to the next. */
  readonly step: (k: number) => number;
  /** Rows that are no further apart than this belong together. */
  readonly reach: number;
}

function stackOf(
  rows: readonly Row[],
  anchors: readonly number[],
  h: number,
  { isText, rest }: Pick<Wrapping, 'isText' | 'rest'>,
): Stack {
  const isLine = new Set(anchors);
  // Rows with only figures of a line that is anchored in another row are skipped.
  const near = { from: (anchors[0] ?? 0) - 8, to: (anchors.at(-1) ?? 0) + 8 };
  const seq = [...rows.keys()].filter(
    (i) => i >= near.from && i <= near.to && (isLine.has(i) || rest(i).length > 0),
  );
  const steps = seq.map((i, k) => {
    const [a, b] = [rows[i] as Row, rows[seq[k + 1] ?? -1]];
    return b && a.page === b.page ? b.y + b.h - a.y - a.h : Number.POSITIVE_INFINITY;
  });
  const step = (k: number) => steps[k] ?? Number.POSITIVE_INFINITY;
  const is = seq.map((i) => (isLine.has(i) ? 'line' : isText(i) ? 'text' : null));
  const [between, within]: [number[], number[]] = [[], []];
  // The head and the foot of the sheet have a spacing of their own.
  let [top, end] = [is.indexOf('line'), is.lastIndexOf('line')];
  while (is[top - 1]) top -= 1;
  while (is[end + 1]) end += 1;
  for (let k = Math.max(0, top); k < end; k += 1) {
    if (is[k] === 'line' && is[k + 1] === 'line') between.push(step(k));
    else if (is[k] && is[k + 1]) within.push(step(k));
  }
  return { seq, is, step, reach: reachOf(between, within, h) };
}

/**
 * How far apart the rows of one line may be.
 *
 * @param between distances from a line to the next
 * @param within distances to and from rows that may wrap
 */
function reachOf(between: readonly number[], within: readonly number[], h: number): number {
  const apart = Math.min(...between);
  // Half a step where figures are vertically centred beside text that wraps. Printers round to their dots.
  const halves = within.filter((one) => one < 0.9 * h);
  const whole = within.filter((one) => one >= 0.9 * h);
  const wrap = halves.length > 0 ? 2 * Math.max(...halves) : Math.min(...whole);
  // The step from the end of a text to the next line, where figures are centred.
  const next = Math.min(...whole.filter((one) => halves.length > 0 && one > wrap + 0.1 * h));
  return wrap < Math.min(1.65 * h, apart - 0.06 * h)
    ? Math.min(wrap + 0.2 * h, apart - 0.03 * h, (wrap + next) / 2)
    : 0.7 * h;
}

interface Spoken {
  /** The words of each row that a line may take. */
  readonly spoken: readonly (readonly Word[])[];
}

/**
 * Gives each line the words of the rows that belong together with it.
 *
 * @returns whether no line has text above it
 */
function takeBlocks(
  {
    seq,
    is,
    step,
    reach,
    h,
    spoken,
    goesOn,
  }: Stack & Pick<Wrapping, 'goesOn'> & Spoken & { readonly h: number },
  texts: Map<number, readonly Word[]>,
): boolean {
  const wordsAt = (k: number) => spoken[k] ?? [];
  let isTop = true;
  const isUp = isWrappedUp({ is, spoken, goesOn });
  // Rows as far apart as lines are, where the next one begins with what did not fit.
  const isNext = (at: number) =>
    isUp
      ? is[at] === 'text' && step(at) < 2 * h && goesOn(wordsAt(at), wordsAt(at + 1))
      : is[at + 1] === 'text' &&
        step(at) < Math.min(2 * h, step(at + 1) + 0.15 * h) &&
        goesOn(wordsAt(at), wordsAt(at + 1));
  for (let k = 0; k < seq.length; ) {
    let end = k;
    while (is[end + 1] && (step(end) <= reach || isNext(end))) end += 1;
    const block = Array.from({ length: end - k + 1 }, (_, n) => k + n);
    const [line, ...more] = block.filter((n) => is[n] === 'line');
    if (line !== undefined && more.length === 0) {
      if (line !== block[0]) isTop = false;
      texts.set(seq[line] as number, block.flatMap(wordsAt));
    } else if (line !== undefined) {
      // Rows equally near to two lines go to the line whose text they continue, or to the one that continues theirs.
      const lines = [line, ...more];
      for (const [n, at] of lines.entries()) {
        const [before, until] = [lines[n - 1] ?? k - 1, more[n] ?? end + 1];
        let [from, to] = [at, at];
        if (isUp) while (from - 1 > before && goesOn(wordsAt(from - 1), wordsAt(from))) from -= 1;
        else while (to + 1 < until && goesOn(wordsAt(to), wordsAt(to + 1))) to += 1;
        const own = block.filter((one) => one >= from && one <= to);
        texts.set(seq[at] as number, own.flatMap(wordsAt));
      }
    }
    k = end + 1;
  }
  return isTop;
}

/** Whether the figures of lines are beside the last rows of their texts: each row of text between lines goes on. */
function isWrappedUp({
  is,
  spoken,
  goesOn,
}: Pick<Stack, 'is'> & Pick<Wrapping, 'goesOn'> & Spoken): boolean {
  const wordsAt = (k: number) => spoken[k] ?? [];
  const [first, last] = [is.indexOf('line'), is.lastIndexOf('line')];
  const between = [...is.keys()].filter((k) => k > first && k < last && is[k] === 'text');
  const areAllUp = between.every((k) => goesOn(wordsAt(k), wordsAt(k + 1)));
  const areAllDown = between.every((k) => goesOn(wordsAt(k - 1), wordsAt(k)));
  const startsLow = (k: number) => /^\p{Ll}/u.test(wordsAt(k)[0]?.text ?? '');
  const isRest = between.some((k) => is[k + 1] === 'line' && startsLow(k + 1));
  return between.length > 0 && areAllUp && (!areAllDown || isRest);
}

/** Returns a test for whether a row continues in the next: its first word did not fit in the width of them all. */
function wrapTest(all: readonly (readonly Word[])[], space: number) {
  const widest = Math.max(...all.map((words) => (words.length > 0 ? bandOf(words).right : 0)));
  return (above: readonly Word[], below: readonly Word[]): boolean => {
    const [first] = below;
    if (!first || above.length === 0) return false;
    return bandOf(above).right + space + first.w > widest + 0.05 * first.h;
  };
}

interface Wrapping {
  /** What the row of a line itself says. */
  readonly own: ReadonlyMap<number, readonly Word[]>;
  readonly isText: (row: number) => boolean;
  readonly rest: (row: number) => readonly Word[];
  readonly texts: Map<number, readonly Word[]>;
  readonly goesOn: (above: readonly Word[], below: readonly Word[]) => boolean;
}

/** For figures in rows of their own: decides whether the text above describes them, or the text below. */
function aboveOf(
  rows: readonly Row[],
  anchors: readonly number[],
  { own, isText, rest, texts, goesOn }: Wrapping,
): void {
  const run = (from: number, by: 1 | -1) => {
    const found: number[] = [];
    for (let i = from + by; i >= 0 && i < rows.length && !anchors.includes(i); i += by) {
      // Its text may have stayed on the previous page, with the headings repeated in between.
      const isOverleaf = (rows[from]?.page ?? 1) - (rows[found[0] ?? i]?.page ?? 1) === 1;
      if (by === -1 && found.length === 0 && (isOverleaf || anchors[0] !== from) && !isText(i)) {
        const hasFigures = /\d[.,]\d{2}/.test(rows[i]?.text ?? '');
        if (!hasFigures) continue;
      }
      if ((rows[i]?.page !== rows[found[0] ?? from]?.page && !isOverleaf) || !isText(i)) {
        const said = plainOf(
          rest(i)
            .map(({ text }) => text)
            .join(' '),
        );
        if (by === -1 && (said === '' || CODE_LABEL.test(said))) continue;
        break;
      }
      const last = found.at(-1);
      const [above, below] = by === -1 ? [i, last] : [last, i];
      if (above !== undefined && below !== undefined && !goesOn(rest(above), rest(below))) break;
      found.push(i);
    }
    return found.sort((a, b) => a - b);
  };
  const above = anchors.map((i) => run(i, -1));
  const below = anchors.map((i) => run(i, 1));
  const isAbove = above.filter((list) => list.length > 0).length > anchors.length / 2;
  for (const [k, line] of anchors.entries()) {
    // A line whose own row has text keeps only that.
    if ((own.get(line) ?? []).length > 0) continue;
    const words = ((isAbove ? above[k] : below[k]) ?? []).flatMap((i) => [...rest(i)]);
    if (words.length > 0) texts.set(line, words);
  }
}

/** The rest of a line that was cut off by the end of its page, below the headings of the next page. */
function overleaf(
  rows: readonly Row[],
  anchors: readonly number[],
  { isText, rest, texts, reach }: Wrapping & { readonly reach: number },
): void {
  for (const [k, line] of anchors.entries()) {
    const next = anchors[k + 1];
    const page = rows[line]?.page ?? 1;
    if (next === undefined || rows[next]?.page !== page + 1) continue;
    const top = Array.from({ length: next - line - 1 }, (_, i) => line + 1 + i).filter(
      (i) => rows[i]?.page === page + 1,
    );
    const found: number[] = [];
    for (const i of top) {
      const before = found.at(-1);
      const isNear = before === undefined || (rows[i] as Row).y - (rows[before] as Row).y <= reach;
      if (isText(i) && isNear) found.push(i);
      else if (found.length > 0) break;
    }
    const last = found.at(-1);
    // Rows as near to the next line as its own rows are belong to that line.
    if (last === undefined) continue;
    texts.set(line, [...(texts.get(line) ?? []), ...found.flatMap((i) => [...rest(i)])]);
  }
}

const isOneCell = (words: readonly Word[]) =>
  words.every((word, i) => {
    const before = words[i - 1];
    return !before || word.x - before.x - before.w < 0.95 * word.h;
  });

function hasAmount(figures: readonly Figure[], words: readonly Word[]): boolean {
  return figures.some(
    (one) => isAmount(one) && !one.isInText && one.words.some((word) => words.includes(word)),
  );
}

/** The rows of text centred vertically on a row of figures: as many above it as below. */
function centred(rows: readonly Row[], line: number, isText: (row: number) => boolean): number[] {
  const middle = rows[line] as Row;
  const placed = (i: number) => {
    const row = rows[i];
    return row && row.page === middle.page && isText(i) ? row : null;
  };
  const centre = ({ y, h }: Row) => y + h / 2;
  const texts: number[] = [];
  let [top, bottom] = [middle, middle];
  let reach = 2 * middle.h;
  for (let far = 1; ; far += 1) {
    const [above, below] = [placed(line - far), placed(line + far)];
    if (!above || !below) return texts;
    const [up, down] = [centre(top) - centre(above), centre(below) - centre(bottom)];
    if (Math.abs(up - down) > 0.4 * middle.h || Math.max(up, down) > reach) return texts;
    texts.unshift(line - far);
    texts.push(line + far);
    // Between two lines of it, and not between it and another line.
    if (far === 1) reach = 1.1 * (up + down);
    [top, bottom] = [above, below];
  }
}
