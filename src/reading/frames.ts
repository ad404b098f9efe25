import type { GreyPage } from './tax-qr.ts';

/**
 * Takes away the frames of cells and cards, and rules of dashes or dots. Tesseract takes small frames for pictures and
 * drops what is in them, and reads dashes as letters. It deals with all other rules itself: those between columns even
 * help it to tell them apart.
 */

/** Darker than this there is ink, however pale; darker than the second value, what is not a gap between dots. */
const INK = 225;
const DOT = 150;
/** Width of a page at 300 dots per inch, in pixels. The sizes below are for such a page. */
const USUAL_WIDTH = 2_480;
const SHORTEST_SIDE = 90;
const THICKEST = 14;
/** Width and height of what turns off at the end of a level side: a round corner with the upright side. */
const CORNER = 28;
const TALLEST_SIDE = 400;
/** Of rules of dashes: the shortest level one, the thickest, the longest dash or gap, and the fewest dashes. */
const SHORTEST_DASHED = 120;
const THICKEST_DASH = 9;
const LONGEST_DASH = 13;
const FEWEST_DASHES = 6;

/** The page without frames and dashes. Frames that letters touch stay. */
export function withoutFrames<P extends GreyPage>(page: P): P {
  const by = page.width / USUAL_WIDTH;
  const isRule = new Uint8Array(page.width * page.height);
  const frames = markFrames(page, isRule, by);
  const dashes = markDashes(page, isRule, by);
  return frames || dashes ? { ...page, data: erased(page, isRule) } : page;
}

/** Marks of a pixel: it is of the level side of a frame, of a corner or an upright side, or of a rule of dashes. */
const LEVEL = 1;
const CORNERED = 2;
const DASHED = 3;

/** A run of ink along a row. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Returns whether there is any. */
function markFrames(page: GreyPage, isRule: Uint8Array, by: number): boolean {
  const { data, width, height } = page;
  const runs: Run[] = [];
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0, from = -1; x <= width; x += 1) {
      if (x < width && (data[at] as number) < INK) {
        if (from < 0) from = at;
      } else if (from >= 0) {
        if (at - from >= SHORTEST_SIDE * by && isBare(page, { from, to: at }, by))
          runs.push({ from, to: at });
        from = -1;
      }
      if (x < width) at += 1;
    }
  for (const { from, to } of runs) isRule.fill(LEVEL, from, to);
  const framed = new Set(
    runs.filter(({ from, to }) => {
      const corners = [from - 1, to].map((end) => markCorner(page, isRule, end, by));
      const isWhole = corners.every((corner) => corner !== null);
      // Of a rule that turns at one end only, it may be a letter.
      if (!isWhole) for (const at of corners.flatMap((corner) => corner ?? [])) isRule[at] = 0;
      return isWhole;
    }),
  );
  for (const { from, to } of runs) isRule.fill(0, from, to);
  for (const { from, to } of framed) isRule.fill(LEVEL, from, to);
  // The pale edges of a side are shorter than it.
  for (const run of [...runs, ...runs.toReversed()]) {
    const middle = (run.from + run.to) >> 1;
    if ([middle - width, middle, middle + width].some((at) => isRule[at] === LEVEL))
      isRule.fill(LEVEL, run.from, run.to);
  }
  return framed.size > 0;
}

/** Whether a run is thin between its corners, and nothing touches it there. */
function isBare({ data, width }: GreyPage, { from, to }: Run, by: number): boolean {
  const most = THICKEST * by;
  const corner = Math.round(CORNER * by);
  for (let at = from + corner; at < to - corner; at += 2)
    if (thicknessAt(data, at, { step: width, most, ink: INK }) > most) return false;
  return true;
}

/** How many pixels with ink there are in a line through one of them, up to one more than the most. */
function thicknessAt(
  data: Uint8Array,
  at: number,
  { step, most, ink }: { step: number; most: number; ink: number },
): number {
  let count = 1;
  for (const way of [step, -step])
    for (let next = at + way; count <= most && (data[next] ?? 255) < ink; next += way) count += 1;
  return count;
}

/**
 * Marks the ink that begins at the end of a level side, unless that has been done, and returns its pixels; null if
 * there is none, or it is wider than the upright side of a frame.
 */
function markCorner(
  { data, width }: GreyPage,
  isRule: Uint8Array,
  end: number,
  by: number,
): readonly number[] | null {
  const found: number[] = [];
  const waiting: number[] = [];
  let isKnown = false;
  const visit = (at: number) => {
    if (isRule[at] === CORNERED) isKnown = true;
    if (isRule[at] !== 0 || (data[at] as number) >= INK) return;
    isRule[at] = CORNERED;
    found.push(at);
    waiting.push(at);
  };
  for (const row of [-2, -1, 0, 1, 2])
    for (const column of [-1, 0, 1]) visit(end + row * width + column);
  if (isKnown) return found;
  let [left, right, top, bottom] = [width, 0, data.length, 0];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const [x, y] = [at % width, Math.floor(at / width)];
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    if (right - left > CORNER * by || bottom - top > TALLEST_SIDE * by) {
      for (const one of found) isRule[one] = 0;
      return null;
    }
    for (const next of [at - 1, at + 1, at - width, at + width]) visit(next);
  }
  return found.length > 0 ? found : null;
}

