/**
 * Removes blanks that a PDF does not really contain. Where its letters are spaced out, as in many headings, text
 * extraction takes the gaps between them for blanks: «CL IE NTE», «Fruta s del Segre».
 */

/** A single letter that is no word, or a mark with a blank before it. */
const FRAGMENT = /(?<=\p{L}) (?![aeiouy])\p{L}(?![\p{L}\p{N}.])|(?<=\p{L}) [.,:;)]/iu;

/** Whether any of the texts is broken into pieces that exist in no language. */
export const areInPieces = (texts: readonly string[]) => texts.some((text) => FRAGMENT.test(text));

/**
 * The texts without those blanks between letters that the file does not draw as a glyph.
 *
 * @param texts runs of text, in the order of the page's content
 * @param glyphs the text of the page's glyphs, including blanks, in the same order
 */
export function withOwnBlanks(texts: readonly string[], glyphs: string): readonly string[] {
  const drawn = blanksIn(glyphs);
  const letters = drawn.letters.length;
  // Some files draw no blanks at all: all of theirs are gaps, and those are right.
  if (drawn.before.size < letters / 40 || lettersOf(texts.join('')).length !== letters)
    return texts;
  let at = 0;
  return texts.map((text) => {
    const start = at;
    at += lettersOf(text).length;
    return withoutGaps(text, (letter) => drawn.before.has(start + letter));
  });
}

const lettersOf = (text: string) => [...text.normalize('NFKC').replace(/\s/gu, '')];

/** The letters of a text, and before which of them, counted from 0, there is a blank. */
function blanksIn(text: string): { letters: readonly string[]; before: ReadonlySet<number> } {
  const letters: string[] = [];
  const before = new Set<number>();
  for (const char of text.normalize('NFKC')) {
    if (/\s/u.test(char)) before.add(letters.length);
    else letters.push(char);
  }
  return { letters, before };
}

/** Removes the blanks between letters, or before a mark, that are not drawn according to `isDrawn`. */
function withoutGaps(text: string, isDrawn: (letter: number) => boolean): string {
  const chars = [...text];
  let letter = 0;
  return chars
    .filter((char, i) => {
      letter += lettersOf(char).length;
      const isGap = /\s/u.test(char) && isInside(chars[i - 1], chars[i + 1]) && !isDrawn(letter);
      return !isGap;
    })
    .join('');
}

/** Figures next to each other may belong to two columns. */
const isInside = (before = '', after = '') =>
  (/[\p{L}.,(&'’-]/u.test(before) && /[\p{L}.,:;)&'’-]/u.test(after)) ||
  (/\p{N}/u.test(before) && /[.,:;)]/u.test(after));
