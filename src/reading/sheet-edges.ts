import sharp from 'sharp';
import { type Matrix, onto, type Point } from './plane.ts';
import type { GreyPage } from './tax-qr.ts';

/** A sheet on a darker background: its size, and where each of its points is in the picture. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly toPicture: Matrix;
}

/** How much of the picture's frame has to be darker than the sheet. */
const DARK_FRAME = 0.7;
const SMALLEST = 0.25;
/** Sheets with proportions this close to an A4 are taken for one: perspective shortens one of the sides. */
const NEAR_A4 = 0.15;

/** The sheet in a photograph of a table; null for a scan, or if its edges cannot be found. */
export async function sheetOn(picture: GreyPage): Promise<Sheet | null> {
  const { width, height } = picture;
  const soft = await sharp(picture.data, { raw: { width, height, channels: 1 } })
    .blur(3)
    .toColourspace('b-w')
    .raw()
    .toBuffer();
  const threshold = splitOf(soft);
  if (threshold === null) return null;
  const isSheet = biggestBright({ data: soft, width, height }, threshold);
  const area = isSheet.reduce((sum, one) => sum + one, 0);
  if (area < SMALLEST * width * height || darkFrame(isSheet, width, height) < DARK_FRAME) {
    return null;
  }
  const corners = cornersOf(isSheet, width, height);
  if (!corners || Math.abs(areaOf(corners) / area - 1) > 0.12) return null;
  const [a, b, c, d] = corners;
  const size = likeA4(Math.max(length(a, b), length(d, c)), Math.max(length(a, d), length(b, c)));
  return { ...size, toPicture: onto(size, corners) };
}

/** The grey between the two groups of greys that differ most (Otsu); null when they hardly differ. */
function splitOf(data: Uint8Array): number | null {
  const histogram = new Float64Array(256);
  for (const value of data) histogram[value] = (histogram[value] as number) + 1;
  const whole = histogram.reduce((sum, count, value) => sum + count * value, 0);
  let [below, sumBelow, best] = [0, 0, { spread: 0, value: 0, gap: 0 }];
  for (let value = 0; value < 255; value += 1) {
    below += histogram[value] as number;
    sumBelow += value * (histogram[value] as number);
    const above = data.length - below;
    if (below === 0 || above === 0) continue;
    const gap = (whole - sumBelow) / above - sumBelow / below;
    const spread = below * above * gap * gap;
    if (spread > best.spread) best = { spread, value, gap };
  }
  return best.gap < 35 ? null : best.value;
}

/** The biggest bright patch, its holes filled row by row: the writing on a sheet is part of it. */
function biggestBright({ data, width, height }: GreyPage, threshold: number): Uint8Array {
  const mark = new Uint32Array(width * height);
  let [label, best, most] = [0, 0, 0];
  const stack: number[] = [];
  const visit = (at: number) => {
    if (mark[at] !== 0 || (data[at] as number) <= threshold) return;
    mark[at] = label;
    stack.push(at);
  };
  for (let start = 0; start < mark.length; start += 1) {
    if (mark[start] !== 0 || (data[start] as number) <= threshold) continue;
    label += 1;
    let size = 0;
    visit(start);
    while (stack.length > 0) {
      const at = stack.pop() as number;
      size += 1;
      const x = at % width;
      if (x > 0) visit(at - 1);
      if (x < width - 1) visit(at + 1);
      if (at >= width) visit(at - width);
      if (at < mark.length - width) visit(at + width);
    }
    if (size > most) [best, most] = [label, size];
  }
  const isSheet = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const row = mark.subarray(y * width, (y + 1) * width);
    const [from, to] = [row.indexOf(best), row.lastIndexOf(best)];
    if (from >= 0) isSheet.fill(1, y * width + from, y * width + to + 1);
  }
  return isSheet;
}

function darkFrame(isSheet: Uint8Array, width: number, height: number): number {
  let dark = 0;
  for (let x = 0; x < width; x += 1) {
    dark += (isSheet[x] ? 0 : 1) + (isSheet[(height - 1) * width + x] ? 0 : 1);
  }
  for (let y = 0; y < height; y += 1) {
    dark += (isSheet[y * width] ? 0 : 1) + (isSheet[y * width + width - 1] ? 0 : 1);
  }
  return dark / (2 * (width + height));
}

