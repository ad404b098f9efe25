import type { GreyPage } from './tax-qr.ts';

/**
 * Paints over what colours the paper under letters: dark headings of tables, grey rows, boxes. Tesseract tells ink from
 * paper by one brightness for the whole page, so that what is printed on such a colour would be lost, often with the
 * rest of its row.
 */

/** A page is looked at in squares, this many across: one is 8 pixels at 300 dots per inch. */
const ACROSS = 310;
/** Values within a square of one colour, and of neighbouring ones, differ by no more than this. */
const EVEN = 24;
const SAME = 10;
/** Fewer squares than this are a piece of a letter, or dust. */
const FEWEST = 24;
/** Pixels that are this close to a colour are of it. */
const NEAR = 16;
/** Letters differ from what is under them by more than this. */
const CONTRAST = 40;
/** Coloured paper is darker than this, as a part of the page's own. */
const TINTED = 0.95;
/** In pixels, from the top left corner, without their ends. */
interface Rectangle {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** The page with the paper's own brightness instead of colours, and dark letters where they were light. */
export function withoutFills<P extends GreyPage>(page: P): P {
  const squares = squaresOf(page);
  const paper = paperOf(squares);
  const fills = fillsOf(squares, TINTED * paper).sort((a, b) => b.count - a.count);
  if (fills.length === 0) return page;
  const own = { ...page, data: page.data.slice() };
  const painted: Rectangle[] = [];
  for (const { box, seed } of fills) {
    const isDone = painted.some((one) => isWithin(seed, one));
    const done = isDone ? null : paintOver(own, box, { seed, paper, side: squares.side });
    if (done) painted.push(done);
  }
  return own;
}

interface Squares {
  readonly width: number;
  readonly height: number;
  /** In pixels. */
  readonly side: number;
  readonly darkest: Uint8Array;
  readonly lightest: Uint8Array;
}

function squaresOf({ data, width: pixels, height: tall }: GreyPage): Squares {
  const side = Math.max(2, Math.round(pixels / ACROSS));
  const [width, height] = [Math.floor(pixels / side), Math.floor(tall / side)];
  const darkest = new Uint8Array(width * height).fill(255);
  const lightest = new Uint8Array(width * height);
  for (let y = 0; y < height * side; y += 1) {
    const row = Math.floor(y / side) * width;
    for (let x = 0, at = row, left = side, from = y * pixels; x < width * side; x += 1) {
      const value = data[from + x] as number;
      if (value < (darkest[at] as number)) darkest[at] = value;
      if (value > (lightest[at] as number)) lightest[at] = value;
      left -= 1;
      if (left === 0) {
        at += 1;
        left = side;
      }
    }
  }
  return { width, height, side, darkest, lightest };
}

/** The brightness of bare paper: that of most of the squares of one colour that are light. */
function paperOf({ darkest, lightest }: Squares): number {
  const histogram = new Uint32Array(256);
  for (let i = 0; i < darkest.length; i += 1) {
    const [dark, light] = [darkest[i] as number, lightest[i] as number];
    if (light - dark <= EVEN && light > 128) histogram[light] = (histogram[light] as number) + 1;
  }
  const most = Math.max(...histogram);
  return most === 0 ? 255 : histogram.lastIndexOf(most);
}

interface Fill {
  readonly box: Rectangle;
  /** A pixel of it, from the top left corner. */
  readonly seed: readonly [number, number];
  /** Of squares. */
  readonly count: number;
}

/** Neighbouring squares of one colour, with dark letters or without, in boxes of whole squares. */
function fillsOf({ width, height, side, darkest, lightest }: Squares, most: number): Fill[] {
  const isLeft = lightest.map((light) => (light < most ? 1 : 0));
  const isBare = (at: number) => (lightest[at] as number) - (darkest[at] as number) <= EVEN;
  const fills: Fill[] = [];
  for (let start = isLeft.indexOf(1); start >= 0; start = isLeft.indexOf(1, start + 1)) {
    if (!isBare(start)) continue;
    const waiting = [start];
    isLeft[start] = 0;
    let [left, right, top, bottom, count, bare] = [width, 0, height, 0, 0, 0];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      count += 1;
      if (isBare(at)) bare += 1;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      for (const next of [at - 1, at + 1, at - width, at + width]) {
        if (isLeft[next] !== 1 || Math.abs((next % width) - x) > 1) continue;
        if (Math.abs((lightest[next] as number) - (lightest[at] as number)) > SAME) continue;
        isLeft[next] = 0;
        waiting.push(next);
      }
    }
    if (count < FEWEST || bare < FEWEST / 4) continue;
    fills.push({
      box: { x0: left * side, x1: (right + 1) * side, y0: top * side, y1: (bottom + 1) * side },
      seed: [((start % width) + 0.5) * side, (Math.floor(start / width) + 0.5) * side],
      count,
    });
  }
  return fills;
}

