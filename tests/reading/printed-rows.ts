import type { Word } from '../../src/reading/shapes.ts';
import { rowsOf } from '../../src/reading/words.ts';

/** Rows of a sheet in letters of one width: each string a row, two blanks or more part cells. */
export function printedRows(...texts: readonly string[]) {
  const words = texts.flatMap((text, row): Word[] =>
    [...text.matchAll(/\S+/g)].map((match) => ({
      text: match[0],
      page: 1,
      x: 40 + match.index * 5,
      y: 40 + row * 13,
      w: match[0].length * 5 - 1,
      h: 9,
    })),
  );
  return rowsOf(words);
}
