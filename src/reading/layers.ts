import type { GreyPage } from './tax-qr.ts';

/**
 * Separates columns side by side whose lines are not level, like two addresses, or figures in the middle of a text of
 * two lines. Tesseract takes lines that merely overlap for one, and then drops or garbles half of it, so such columns
 * are read separately.
 */

/** Pixels of the page, from its top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** A part of a page with what is to be read together; the rest of it is white. */
export interface Layer extends GreyPage {
  readonly x: number;
  readonly y: number;
}

/**
 * A page is looked at in squares, this many across: a square is some 4 pixels at 300 dots per inch, a ninth of a
 * letter.
 */
const ACROSS = 620;
/** A darker pixel is ink. */
export const DARK = 128;
/** In squares. A longer run of ink is a rule or a frame, not letters. */
const LONGEST_WORD = 100;
const TALLEST_LETTER = 30;
/** White rows between blocks that do not belong together, and white columns between columns. */
const BETWEEN_BANDS = 4;
const BETWEEN_COLUMNS = 8;
/** A run of ink lower than this is not a line of text. */
const LOWEST_LINE = 4;
/**
 * Lines whose middles are further apart than this are not level. Letters with ascenders or descenders shift them less.
 */
const OFF = 3.5;
/** What needs more layers than this is not text. */
const MOST_LAYERS = 4;

/**
 * In squares: the width of the widest margin text, how near an edge it has to be, and the minimum length it runs along
 * it.
 */
const MARGIN_WIDTH = 26;
const MARGIN_REACH = ACROSS / 8;
const MARGIN_LENGTH = 120;

/** Where text runs up or down along an edge of the page, as the legal data of a company often do. */
export function marginsOf(page: GreyPage): readonly Box[] {
  const ink = inkOf(page);
  const whole = { from: 0, to: ink.height };
  const columns = runsOf(0, ink.width, 3, (x) => ink.hasColumn(x, whole));
  return [columns[0], columns.at(-1)].flatMap((column, i): Box[] => {
    if (!column || columns.length < 2 || column.to - column.from > MARGIN_WIDTH) return [];
    const reach = i === 0 ? column.to : ink.width - column.from;
    const runs = runsOf(0, ink.height, 4, (y) => ink.hasRow(y, column.from, column.to));
    const longest = Math.max(...runs.map(({ from, to }) => to - from));
    return reach < MARGIN_REACH && longest >= MARGIN_LENGTH
      ? [boxOf(column, whole, ink, page)]
      : [];
  });
}

/** A page with some boxes painted white. */
export function without<P extends GreyPage>(page: P, boxes: readonly Box[]): P {
  if (boxes.length === 0) return page;
  const data = page.data.slice();
  for (const box of boxes) whiten(data, page.width, box);
  return { ...page, data };
}

/** A box of a page turned on its side, so that text running up the page, or down, reads from left to right. */
export function turnedBox(page: GreyPage, box: Box, way: 'up' | 'down'): GreyPage {
  const [width, height] = [box.h, box.w];
  const data = new Uint8Array(width * height);
  for (let v = 0; v < height; v += 1)
    for (let u = 0; u < width; u += 1) {
      const [x, y] = turnedBack(box, way, u, v);
      data[v * width + u] = page.data[y * page.width + x] as number;
    }
  return { data, width, height };
}

/** Converts a pixel of a turned box into one of its page. */
export function turnedBack(box: Box, way: 'up' | 'down', u: number, v: number): [number, number] {
  return way === 'up' ? [box.x + v, box.y + box.h - 1 - u] : [box.x + box.w - 1 - v, box.y + u];
}

/** The page itself, or as many layers as it takes for the lines of all columns in a layer to be level. */
export function layersOf(page: GreyPage): readonly Layer[] {
  const apart = columnsApart(page);
  if (apart.length === 0) return [{ ...page, x: 0, y: 0 }];
  return [
    { ...without(page, apart.flat()), x: 0, y: 0 },
    ...apart.map((boxes) => cutOut(page, boxes)),
  ];
}

/** Boxes to be read separately from the page, grouped by layer; none where all lines are level. */
export function columnsApart(page: GreyPage): readonly (readonly Box[])[] {
  const ink = inkOf(page);
  const layers: Box[][] = [];
  for (const band of runsOf(0, ink.height, BETWEEN_BANDS, (y) => ink.hasRow(y, 0, ink.width))) {
    const columns = runsOf(0, ink.width, BETWEEN_COLUMNS, (x) => ink.hasColumn(x, band));
    if (columns.length < 2) continue;
    const lines = columns.map((column) => linesIn(ink, column, band));
    for (const [i, group] of levelGroups(lines).entries())
      if (i > 0)
        for (const at of group) {
          layers[i - 1] ??= [];
          layers[i - 1]?.push(boxOf(columns[at] as Run, band, ink, page));
        }
  }
  return layers;
}

/** From one square up to another, not including it. */
interface Run {
  readonly from: number;
  readonly to: number;
}

interface Ink {
  readonly width: number;
  readonly height: number;
  /** Side of a square in pixels. */
  readonly side: number;
  readonly hasRow: (y: number, from: number, to: number) => boolean;
  readonly hasColumn: (x: number, rows: Run) => boolean;
}

