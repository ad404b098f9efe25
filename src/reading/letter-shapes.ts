import { type Glyph, inkOf } from './ink.ts';
import type { SeenWord } from './seen-words.ts';
import type { GreyPage } from './tax-qr.ts';

/** Tells letters apart by how their ink is shared out: where most of it is, and whether it is the same on both sides. */

/** Letters lower than this, in pixels, are too small to tell one from another. */
const LEAST_HEIGHT = 9;
/** The middle of a letter, as parts of its width and height: that of an «o» is white, an «a» has a bar across it. */
const MIDDLE = [0.35, 0.65] as const;
const MIDDLE_ROWS = [0.28, 0.65] as const;
/** The part of its box that the ink of a letter fills if it ran together, and tells nothing. */
const BLOT = 0.8;
/** As a part of the width and height: the corners of an «o» are white, an «a» of one storey has ink in those at its right. */
const CORNER = 0.14;
/** In widths: the lower half of a 3 has its ink further to the right than this, and that of a 2 has not. */
const BENDS_RIGHT = 0.575;
/** As a part of its height: «Ø» is as wide as this, and no figure is; where all letters have one width, it is not. */
const WIDE = 0.82;
const WIDE_OF_ONE_WIDTH = 0.62;
/** By how much an «Ø» is more like itself upside down than like its mirror image. */
const SLANTED = 0.05;
const MORE_SLANTED = 0.15;
/** As a part of their height: an «l» with serifs is no wider, and a «1» with serifs is wider. */
const SERIF_STROKE = 0.36;
/** How much wider the foot of a letter with serifs is than its stem. */
const SERIFS = 1.6;

/** As parts of its height: only a stroke is narrower, and no «I» is wider, with its serifs. */
export const BAR_WIDTH = 0.2;
const WIDEST_I = 0.75;
/** How much of an «I» is also in its image turned round. */
const LIKE_ITSELF = 0.8;
/** As a part of its width: the ink at the top and the foot of a «Z». */
const FULL = 0.8;

/** The ink of a letter, row by row. */
export type Shape = readonly (readonly boolean[])[];

export function shapeOf(
  page: GreyPage,
  word: SeenWord,
  { x0, x1, top, bottom }: Glyph,
): Shape | null {
  const ink = inkOf(page, word);
  if (!ink || bottom - top < LEAST_HEIGHT) return null;
  return Array.from({ length: bottom - top }, (_, y) =>
    Array.from({ length: x1 - x0 }, (_, x) => ink.isInk(x0 + x, top + y)),
  );
}

/** Of the ink in either of two shapes, the part that is in both. */
function shared(one: Shape, other: Shape): number {
  let [both, any] = [0, 0];
  for (const [y, row] of one.entries())
    for (const [x, isInk] of row.entries()) {
      const isOther = other[y]?.[x] === true;
      if (isInk && isOther) both += 1;
      if (isInk || isOther) any += 1;
    }
  return any === 0 ? 0 : both / any;
}

const mirrored = (shape: Shape): Shape => shape.map((row) => row.toReversed());
const turned = (shape: Shape): Shape => mirrored(shape).toReversed();
const between = (shape: Shape, from: number, to: number): Shape =>
  shape.slice(Math.round(from * shape.length), Math.round(to * shape.length));

/** Where the middle of the ink is, from 0 at the left to 1 at the right. */
function middleOf(shape: Shape): number {
  let [sum, count] = [0, 0];
  for (const row of shape)
    for (const [x, isInk] of row.entries())
      if (isInk) {
        sum += (x + 0.5) / row.length;
        count += 1;
      }
  return count === 0 ? 0.5 : sum / count;
}

/** Without the line that some typefaces draw below «ª» and «º». */
function withoutUnderline(shape: Shape): Shape {
  const gap = shape.findIndex((row, y) => y > shape.length / 2 && !row.includes(true));
  return gap < 0 ? shape : shape.slice(0, gap);
}

/** Whether a raised letter is an «a» and no «o»; null if it is too small or too black to tell. */
export function isRaisedA(page: GreyPage, word: SeenWord, letter: Glyph): boolean | null {
  const shape = shapeOf(page, word, letter);
  if (!shape) return null;
  const bare = withoutUnderline(shape);
  const wide = letter.x1 - letter.x0;
  if (bare.flat().filter(Boolean).length > BLOT * wide * bare.length) return null;
  const [from, to] = MIDDLE.map((part) => Math.round(part * wide));
  const rows = between(bare, ...MIDDLE_ROWS);
  const columns =
    rows[0]?.slice(from, to).map((_, x) => rows.some((row) => row[x + (from ?? 0)])) ?? [];
  if (columns.filter(Boolean).length > columns.length / 2) return true;
  const corner = Math.max(1, Math.round(CORNER * wide));
  const hasCorner = (some: Shape) => some.some((row) => row.slice(wide - corner).includes(true));
  return hasCorner(between(bare, 0, CORNER)) && hasCorner(between(bare, 1 - CORNER, 1));
}

