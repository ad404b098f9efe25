import type { GreyPage } from './tax-qr.ts';

/** Out of 255: a darker pixel may be of a rule. */
const DARK = 160;
/** In pixels: a longer stroke is no part of a letter, and a thicker one is a band of colour. */
const LONGEST = 110;
const THICKEST = 14;
/** In pixels: how far apart the places are at which the thickness is measured, and what is blurred around a rule. */
const STEP = 12;
const BLUR = 2;
/** The part of those places at which a rule is thin: it may cross others, and letters may touch it. */
const THIN = 0.7;

/** With fewer upright rules, a page has no boxes. */
const FEWEST = 2;

/**
 * The same page with its rules painted white; null if it has no boxes. Tesseract may take cells in thick ones for
 * pictures, and drop what is in them.
 */
export function withoutBoxes<P extends GreyPage>(page: P): P | null {
  const { data: from, width, height } = page;
  const data = from.slice();
  const isDark = (x: number, y: number) =>
    x >= 0 && x < width && y >= 0 && y < height && (from[y * width + x] as number) < DARK;
  const isThin = (isDarkAt: (along: number, across: number) => boolean, run: Run, at: number) => {
    let [all, thin] = [0, 0];
    for (let along = run.from; along < run.to; along += STEP) {
      let thick = 1;
      for (let by = 1; thick <= THICKEST && isDarkAt(along, at - by); by += 1) thick += 1;
      for (let by = 1; thick <= THICKEST && isDarkAt(along, at + by); by += 1) thick += 1;
      all += 1;
      if (thick <= THICKEST) thin += 1;
    }
    return thin >= THIN * all;
  };
  const paint = (x0: number, x1: number, y0: number, y1: number) => {
    for (let y = Math.max(0, y0); y < Math.min(height, y1); y += 1)
      data.fill(255, y * width + Math.max(0, x0), y * width + Math.min(width, x1));
  };
  for (let y = 0; y < height; y += 1)
    for (const run of runsOf(width, (x) => (from[y * width + x] as number) < DARK))
      if (isThin(isDark, run, y)) paint(run.from - BLUR, run.to + BLUR, y - BLUR, y + BLUR + 1);
  const lengths = new Uint16Array(width);
  let upright = 0;
  const end = (x: number, y: number) => {
    const length = lengths[x] as number;
    lengths[x] = 0;
    const run = { from: y - length, to: y };
    if (length <= LONGEST || !isThin((along, across) => isDark(across, along), run, x)) return;
    paint(x - BLUR, x + BLUR + 1, run.from - BLUR, run.to + BLUR);
    upright += 1;
  };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1)
      if ((from[y * width + x] as number) < DARK) lengths[x] = (lengths[x] as number) + 1;
      else if ((lengths[x] as number) > 0) end(x, y);
  for (let x = 0; x < width; x += 1) end(x, height);
  return upright < FEWEST ? null : { ...page, data };
}

interface Run {
  readonly from: number;
  readonly to: number;
}

/** The long runs of ink along a row. */
function runsOf(length: number, isInk: (at: number) => boolean): readonly Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (let at = 0; at <= length; at += 1) {
    if (at < length && isInk(at)) continue;
    if (at - from > LONGEST) runs.push({ from, to: at });
    from = at + 1;
  }
  return runs;
}