/** Dashes of one length with gaps of one width, so far. */
interface Dashes {
  start: number;
  end: number;
  count: number;
  dash: number;
  gap: number;
}

/** Dashes and gaps of a rule differ by no more than this, in pixels. */
const EVEN = 3;

/** Returns whether there are any. */
function markDashes({ data, width, height }: GreyPage, isRule: Uint8Array, by: number): boolean {
  const [longest, shortest] = [LONGEST_DASH * by, SHORTEST_DASHED * by];
  let isFound = false;
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    const dashes: Dashes = { start: 0, end: 0, count: 0, dash: 0, gap: 0 };
    for (let x = 0, run = 0; x <= width; x += 1) {
      if (x < width && (data[row + x] as number) < DOT) {
        run += 1;
        continue;
      }
      if (run === 0 && dashes.count === 0) continue;
      const isLast = run === 0 && (x - dashes.end > longest || x === width);
      if (isLast || (run > 0 && !goesOn(dashes, x, run))) {
        if (dashes.count >= FEWEST_DASHES && dashes.end - dashes.start >= shortest)
          mark({ from: row + dashes.start, to: row + dashes.end, step: 1 });
        dashes.count = 0;
      }
      if (run > 0 && run <= longest) add(dashes, x, run);
      run = 0;
    }
  }
  // The same down the columns, all of them at once: a page is stored row by row.
  const runs = new Uint16Array(width);
  const columns = Array.from(
    { length: width },
    (): Dashes => ({ start: 0, end: 0, count: 0, dash: 0, gap: 0 }),
  );
  for (let y = 0, at = 0; y <= height; y += 1)
    for (let x = 0; x < width; x += 1, at += 1) {
      if (y < height && (data[at] as number) < DOT) {
        runs[x] = (runs[x] as number) + 1;
        continue;
      }
      const run = runs[x] as number;
      const dashes = columns[x] as Dashes;
      if (run === 0 && dashes.count === 0) continue;
      const isLast = run === 0 && (y - dashes.end > longest || y === height);
      if (isLast || (run > 0 && !goesOn(dashes, y, run))) {
        if (dashes.count >= FEWEST_DASHES)
          mark({ from: dashes.start * width + x, to: dashes.end * width + x, step: width });
        dashes.count = 0;
      }
      if (run > 0 && run <= longest) add(dashes, y, run);
      runs[x] = 0;
    }
  return isFound;

  /** Whether a run that ends somewhere is one more of them. */
  function goesOn({ end, count, dash, gap }: Dashes, at: number, run: number): boolean {
    const before = at - run - end;
    return (
      count === 0 ||
      (run <= longest &&
        before <= longest &&
        Math.abs(run - dash) <= EVEN &&
        (count === 1 || Math.abs(before - gap) <= EVEN))
    );
  }

  function add(dashes: Dashes, at: number, run: number): void {
    if (dashes.count === 0) [dashes.start, dashes.dash] = [at - run, run];
    if (dashes.count === 1) dashes.gap = at - run - dashes.end;
    dashes.count += 1;
    dashes.end = at;
  }

  /** Marks what is between two pixels of a row or a column, if it is thin. */
  function mark({ from, to, step }: Run & { step: number }): void {
    const most = THICKEST_DASH * by;
    const across = { step: step === 1 ? width : 1, most, ink: DOT };
    let [thin, all] = [0, 0];
    for (let at = from; at < to; at += step) {
      if ((data[at] as number) >= DOT) continue;
      all += 1;
      if (thicknessAt(data, at, across) <= most) thin += 1;
    }
    if (thin < 0.9 * all) return;
    isFound = true;
    for (let at = from; at < to; at += step) if (isRule[at] === 0) isRule[at] = DASHED;
  }
}

/** Whitens what is marked and its pale edges, but no letter that touches it. */
function erased({ data: seen, width }: GreyPage, isRule: Uint8Array): Uint8Array {
  const data = seen.slice();
  for (let at = 0; at < data.length; at += 1) {
    const mark = isRule[at];
    if (mark === 0) continue;
    data[at] = 255;
    const steps = mark === LEVEL ? [width] : [1, width];
    for (const step of steps)
      for (const way of [step, -step]) {
        const [one, two, three] = [at + way, at + 2 * way, at + 3 * way];
        if ((seen[one] ?? 255) >= INK - 60 || (seen[two] ?? 255) >= INK) data[one] = 255;
        if ((seen[two] ?? 255) >= INK && (seen[three] ?? 255) >= INK) data[two] = 255;
      }
  }
  return data;
}
