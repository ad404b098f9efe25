import { DARK } from './cell-sides.ts';
import type { GreyPage } from './tax-qr.ts';

/**
 * Takes dotted and dashed rules off a page. Tesseract takes away whole rules by itself, but reads broken ones as letters,
 * together with the row that they touch.
 */

/** In pixels: a dot or dash is no longer, nor is the white after it. */
const LONGEST = 48;
/** In pixels: a thicker row of strokes is a row of letters. */
const THICKEST = 10;
/** Dashes one after another, as a cell may have; and those of a whole rule, since a text may have a few of them. */
const FEWEST = 6;
const FEWEST_IN_RULE = 24;
/** In pixels: by how much dashes and the white between them may differ from the first ones. */
const UNEVEN = 3;
/** The part of them that has white above and below: letters may touch the others. */
const FREE = 0.7;
/** In pixels: what is blurred around a dash, and how level the parts of a rule are. */
const BLUR = 1;
const LEVEL = 2;

/** The same page with its dotted and dashed rules painted white. */
export function withoutDashes<P extends GreyPage>(page: P): P {
  const rows = rowsOfDashes(page);
  const rules = rows.filter(
    ({ first }) =>
      rows
        .filter((other) => Math.abs(other.first - first) <= LEVEL)
        .reduce((sum, { dashes }) => sum + dashes, 0) >= FEWEST_IN_RULE,
  );
  if (rules.length === 0) return page;
  const { width, height } = page;
  const data = page.data.slice();
  for (const { first, last, runs } of rules)
    for (const { from, to } of [...runs, ...between(page, { first, last, runs }, rules)])
      for (let y = Math.max(0, first - BLUR); y <= Math.min(height - 1, last + BLUR); y += 1)
        data.fill(
          255,
          y * width + Math.max(0, from - BLUR),
          y * width + Math.min(width, to + BLUR),
        );
  return { ...page, data };
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Dashes beside each other, in all the rows of pixels that they take up. */
interface Dashes {
  readonly first: number;
  readonly last: number;
  readonly runs: readonly Run[];
}

function rowsOfDashes(page: GreyPage): readonly (Dashes & { readonly dashes: number })[] {
  const { data, width, height } = page;
  let open: { first: number; last: number; rows: (readonly Run[])[] }[] = [];
  const done: typeof open = [];
  for (let y = 0; y < height; y += 1) {
    for (const runs of dashesIn(data.subarray(y * width, (y + 1) * width))) {
      const over = open.find(({ last, rows }) => last >= y - 1 && touch(rows.at(-1), runs));
      if (over) {
        over.last = y;
        over.rows.push(runs);
      } else open.push({ first: y, last: y, rows: [runs] });
    }
    if (open.length === 0) continue;
    done.push(...open.filter(({ last }) => last < y));
    open = open.filter(({ last }) => last === y);
  }
  return [...done, ...open]
    .map(({ first, last, rows }) => ({
      first,
      last,
      runs: rows.flat(),
      dashes: Math.max(...rows.map((runs) => runs.length)),
    }))
    .filter((one) => one.last - one.first < THICKEST && isFree(page, one));
}

/** The dashes of equal length, equally far apart, in a row of pixels. */
function* dashesIn(row: Uint8Array): Generator<readonly Run[]> {
  let dashes: Run[] = [];
  let start = -1;
  for (let x = 0; x <= row.length; x += 1) {
    const isDark = x < row.length && (row[x] as number) < DARK;
    if (isDark && start < 0) start = x;
    if (isDark || start < 0) continue;
    const run = { from: start, to: x };
    start = -1;
    if (follows(run, dashes)) dashes.push(run);
    else {
      if (dashes.length >= FEWEST) yield dashes;
      dashes = lengthOf(run) < LONGEST ? [run] : [];
    }
  }
  if (dashes.length >= FEWEST) yield dashes;
}

function follows(run: Run, dashes: readonly Run[]): boolean {
  const [first, second, last] = [dashes[0], dashes[1], dashes.at(-1)];
  if (!first || !last || run.from - last.to > LONGEST) return false;
  const step = second ? second.from - first.from : run.from - last.from;
  return (
    Math.abs(lengthOf(run) - lengthOf(first)) <= UNEVEN &&
    Math.abs(run.from - last.from - step) <= UNEVEN
  );
}

const lengthOf = ({ from, to }: Run) => to - from;

const touch = (some: readonly Run[] = [], others: readonly Run[]) =>
  (some[0]?.from ?? 0) < (others.at(-1)?.to ?? 0) &&
  (others[0]?.from ?? 0) < (some.at(-1)?.to ?? 0);

/** Whether most of them have nothing above nor below, as parts of letters do. */
function isFree(page: GreyPage, { first, last, runs }: Dashes): boolean {
  const free = runs.filter(
    (run) => isWhite(page, first - 1 - BLUR, run) && isWhite(page, last + 1 + BLUR, run),
  );
  return free.length >= FREE * runs.length;
}

function isWhite({ data, width, height }: GreyPage, y: number, { from, to }: Run): boolean {
  if (y < 0 || y >= height) return true;
  for (let x = from; x < to; x += 1) if ((data[y * width + x] as number) < DARK) return false;
  return true;
}

/** What joins some dashes with the next ones of their rule, where the ends of two cells meet. */
function between(page: GreyPage, { first, last, runs }: Dashes, all: readonly Dashes[]): Run[] {
  const end = Math.max(...runs.map(({ to }) => to));
  return all
    .filter((other) => Math.abs(other.first - first) <= LEVEL)
    .map((other) => Math.min(...other.runs.map(({ from }) => from)))
    .filter((start) => start > end && start - end < 2 * LONGEST)
    .map((start) => ({ from: end, to: start }))
    .filter((gap) => isWhite(page, first - 1 - BLUR, gap) && isWhite(page, last + 1 + BLUR, gap));
}
