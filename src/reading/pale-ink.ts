import type { GreyPage } from './tax-qr.ts';

/** Darkens pale letters. Beside black ones, Tesseract takes them for paper. */

/** Pixels across a block; at 300 dots per inch, a letter is three or four of them high. */
const BLOCK = 8;
/** How many blocks away the darkest ink around is looked for: about a letter. */
const REACH = 3;
/** Ink that is lighter than this is pale; lighter than the second value, it is no ink. */
const PALE = 110;
const NONE = 205;

export function withDarkInk<P extends GreyPage>(page: P): P {
  const { width, height } = page;
  const [across, down] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)];
  const darkest = new Uint8Array(across * down).fill(255);
  for (let y = 0, from = 0; y < height; y += 1)
    for (let x = 0, row = (y >> 3) * across; x < width; x += 1, from += 1) {
      const value = page.data[from] as number;
      if (value === 255) continue;
      const at = row + (x >> 3);
      if (value < (darkest[at] as number)) darkest[at] = value;
    }
  const around = lowest(lowest(darkest, across, 1), across, across);
  if (!around.some(isPale)) return page;
  const data = page.data.slice();
  for (let block = 0; block < around.length; block += 1) {
    const ink = around[block] as number;
    if (!isPale(ink)) continue;
    const [left, top] = [(block % across) * BLOCK, Math.floor(block / across) * BLOCK];
    const scale = 255 / (255 - ink);
    for (let y = top; y < Math.min(height, top + BLOCK); y += 1)
      for (let at = y * width + left; at < y * width + Math.min(width, left + BLOCK); at += 1)
        data[at] = Math.max(0, 255 - (255 - (data[at] as number)) * scale);
  }
  return { ...page, data };
}

const isPale = (ink: number) => ink > PALE && ink < NONE;

/** The lowest of the values around each one, along a row or a column. */
function lowest(values: Uint8Array, across: number, step: number): Uint8Array {
  return values.map((value, at) => {
    let least = value;
    for (let far = -REACH; far <= REACH; far += 1) {
      const next = at + far * step;
      const isThere =
        step === 1
          ? Math.floor(next / across) === Math.floor(at / across)
          : next >= 0 && next < values.length;
      if (isThere && (values[next] as number) < least) least = values[next] as number;
    }
    return least;
  });
}