/** Whether a figure is a 3 and no 2, by the side where its lower half bends; null if it is too small to tell. */
export function isThree(page: GreyPage, word: SeenWord, figure: Glyph): boolean | null {
  const shape = shapeOf(page, word, figure);
  return shape && middleOf(between(shape, 0.55, 0.85)) > BENDS_RIGHT;
}

/** Whether a letter is a ring with a slanted stroke through its middle: the sign of a diameter. */
export function isDiameter(page: GreyPage, word: SeenWord, letter: Glyph): boolean {
  const shape = shapeOf(page, word, letter);
  if (!shape) return false;
  const wide = letter.x1 - letter.x0;
  const slant = shared(shape, turned(shape)) - shared(shape, mirrored(shape));
  const isWide = wide > WIDE * shape.length && slant > SLANTED;
  const isNarrow = wide > WIDE_OF_ONE_WIDTH * shape.length && slant > MORE_SLANTED;
  const hasMiddle = shape[shape.length >> 1]?.[wide >> 1] === true;
  return hasMiddle && (isWide || isNarrow) && wide < 1.2 * shape.length;
}

/** A stroke with serifs, narrower than any figure that has them. */
export function isSerifStroke(page: GreyPage, word: SeenWord, letter: Glyph): boolean {
  const shape = shapeOf(page, word, letter);
  if (!shape || letter.x1 - letter.x0 > SERIF_STROKE * shape.length) return false;
  const inkIn = (row: readonly boolean[] | undefined) => row?.filter(Boolean).length ?? 0;
  const stem = inkIn(shape[shape.length >> 1]);
  return stem > 0 && inkIn(shape.at(-2)) >= SERIFS * stem;
}

/** Whether a letter is a capital «I»: a mere stroke, or one with the same serifs at both ends and on both sides. */
export function isCapitalI(page: GreyPage, word: SeenWord, letter: Glyph): boolean {
  const [wide, tall] = [letter.x1 - letter.x0, letter.bottom - letter.top];
  if (wide < BAR_WIDTH * tall) return true;
  const shape = wide < WIDEST_I * tall ? shapeOf(page, word, letter) : null;
  const stem = shape?.[shape.length >> 1]?.filter(Boolean).length ?? wide;
  if (!shape || SERIFS * stem > wide) return false;
  const likeness = [mirrored(shape), shape.toReversed()].map((other) => shared(shape, other));
  return Math.min(...likeness) > LIKE_ITSELF;
}

/** Whether a letter is a «1»: a stem with a flag at the left of its top, and nothing at its right. */
export function isOne(page: GreyPage, word: SeenWord, letter: Glyph): boolean {
  const shape = shapeOf(page, word, letter);
  if (!shape || letter.x1 - letter.x0 < BAR_WIDTH * shape.length) return false;
  const stem = shape[shape.length >> 1] ?? [];
  const [from, to] = [stem.indexOf(true), stem.lastIndexOf(true)];
  const top = between(shape, 0, 0.35);
  const hasFlag = top.some((row) => row.slice(0, Math.max(0, from - 1)).includes(true));
  return hasFlag && !top.some((row) => row.slice(to + 2).includes(true));
}

/** Whether what was read as a 7 is a «Z», which is as wide at its foot as at its top, and nowhere else. */
export function isZed(page: GreyPage, word: SeenWord, letter: Glyph): boolean {
  const shape = shapeOf(page, word, letter);
  if (!shape) return false;
  const isFull = (row: readonly boolean[]) => row.filter(Boolean).length > FULL * row.length;
  const ends = [between(shape, 0, 0.12), between(shape, 0.88, 1)];
  return ends.every((rows) => rows.some(isFull)) && !between(shape, 0.3, 0.7).some(isFull);
}

/** Whether a «k» is a capital, whose arm reaches as high as its stem; null if it is too small to tell. */
export function isCapitalK(page: GreyPage, word: SeenWord, letter: Glyph): boolean | null {
  const shape = shapeOf(page, word, letter);
  if (!shape) return null;
  const right = (row: readonly boolean[]) => row.slice(Math.round(0.6 * row.length));
  return between(shape, 0, 0.2).some((row) => right(row).includes(true));
}
