import type { GreyPage } from './tax-qr.ts';

/** The page is looked at in squares of this side, in pixels. */
const SIDE = 4;
/** In squares: strokes of letters are thinner than twice this. */
const REACH = 3;
/** Out of 255: what is lighter is paper, and what is darker has white letters on it, or is no background at all. */
const PAPER = 250;
const DARKEST = 120;
/** The part of the squares below which there is no coloured background. */
const FEWEST = 0.002;
/** Out of 255: how much darker than its background the grain of paper may be. */
const GRAIN = 12;

/**
 * The same page with its coloured backgrounds painted white; null if it has none. Heads and rows of tables may be grey
 * or pale. Tesseract makes a page black and white before it looks for lines, and on a page with few letters such a row
 * turns black as a whole.
 */
export function withoutBands<P extends GreyPage>(page: P): P | null {
  const { width, height } = page;
  const data = page.data.slice();
  const [across, down] = [Math.ceil(width / SIDE), Math.ceil(height / SIDE)];
  const size = { across, down };
  const light = lightest(page, size);
  const grounds = darkestAround(lightestAround(light, size, REACH), size, REACH);
  const around = darkestAround(grounds, size, 1);
  let coloured = 0;
  for (let row = 0; row < down; row += 1)
    for (let column = 0; column < across; column += 1) {
      const [ground, near] = [
        grounds[row * across + column] ?? 255,
        around[row * across + column] ?? 255,
      ];
      if (near >= PAPER || near <= DARKEST) continue;
      coloured += 1;
      for (let y = row * SIDE; y < Math.min(height, (row + 1) * SIDE); y += 1)
        for (let x = column * SIDE; x < Math.min(width, (column + 1) * SIDE); x += 1) {
          const value = data[y * width + x] as number;
          const lit = value >= near - GRAIN ? 255 : Math.min(255, (value * 255) / ground);
          data[y * width + x] = lit;
        }
    }
  return coloured < FEWEST * light.length ? null : { ...page, data };
}

interface Size {
  readonly across: number;
  readonly down: number;
}

/** The lightest pixel of each square. */
function lightest({ data, width, height }: GreyPage, { across, down }: Size): Uint8Array {
  const found = new Uint8Array(across * down);
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor(y / SIDE) * across;
    for (let x = 0; x < width; x += 1) {
      const at = row + ((x / SIDE) | 0);
      const value = data[y * width + x] as number;
      if (value > (found[at] as number)) found[at] = value;
    }
  }
  return found;
}

/** The lightest of the squares around each one. */
function lightestAround(values: Uint8Array, { across, down }: Size, reach: number): Uint8Array {
  const rows = new Uint8Array(values.length);
  for (let y = 0; y < down; y += 1)
    for (let x = 0; x < across; x += 1) {
      let most = 0;
      const last = y * across + Math.min(across - 1, x + reach);
      for (let at = y * across + Math.max(0, x - reach); at <= last; at += 1)
        if ((values[at] as number) > most) most = values[at] as number;
      rows[y * across + x] = most;
    }
  const out = new Uint8Array(values.length);
  for (let y = 0; y < down; y += 1)
    for (let v = Math.max(0, y - reach); v <= Math.min(down - 1, y + reach); v += 1)
      for (let x = 0; x < across; x += 1) {
        const value = rows[v * across + x] as number;
        if (value > (out[y * across + x] as number)) out[y * across + x] = value;
      }
  return out;
}

/** The darkest of the squares around each one. */
function darkestAround(values: Uint8Array, size: Size, reach: number): Uint8Array {
  const inverse = lightestAround(
    values.map((value) => 255 - value),
    size,
    reach,
  );
  return inverse.map((value) => 255 - value);
}
