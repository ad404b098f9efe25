import sharp from 'sharp';
import { byMatrix, inTurn, type Matrix, moved, type Point, scaled, turned } from './plane.ts';
import { median } from './seen-words.ts';
import { sheetOn } from './sheet-edges.ts';
import type { GreyPage } from './tax-qr.ts';

/** A page prepared for OCR, and where each of its points was on the original picture. */
export interface UprightPage extends GreyPage {
  /** Converts its pixels to fractions of the width and height of the original picture. */
  readonly toPaper: (x: number, y: number) => Point;
}

/** Size of the page for OCR: an A4 at 300 dots per inch. More only takes longer, with less it misreads. */
const WIDTH = 2_480;
const LONGEST = 3_700;
/** Size at which the sheet and its lines are looked for. */
const SMALL = 800;
/** How crooked a sheet may be, in degrees; more than that is a turn. */
const MOST_SKEW = 10;
/** Less than this is not worth redrawing it. */
const LEAST_SKEW = 0.12;
/** Letters of a word are less than twice this apart, lines are not. */
const REACH = 2;
/** Mean difference between neighbouring pixels on bare paper that the grain of a sensor causes. */
const GRAIN = 6;

/**
 * The sheet on a picture, cut out from the table under it, turned and straightened, with even light and no grain. It
 * may still be upside down: only reading it tells.
 */
export async function uprightPage(picture: GreyPage): Promise<UprightPage> {
  const page = await withoutGrain(picture);
  const small = await resized(page, SMALL, Math.round((page.height * SMALL) / page.width));
  const sheet = await sheetOn(small);
  const size = sheet ?? small;
  const fromSheet: Matrix = sheet ? sheet.toPicture : scaled(1);
  const ink = await inkOf(sheet ? redrawn(small, fromSheet, size) : small);
  const isSideways = standOnEnd(ink, {
    width: Math.round(size.width),
    height: Math.round(size.height),
  });
  const { degrees } = skewOf(isSideways ? ink.map(([x, y]): Point => [y, size.width - x]) : ink);
  const [width, height] = isSideways ? [size.height, size.width] : [size.width, size.height];
  const grow = Math.min(WIDTH / width, LONGEST / height);
  const out = { width: Math.round(width * grow), height: Math.round(height * grow) };
  const onSmall = inTurn(
    scaled(1 / grow),
    ...(Math.abs(degrees) < LEAST_SKEW
      ? []
      : [moved(-width / 2, -height / 2), turned(degrees), moved(width / 2, height / 2)]),
    // A quarter turn back: its right side becomes the top.
    ...(isSideways ? [[0, -1, size.width, 1, 0, 0, 0, 0, 1] as const] : []),
    fromSheet,
  );
  const isAsItCame = !sheet && !isSideways && Math.abs(degrees) < LEAST_SKEW;
  const drawn = isAsItCame
    ? await resized(page, out.width, out.height)
    : await redrawnFrom(page, onSmall, { small, grow, out });
  const toSmall = byMatrix(onSmall);
  return {
    ...withEvenLight(drawn),
    toPaper: (x, y) => {
      const [px, py] = toSmall(x, y);
      return [px / small.width, py / small.height];
    },
  };
}