type Quad = readonly [Point, Point, Point, Point];

/** Where its four edges cross, taken as lines through what was seen of them. */
function cornersOf(isSheet: Uint8Array, width: number, height: number): Quad | null {
  const inside: Point[] = [];
  for (let y = 0; y < height; y += 1) {
    const row = isSheet.subarray(y * width, (y + 1) * width);
    const [from, to] = [row.indexOf(1), row.lastIndexOf(1)];
    if (from >= 0) inside.push([from, y], [to, y]);
  }
  const far = (value: (point: Point) => number) =>
    inside.reduce((best, point) => (value(point) > value(best) ? point : best), inside[0] as Point);
  const rough: Quad = [
    far(([x, y]) => -x - y),
    far(([x, y]) => x - y),
    far(([x, y]) => x + y),
    far(([x, y]) => y - x),
  ];
  const [a, b, c, d] = rough;
  const at = (x: number, y: number) => isSheet[Math.round(y) * width + Math.round(x)] === 1;
  const column = (x: number, isTop: boolean) => {
    for (let i = 0; i < height; i += 1) {
      const y = isTop ? i : height - 1 - i;
      if (at(x, y)) return y;
    }
    return null;
  };
  const rowEnd = (y: number, isLeft: boolean) => {
    for (let i = 0; i < width; i += 1) {
      const x = isLeft ? i : width - 1 - i;
      if (at(x, y)) return x;
    }
    return null;
  };
  const top = edge(a[0], b[0], (x) => column(x, true));
  const bottom = edge(d[0], c[0], (x) => column(x, false));
  const left = edge(a[1], d[1], (y) => rowEnd(y, true));
  const right = edge(b[1], c[1], (y) => rowEnd(y, false));
  if (!top || !bottom || !left || !right) return null;
  return [cross(top, left), cross(top, right), cross(bottom, right), cross(bottom, left)];
}

interface Line {
  readonly slope: number;
  readonly start: number;
}

/** A line through the points that `seen` returns along the middle part of an edge, without outliers. */
function edge(from: number, to: number, seen: (at: number) => number | null): Line | null {
  const points: Point[] = [];
  const margin = (to - from) * 0.08;
  for (let at = Math.round(from + margin); at <= to - margin; at += 2) {
    const value = seen(at);
    if (value !== null) points.push([at, value]);
  }
  if (points.length < 10) return null;
  let line = fitted(points);
  for (const reach of [6, 2.5]) {
    const close = points.filter(([t, v]) => Math.abs(v - line.start - line.slope * t) < reach);
    if (close.length < 10) return null;
    line = fitted(close);
  }
  return line;
}

function fitted(points: readonly Point[]): Line {
  const n = points.length;
  const [mt, mv] = [0, 1].map((i) => points.reduce((sum, p) => sum + (p[i] as number), 0) / n) as [
    number,
    number,
  ];
  const up = points.reduce((sum, [t, v]) => sum + (t - mt) * (v - mv), 0);
  const across = points.reduce((sum, [t]) => sum + (t - mt) ** 2, 0);
  const slope = across === 0 ? 0 : up / across;
  return { slope, start: mv - slope * mt };
}

/** Intersection of `y = start + slope · x` and `x = start + slope · y`. */
function cross(flat: Line, upright: Line): Point {
  const y = (flat.start + flat.slope * upright.start) / (1 - flat.slope * upright.slope);
  return [upright.start + upright.slope * y, y];
}

function areaOf(corners: Quad): number {
  return Math.abs(
    corners.reduce((sum, [x, y], i) => {
      const [nx, ny] = corners[(i + 1) % 4] as Point;
      return sum + x * ny - nx * y;
    }, 0) / 2,
  );
}

const length = ([x0, y0]: Point, [x1, y1]: Point) => Math.hypot(x1 - x0, y1 - y0);

function likeA4(width: number, height: number): { width: number; height: number } {
  const [wide, tall] = [width * Math.SQRT2, height * Math.SQRT2];
  if (Math.abs(height / wide - 1) < NEAR_A4) return { width, height: wide };
  if (Math.abs(width / tall - 1) < NEAR_A4) return { width: tall, height };
  return { width, height };
}
