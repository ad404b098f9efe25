import type { GreyPage } from './tax-qr.ts';

/**
 * Takes dotted and dashed rules off a page. Tesseract takes away whole rules by itself, but reads broken ones as letters,
 * together with the row that they touch.
 */

/** Out of 255: a darker pixel may be of a rule. */
const DARK = 170;
/** In pixels: a dot or dash and the white after it are no longer. */
const LONGEST = 48;
/** In pixels: a thicker row of strokes is a row of letters. */
const THICKEST = 10;
/** A row with fewer dashes may be a text of dashes. */
const FEWEST = 24;
/** In pixels: by how much dashes and the white between them may differ from the first ones. */
const UNEVEN = 3;
/** In pixels: what is blurred around a dash. */
const BLUR = 1;

/** The same page with its dotted and dashed rules painted white. */
export function withoutDashes<P extends GreyPage>(page: P): P {
  const { data: from, width, height } = page;
  /** The rows of dashes under way, with the pixel row in which they began. */
  let open: { readonly first: number; last: number; readonly rows: (readonly Run[])[] }[] = [];
  const found: typeof open = [];
  const close = (one: (typeof open)[number]) => {
    if (one.last - one.first < THICKEST) found.push(one);
  };
  for (let y = 0; y < height; y += 1) {
    for (const dashes of dashesIn(from.subarray(y * width, (y + 1) * width))) {
      const over = open.find(({ last, rows }) => last >= y - 1 && touch(rows.at(-1), dashes));
      if (over) {
        over.last = y;
        over.rows.push(dashes);
      } else open.push({ first: y, last: y, rows: [dashes] });
    }
    if (open.length === 0) continue;
    for (const one of open) if (one.last < y) close(one);
    open = open.filter(({ last }) => last === y);
  }
  open.forEach(close);
  if (found.length === 0) return page;
  const data = from.slice();
  for (const { first, last, rows } of found)
    for (const { from: x0, to: x1 } of rows.flat())
      for (let y = Math.max(0, first - BLUR); y <= Math.min(height - 1, last + BLUR); y += 1)
        data.fill(255, y * width + Math.max(0, x0 - BLUR), y * width + Math.min(width, x1 + BLUR));
  return { ...page, data };
}

interface Run {
  readonly from: number;
  readonly to: number;
}

const touch = (some: readonly Run[] = [], others: readonly Run[]) =>
  (some[0]?.from ?? 0) < (others.at(-1)?.to ?? 0) && (others[0]?.from ?? 0) < (some.at(-1)?.to ?? 0);

/** The dashes of equal length, equally far apart, in a row of pixels. */
function* dashesIn(row: Uint8Array): Generator<readonly Run[]> {
  let dashes: Run[] = [];
  let start = -1;
  for (let x = 0; x <= row.length; x += 1) {
    const isDark = x < row.length && (row[x] as number) < DARK;
    if (isDark && start < 0) start = x;
    if (isDark || start < 0) continue;
    const run = { from: start, to: x };
    start = -1;
    const [first, second, last] = [dashes[0], dashes[1], dashes.at(-1)];
    const isNext =
      last !== undefined &&
      run.to - last.from <= LONGEST + (last.to - last.from) &&
      Math.abs(lengthOf(run) - lengthOf(first as Run)) <= UNEVEN &&
      (second === undefined ||
        Math.abs(run.from - last.from - (second.from - (first as Run).from)) <= UNEVEN);
    if (isNext) dashes.push(run);
    else {
      if (dashes.length >= FEWEST) yield dashes;
      dashes = lengthOf(run) < LONGEST ? [run] : [];
    }
  }
  if (dashes.length >= FEWEST) yield dashes;
}

const lengthOf = ({ from, to }: Run) => to - from;