/** The squares of a page that have ink, not counting rules and frames. */
function inkOf({ data, width: pixels, height: tall }: GreyPage): Ink {
  const side = Math.max(1, Math.round(pixels / ACROSS));
  const [width, height] = [Math.floor(pixels / side), Math.floor(tall / side)];
  const dark = new Uint8Array(width * height);
  for (let y = 0; y < height * side; y += 1) {
    const row = Math.floor(y / side) * width;
    for (let x = 0; x < width * side; x += 1)
      if ((data[y * pixels + x] as number) < DARK) {
        const at = row + Math.floor(x / side);
        dark[at] = Math.min(255, (dark[at] as number) + 1);
      }
  }
  const least = Math.max(1, side / 2);
  const hasInk = dark.map((count) => (count >= least ? 1 : 0));
  const isRule = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1)
    markLong(hasInk, isRule, { start: y * width, step: 1, count: width }, LONGEST_WORD);
  for (let x = 0; x < width; x += 1)
    markLong(hasInk, isRule, { start: x, step: width, count: height }, TALLEST_LETTER);
  const isInk = (x: number, y: number) => hasInk[y * width + x] === 1 && !isRule[y * width + x];
  return {
    width,
    height,
    side,
    hasRow: (y, from, to) => {
      for (let x = from; x < to; x += 1) if (isInk(x, y)) return true;
      return false;
    },
    hasColumn: (x, { from, to }) => {
      for (let y = from; y < to; y += 1) if (isInk(x, y)) return true;
      return false;
    },
  };
}

/** Marks the runs of ink along a row or a column that are longer than any letter or word. */
function markLong(
  hasInk: Uint8Array,
  isRule: Uint8Array,
  { start, step, count }: { start: number; step: number; count: number },
  most: number,
): void {
  let from = 0;
  for (let i = 0; i <= count; i += 1) {
    if (i < count && hasInk[start + i * step] === 1) continue;
    if (i - from > most) for (let k = from; k < i; k += 1) isRule[start + k * step] = 1;
    from = i + 1;
  }
}

/** The runs separated by gaps at least as wide as `gap`. */
function runsOf(from: number, to: number, gap: number, has: (at: number) => boolean): Run[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = from; at < to; at += 1) {
    if (!has(at)) continue;
    const last = runs.at(-1);
    if (last && at - last.to < gap) last.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

function linesIn(ink: Ink, column: Run, band: Run): Run[] {
  return runsOf(band.from, band.to, 2, (y) => ink.hasRow(y, column.from, column.to)).filter(
    ({ from, to }) => to - from >= LOWEST_LINE,
  );
}

/** Columns, by index, grouped so that their lines are level with each other. The first column is in the first group. */
function levelGroups(lines: readonly (readonly Run[])[]): number[][] {
  const groups: number[][] = [];
  for (const [at, own] of lines.entries()) {
    const group =
      groups.find((one) => one.every((other) => areLevel(own, lines[other] ?? []))) ??
      (groups.length === MOST_LAYERS ? groups.at(-1) : undefined);
    if (group) group.push(at);
    else groups.push([at]);
  }
  return groups;
}

function areLevel(some: readonly Run[], others: readonly Run[]): boolean {
  return some.every((a) =>
    others.every((b) => {
      const isBeside = Math.min(a.to, b.to) > Math.max(a.from, b.from);
      return !isBeside || Math.abs(a.from + a.to - b.from - b.to) / 2 <= OFF;
    }),
  );
}

/** In pixels, with a little white around it. */
function boxOf(column: Run, band: Run, { side }: Ink, { width, height }: GreyPage): Box {
  const [x, y] = [Math.max(0, (column.from - 2) * side), Math.max(0, (band.from - 1) * side)];
  return {
    x,
    y,
    w: Math.min(width, (column.to + 2) * side) - x,
    h: Math.min(height, (band.to + 1) * side) - y,
  };
}

const MARGIN = 40;

/** The contents of some boxes of a page, with white around them. */
function cutOut(page: GreyPage, boxes: readonly Box[]): Layer {
  const x = Math.max(0, Math.min(...boxes.map((box) => box.x)) - MARGIN);
  const y = Math.max(0, Math.min(...boxes.map((box) => box.y)) - MARGIN);
  const width = Math.min(page.width, Math.max(...boxes.map((box) => box.x + box.w)) + MARGIN) - x;
  const height = Math.min(page.height, Math.max(...boxes.map((box) => box.y + box.h)) + MARGIN) - y;
  const data = new Uint8Array(width * height).fill(255);
  for (const box of boxes)
    for (let row = box.y; row < box.y + box.h; row += 1) {
      const from = row * page.width + box.x;
      data.set(page.data.subarray(from, from + box.w), (row - y) * width + box.x - x);
    }
  return { data, width, height, x, y };
}

function whiten(data: Uint8Array, width: number, box: Box): void {
  for (let row = box.y; row < box.y + box.h; row += 1)
    data.fill(255, row * width + box.x, row * width + box.x + box.w);
}