/** Paints one rectangle, if it is one, and returns it. */
function paintOver(
  page: GreyPage & { readonly data: Uint8Array },
  box: Rectangle,
  { seed, paper, side }: { seed: Fill['seed']; paper: number; side: number },
): Rectangle | null {
  const { data, width } = page;
  const colour = data[Math.floor(seed[1]) * width + Math.floor(seed[0])] as number;
  if (colour >= TINTED * paper) return null;
  const whole = grown(page, box, { colour, side });
  const { x0, x1, y0, y1 } = whole;
  let [own, dark, light] = [0, 0, 0];
  for (let y = y0; y < y1; y += 1)
    for (let at = y * width + x0; at < y * width + x1; at += 1) {
      const off = (data[at] as number) - colour;
      if (Math.abs(off) <= NEAR) own += 1;
      else if (off < -CONTRAST) dark += 1;
      else if (off > CONTRAST) light += 1;
    }
  const area = (x1 - x0) * (y1 - y0);
  if (own < 0.4 * area) return null;
  const isInverted = light > 2 * dark && colour < 0.8 * paper;
  const values = Uint8Array.from({ length: 256 }, (_, value) =>
    isInverted
      ? paper - Math.min(paper, Math.max(0, ((value - colour) * paper) / (paper - colour)))
      : Math.min(255, (value * paper) / Math.max(1, colour)),
  );
  for (let y = y0; y < y1; y += 1)
    for (let at = y * width + x0; at < y * width + x1; at += 1)
      data[at] = values[data[at] as number] as number;
  return whole;
}

function isWithin([x, y]: Fill['seed'], { x0, x1, y0, y1 }: Rectangle): boolean {
  return x >= x0 && x < x1 && y >= y0 && y < y1;
}

/** The rectangle with the rows and columns around it that are of its colour, but for letters. */
function grown(
  { data, width, height }: GreyPage,
  box: Rectangle,
  { colour, side }: { colour: number; side: number },
): Rectangle {
  let { x0, x1, y0, y1 } = box;
  const isOwn = (x: number, y: number) =>
    Math.abs((data[y * width + x] as number) - colour) <= NEAR;
  const hasRow = (y: number) => {
    let own = 0;
    for (let x = x0; x < x1; x += 2) if (isOwn(x, y)) own += 2;
    return own >= 0.5 * (x1 - x0);
  };
  const hasColumn = (x: number) => {
    let own = 0;
    for (let y = y0; y < y1; y += 2) if (isOwn(x, y)) own += 2;
    return own >= 0.15 * (y1 - y0);
  };
  const reach = 8 * side;
  const [top, bottom] = [Math.max(0, y0 - reach), Math.min(height, y1 + reach)];
  while (y0 > top && hasRow(y0 - 1)) y0 -= 1;
  while (y1 < bottom && hasRow(y1)) y1 += 1;
  while (x0 > 0 && hasColumn(x0 - 1)) x0 -= 1;
  while (x1 < width && hasColumn(x1)) x1 += 1;
  return { x0, x1, y0, y1 };
}
