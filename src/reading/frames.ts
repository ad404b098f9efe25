import type { GreyPage } from './tax-qr.ts';

/**
 * Takes away the frames of cells and cards. Tesseract takes small frames for pictures and drops what is in them. It
 * deals with all other rules itself: those between columns even help it to tell them apart.
 */

/** Darker than this there is ink, however pale. */
const INK = 225;
/** Width of a page at 300 dots per inch, in pixels. The sizes below are for such a page. */
const USUAL_WIDTH = 2_480;
const SHORTEST_SIDE = 90;
const THICKEST = 14;
/** Width and height of what turns off at the end of a level side: a round corner with the upright side. */
const CORNER = 28;
const TALLEST_SIDE = 400;

/** The page without frames, except those that letters touch. */
export function withoutFrames<P extends GreyPage>(page: P): P {
  const by = page.width / USUAL_WIDTH;
  const isRule = new Uint8Array(page.width * page.height);
  return markFrames(page, isRule, by) ? { ...page, data: erased(page, isRule) } : page;
}

/** Marks of a pixel: it is of the level side of a frame, or of a corner or an upright side. */
const LEVEL = 1;
const CORNERED = 2;

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
    if (thicknessAt(data, at, width, most) > most) return false;
  return true;
}

/** How many pixels with ink there are in a line through one of them, up to one more than the most. */
function thicknessAt(data: Uint8Array, at: number, step: number, most: number): number {
  let count = 1;
  for (const way of [step, -step])
    for (let next = at + way; count <= most && (data[next] ?? 255) < INK; next += way) count += 1;
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
