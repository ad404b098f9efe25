import sharp, { type Sharp } from 'sharp';
import { drawPages } from '../../src/reading/pdf.ts';

/** What becomes of a sheet on its way to who uploads it, as the bytes of a file. */
export type Spoil = (pdf: Buffer, seed: number) => Promise<Buffer>;

export const SPOILS = {
  'escaneo 300': (pdf) => picture(pdf, 300, (page) => page.png()),
  'escaneo 150': (pdf) => picture(pdf, 150, (page) => page.jpeg({ quality: 60 })),
  /** Put askew on the glass: up to three degrees to either side. */
  torcido: (pdf, seed) =>
    picture(pdf, 200, (page) =>
      page
        .rotate((seed % 2 ? 1 : -1) * (1 + (seed % 3)), { background: '#f4f4f4' })
        .jpeg({ quality: 75 }),
    ),
  /** A worn copy: grain, greyed paper, and what JPEG leaves. */
  ruido: (pdf, seed) =>
    picture(pdf, 200, async (page) => {
      const { data, info } = await page.raw().toBuffer({ resolveWithObject: true });
      const random = noiseFrom(seed);
      const out = Buffer.alloc(info.width * info.height);
      for (let i = 0; i < out.length; i += 1) {
        const grey = (data[i * info.channels] ?? 0) * 0.75 + 45;
        out[i] = Math.max(0, Math.min(255, grey + 26 * (random() + random() - 1)));
      }
      return raw(out, info.width, info.height).jpeg({ quality: 55 });
    }),
  /** Taken by hand on a table: in perspective, with a shadow, a little out of focus. */
  foto: photograph,
  /** Scanned lying or upside down. */
  girado: (pdf, seed) =>
    picture(pdf, 200, (page) => page.rotate([90, 180, 270][seed % 3] ?? 90).jpeg({ quality: 75 })),
} satisfies Readonly<Record<string, Spoil>>;

/** The first page drawn and spoiled. */
async function picture(
  pdf: Buffer,
  dpi: number,
  spoil: (page: Sharp) => Sharp | Promise<Sharp>,
): Promise<Buffer> {
  for await (const { data, width, height } of drawPages(pdf, dpi)) {
    return (await spoil(raw(Buffer.from(data), width, height))).toBuffer();
  }
  throw new Error('The sheet has no page.');
}

const raw = (data: Buffer, width: number, height: number) =>
  sharp(data, { raw: { width, height, channels: 1 } });

const PHOTO = { width: 2200, height: 2900 };

async function photograph(pdf: Buffer, seed: number): Promise<Buffer> {
  const random = noiseFrom(seed * 31 + 7);
  const off = (most: number) => Math.round((random() - 0.5) * 2 * most);
  // Where the sheet's corners come to stand, from the top left one on, as the clock goes.
  const corners = [
    [190 + off(70), 150 + off(60)],
    [2010 + off(70), 180 + off(60)],
    [2110 + off(60), 2760 + off(60)],
    [90 + off(60), 2720 + off(60)],
  ] as const;
  for await (const page of drawPages(pdf, 220)) {
    const out = Buffer.alloc(PHOTO.width * PHOTO.height);
    const map = squareFrom(corners);
    for (let y = 0; y < PHOTO.height; y += 1) {
      // Light falls off towards the bottom right.
      for (let x = 0; x < PHOTO.width; x += 1) {
        const light = 1 - 0.28 * ((x / PHOTO.width + y / PHOTO.height) / 2);
        const [u, v] = map(x, y);
        const isPaper = u >= 0 && u < 1 && v >= 0 && v < 1;
        const ink = isPaper ? sampled(page, u, v) * 0.94 : 96 + ((x * 7 + y * 3) % 23);
        out[y * PHOTO.width + x] = Math.max(0, Math.min(255, ink * light + (random() - 0.5) * 14));
      }
    }
    return raw(out, PHOTO.width, PHOTO.height).blur(0.8).jpeg({ quality: 78 }).toBuffer();
  }
  throw new Error('The sheet has no page.');
}

interface Page {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

function sampled({ data, width, height }: Page, u: number, v: number): number {
  const [x, y] = [u * (width - 1), v * (height - 1)];
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const at = (dx: number, dy: number) =>
    data[Math.min(height - 1, top + dy) * width + Math.min(width - 1, left + dx)] ?? 255;
  const [fx, fy] = [x - left, y - top];
  return (
    (at(0, 0) * (1 - fx) + at(1, 0) * fx) * (1 - fy) + (at(0, 1) * (1 - fx) + at(1, 1) * fx) * fy
  );
}

type Point = readonly [number, number];

/** From a point of the photograph to the unit square of the sheet (Heckbert's square to quadrilateral, inverted). */
function squareFrom(corners: readonly [Point, Point, Point, Point]) {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [sx, sy] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
  const [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2];
  const bottom = dx1 * dy2 - dx2 * dy1;
  const g = (sx * dy2 - dx2 * sy) / bottom;
  const h = (dx1 * sy - sx * dy1) / bottom;
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  return (x: number, y: number): Point => {
    const [p, q, r, s] = [a - g * x, b - h * x, d - g * y, e - h * y];
    const whole = p * s - q * r;
    return [(s * (x - c) - q * (y - f)) / whole, (p * (y - f) - r * (x - c)) / whole];
  };
}

function noiseFrom(seed: number): () => number {
  let state = (seed + 11) * 0x9e37_79b1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 16_777_216;
  };
}
