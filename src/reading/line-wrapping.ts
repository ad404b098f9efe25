import { type Figure, isAmount, type Sheet } from './line-figures.ts';
import type { Word } from './shapes.ts';
import { undotted } from './values.ts';
import { plainOf, type Row } from './words.ts';

/** The rows that the text of a line takes up, above and below the row of its figures. */

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
export const CODE_LABEL =
  /^(ref|refer?encia|sku|cod|codigo|ean|art|lote|s\/n|n\/s|n\.? ?(de )?serie)\b[.:ªº]*(\s*\S*\d\S*)?$/;
export interface Band {
  readonly x: number;
  readonly right: number;
}

export const bandOf = (words: readonly Word[]): Band => ({
  x: Math.min(...words.map(({ x }) => x)),
  right: Math.max(...words.map(({ x, w }) => x + w)),
});

/** The words of each line, from its own row and from those that wrap around it. */
export function wrapped(
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
  // Of a block with several lines, each takes the rows whose text it continues, or those that continue its own.
  const partOf = (line: number, { block, lines }: Block): readonly number[] => {
    if (lines.length === 1) return block;
    const n = lines.indexOf(line);
    const [before, until] = [lines[n - 1] ?? -1, lines[n + 1] ?? seq.length];
    let [from, to] = [line, line];
    if (isUp) while (from - 1 > before && goesOn(wordsAt(from - 1), wordsAt(from))) from -= 1;
    else while (to + 1 < until && goesOn(wordsAt(to), wordsAt(to + 1))) to += 1;
    return block.filter((one) => one >= from && one <= to);
  };
  for (const found of blocksOf(is, (at) => step(at) <= reach || isNext(at))) {
    const { block, lines } = found;
    if (lines.length === 1 && lines[0] !== block[0]) isTop = false;
    for (const line of lines) {
      texts.set(seq[line] as number, partOf(line, found).flatMap(wordsAt));
    }
  }
  return isTop;
}

/** Rows one below another that belong together, and which of them are lines. */
interface Block {
  readonly block: readonly number[];
  readonly lines: readonly number[];
}

/** @param belongs whether a row and the next belong together */
function* blocksOf(is: Stack['is'], belongs: (at: number) => boolean): Generator<Block> {
  for (let k = 0; k < is.length; ) {
    let end = k;
    while (is[end + 1] && belongs(end)) end += 1;
    const block = Array.from({ length: end - k + 1 }, (_, n) => k + n);
    yield { block, lines: block.filter((n) => is[n] === 'line') };
    k = end + 1;
  }
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
  const run = (line: number, by: 1 | -1) =>
    textFrom(rows, line, { by, anchors, isText, rest, goesOn });
  const above = anchors.map((line) => run(line, -1));
  const below = anchors.map((line) => run(line, 1));
  const isAbove = above.filter((list) => list.length > 0).length > anchors.length / 2;
  for (const [k, line] of anchors.entries()) {
    // A line whose own row has text keeps only that.
    if ((own.get(line) ?? []).length > 0) continue;
    const words = ((isAbove ? above[k] : below[k]) ?? []).flatMap((i) => [...rest(i)]);
    if (words.length > 0) texts.set(line, words);
  }
}

/** The rows of the text directly above (`by` -1) or below (`by` 1) a line of figures, from top to bottom. */
function textFrom(
  rows: readonly Row[],
  line: number,
  {
    by,
    anchors,
    isText,
    rest,
    goesOn,
  }: Pick<Wrapping, 'isText' | 'rest' | 'goesOn'> & {
    readonly by: 1 | -1;
    readonly anchors: readonly number[];
  },
): number[] {
  const found: number[] = [];
  const pageOf = (i: number) => rows[i]?.page;
  const isFollowed = (i: number) => {
    const last = found.at(-1);
    return (
      last === undefined || (by === 1 ? goesOn(rest(last), rest(i)) : goesOn(rest(i), rest(last)))
    );
  };
  const isEmptyOrCode = (i: number) => {
    const said = plainOf(
      rest(i)
        .map(({ text }) => text)
        .join(' '),
    );
    return said === '' || CODE_LABEL.test(said);
  };
  for (let i = line + by; i >= 0 && i < rows.length && !anchors.includes(i); i += by) {
    // Its text may have stayed on the previous page, with the headings repeated in between.
    const isOverleaf = (pageOf(line) ?? 1) - (pageOf(found[0] ?? i) ?? 1) === 1;
    const isHere = isOverleaf || pageOf(i) === pageOf(found[0] ?? line);
    if (isHere && isText(i)) {
      if (!isFollowed(i)) break;
      found.push(i);
      continue;
    }
    if (by === 1) break;
    // Between a line and the text above it, where that cannot be what stands over the whole table.
    const mayBeOver = found.length === 0 && (isOverleaf || anchors[0] !== line) && !isText(i);
    const isPassed = mayBeOver && !/\d[.,]\d{2}/.test(rows[i]?.text ?? '');
    if (!isPassed && !isEmptyOrCode(i)) break;
  }
  return found.sort((a, b) => a - b);
}

/**
 * The rest of a line that was cut off by the end of its page, below the headings of the next page. What both pages have
 * in the same place is their letterhead.
 */
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
      (i) => rows[i]?.page === page + 1 && !isRepeated(rows, page, rest(i)),
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

/** Whether a page has all of these words of another one in the same place. */
function isRepeated(rows: readonly Row[], page: number, words: readonly Word[]): boolean {
  const there = rows.filter((row) => row.page === page).flatMap((row) => row.words);
  return words.every(({ text, x, y, h }) =>
    there.some(
      (one) => one.text === text && Math.abs(one.x - x) < 0.3 * h && Math.abs(one.y - y) < 0.3 * h,
    ),
  );
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