/** The same page the other way up. */
export function upsideDown({ data, width, height, toPaper }: UprightPage): UprightPage {
  return {
    data: Uint8Array.from(data).reverse(),
    width,
    height,
    toPaper: (x, y) => toPaper(width - x, height - y),
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Redraws from the whole page, scaled to about its final size, so that small text is not enlarged twice. */
async function redrawnFrom(
  page: GreyPage,
  onSmall: Matrix,
  { small, grow, out }: { small: Size; grow: number; out: Size },
): Promise<GreyPage> {
  const side = Math.round(small.width * grow);
  const source =
    page.width < 0.9 * side
      ? await resized(page, side, Math.round((page.height * side) / page.width))
      : page;
  return redrawn(source, inTurn(onSmall, scaled(source.width / small.width)), out);
}

/** Each pixel comes from where the matrix says, interpolated between four neighbours; white outside. */
function redrawn({ data, width, height }: GreyPage, matrix: Matrix, size: Size): GreyPage {
  const [a, b, c, d, e, f, g, h, i] = matrix;
  const [w, tall] = [Math.round(size.width), Math.round(size.height)];
  const out = new Uint8Array(w * tall).fill(255);
  for (let v = 0; v < tall; v += 1) {
    for (let u = 0; u < w; u += 1) {
      const by = g * u + h * v + i;
      const x = (a * u + b * v + c) / by;
      const y = (d * u + e * v + f) / by;
      if (x < 0 || y < 0 || x >= width - 1 || y >= height - 1) continue;
      const [left, top] = [x | 0, y | 0];
      const [fx, fy] = [x - left, y - top];
      const at = top * width + left;
      const above = (data[at] as number) * (1 - fx) + (data[at + 1] as number) * fx;
      const below = (data[at + width] as number) * (1 - fx) + (data[at + width + 1] as number) * fx;
      out[v * w + u] = above * (1 - fy) + below * fy;
    }
  }
  return { data: out, width: w, height: tall };
}

const image = ({ data, width, height }: GreyPage) =>
  sharp(data, { raw: { width, height, channels: 1 } });

async function resized(page: GreyPage, width: number, height: number): Promise<GreyPage> {
  if (page.width === width && page.height === height) return page;
  const data = await image(page)
    .resize({ width, height: Math.max(1, height), fit: 'fill', kernel: 'cubic' })
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  return { data, width, height: Math.max(1, height) };
}

/** Grain is smaller than a stroke, unless the letters are very small. */
async function withoutGrain(page: GreyPage): Promise<GreyPage> {
  if (grainOf(page) < GRAIN) return page;
  const clean = page.width > 1_500 ? image(page).median(3) : image(page).blur(0.7);
  return { ...page, data: await clean.toColourspace('b-w').raw().toBuffer() };
}

function grainOf({ data, width, height }: GreyPage): number {
  let [sum, count] = [0, 0];
  const step = Math.max(1, Math.floor((width * height) / 200_000));
  for (let at = 0; at < width * height - 1; at += step) {
    const [one, next] = [data[at] as number, data[at + 1] as number];
    // Only bare paper, however dim the light: strokes differ by more.
    if (one < 110 || Math.abs(one - next) > 60) continue;
    sum += Math.abs(one - next);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

/** Where there is ink: darker than its surroundings, and not a rule or a band of colour. */
async function inkOf(page: GreyPage): Promise<Point[]> {
  const { width, height, data } = page;
  const around = await image(page).blur(9).toColourspace('b-w').raw().toBuffer();
  const isInk = new Uint8Array(width * height);
  for (let i = 0; i < isInk.length; i += 1) {
    isInk[i] = (around[i] as number) - (data[i] as number) > 22 ? 1 : 0;
  }
  // Rules that cross are told before any is taken away: it would cut the others into strokes.
  const isRule = new Uint8Array(width * height);
  markRuns(isInk, isRule, { count: height, length: width, next: 1, line: width });
  markRuns(isInk, isRule, { count: width, length: height, next: width, line: 1 });
  const points: Point[] = [];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = y * width + x;
      if (isInk[at] === 1 && isRule[at] === 0) points.push([x, y]);
    }
  }
  return points;
}

const LONGEST_STROKE = 28;

function markRuns(
  isInk: Uint8Array,
  isRule: Uint8Array,
  { count, length, next, line }: { count: number; length: number; next: number; line: number },
): void {
  for (let i = 0; i < count; i += 1) {
    let run = 0;
    for (let j = 0; j <= length; j += 1) {
      if (j < length && isInk[i * line + j * next]) {
        run += 1;
        continue;
      }
      if (run > LONGEST_STROKE) {
        for (let back = j - run; back < j; back += 1) isRule[i * line + back * next] = 1;
      }
      run = 0;
    }
  }
}

/** The slope at which the ink forms rows best, and how well it does. */
function skewOf(ink: readonly Point[]): { degrees: number; score: number } {
  const step = Math.max(1, Math.floor(ink.length / 40_000));
  const some = ink.filter((_, i) => i % step === 0);
  let best = { degrees: 0, score: scoreAt(some, 0) };
  const look = (from: number, to: number, by: number) => {
    for (let degrees = from; degrees <= to; degrees += by) {
      const score = scoreAt(some, degrees);
      if (score > best.score) best = { degrees, score };
    }
  };
  look(-MOST_SKEW, MOST_SKEW, 0.5);
  look(best.degrees - 0.4, best.degrees + 0.4, 0.1);
  look(best.degrees - 0.08, best.degrees + 0.08, 0.02);
  return best;
}

/**
 * Whether the words stand on end. Letters that nearly touch make a word, and a word is wider than it is tall. That
 * holds for three lines as well as for thirty, whereas the edges of columns may be more prominent than a few rows.
 */
function standOnEnd(ink: readonly Point[], { width, height }: Size): boolean {
  const isWord = new Uint8Array(width * height);
  for (const [x, y] of ink)
    for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v += 1)
      isWord.fill(
        1,
        v * width + Math.max(0, x - REACH),
        v * width + Math.min(width - 1, x + REACH) + 1,
      );
  let [wide, tall] = [0, 0];
  for (const { w, h } of piecesOf(isWord, width)) {
    if (w > 2 * h) wide += w;
    if (h > 2 * w) tall += h;
  }
  return tall > wide;
}

/** The boxes of connected ink. Empties the picture. */
function piecesOf(isInk: Uint8Array, width: number): { w: number; h: number }[] {
  const pieces: { w: number; h: number }[] = [];
  for (let start = isInk.indexOf(1); start >= 0; start = isInk.indexOf(1, start)) {
    const waiting = [start];
    isInk[start] = 0;
    let [left, right, bottom] = [width, 0, 0];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const x = at % width;
      [left, right, bottom] = [
        Math.min(left, x),
        Math.max(right, x),
        Math.max(bottom, (at - x) / width),
      ];
      for (const next of [at - 1, at + 1, at - width, at + width]) {
        if (isInk[next] !== 1 || Math.abs((next % width) - x) > 1) continue;
        isInk[next] = 0;
        waiting.push(next);
      }
    }
    pieces.push({ w: right - left + 1, h: bottom - Math.floor(start / width) + 1 });
  }
  return pieces;
}

function scoreAt(ink: readonly Point[], degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const bins = new Float64Array(2_400);
  for (const [x, y] of ink) {
    const bin = Math.round(y - x * slope) + 600;
    if (bin >= 0 && bin < bins.length) bins[bin] = (bins[bin] as number) + 1;
  }
  let score = 0;
  for (let i = 1; i < bins.length; i += 1) {
    score += ((bins[i] as number) - (bins[i - 1] as number)) ** 2;
  }
  return score;
}

const BLOCK = 32;

/** Turns the paper white however the light falls on it, and the darkest ink black. */
function withEvenLight({ data, width, height }: GreyPage): GreyPage {
  const [across, down] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
  const light = new Float64Array(across * down);
  for (let row = 0; row < down; row += 1) {
    for (let column = 0; column < across; column += 1) {
      light[row * across + column] = paperOf({ data, width, height }, column, row);
    }
  }
  const usual = median([...light]);
  // A band of colour is not a shadow.
  const soft = smoothed(
    light.map((value) => (value < 0.6 * usual ? usual : value)),
    across,
    down,
  );
  const out = new Uint8Array(width * height);
  // Interpolated between the blocks of two rows, with the last one repeated.
  const here = new Float64Array(across + 1);
  for (let y = 0; y < height; y += 1) {
    const gy = Math.min(down - 1, Math.max(0, y / BLOCK - 0.5));
    const top = gy | 0;
    const under = Math.min(down - 1, top + 1);
    for (let column = 0; column <= across; column += 1) {
      const at = Math.min(column, across - 1);
      const [above, below] = [
        soft[top * across + at] as number,
        soft[under * across + at] as number,
      ];
      here[column] = above + (below - above) * (gy - top);
    }
    for (let x = 0, at = y * width; x < width; x += 1, at += 1) {
      const gx = Math.min(across - 1, Math.max(0, x / BLOCK - 0.5));
      const left = gx | 0;
      const from = here[left] as number;
      const paper = from + ((here[left + 1] as number) - from) * (gx - left);
      const value = data[at] as number;
      out[at] = value >= paper ? 255 : ((value * 255) / paper) | 0;
    }
  }
  const histogram = new Uint32Array(256);
  for (let i = 0; i < out.length; i += 1) {
    const value = out[i] as number;
    histogram[value] = (histogram[value] as number) + 1;
  }
  const black = darkest(histogram, width * height);
  const darker = Uint8Array.from(histogram, (_, value) =>
    Math.max(0, ((value - black) * 255) / (255 - black)),
  );
  for (let i = 0; i < out.length; i += 1) out[i] = darker[out[i] as number] as number;
  return { data: out, width, height };
}

/** Brightness of the paper in a block: the value that four fifths of it do not exceed. */
function paperOf({ data, width, height }: GreyPage, column: number, row: number): number {
  const histogram = new Uint16Array(256);
  let count = 0;
  for (let y = row * BLOCK; y < Math.min(height, (row + 1) * BLOCK); y += 3)
    for (let x = column * BLOCK; x < Math.min(width, (column + 1) * BLOCK); x += 3) {
      const value = data[y * width + x] as number;
      histogram[value] = (histogram[value] as number) + 1;
      count += 1;
    }
  let [seen, value] = [0, -1];
  while (value < 255 && seen <= Math.floor(0.8 * count)) {
    value += 1;
    seen += histogram[value] as number;
  }
  return Math.max(1, value);
}

function smoothed(values: Float64Array, across: number, down: number): Float64Array {
  return values.map((_, i) => {
    const [column, row] = [i % across, Math.floor(i / across)];
    const near: number[] = [];
    for (let y = Math.max(0, row - 2); y <= Math.min(down - 1, row + 2); y += 1) {
      for (let x = Math.max(0, column - 2); x <= Math.min(across - 1, column + 2); x += 1) {
        near.push(values[y * across + x] as number);
      }
    }
    return median(near);
  });
}

/** The value that half a percent of the page falls below: that is ink, if anything. */
function darkest(histogram: Uint32Array, count: number): number {
  let seen = 0;
  for (let value = 0; value < 128; value += 1) {
    seen += histogram[value] as number;
    if (seen > 0.005 * count) return value;
  }
  return 128;
}
