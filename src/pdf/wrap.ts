/** Breaks text into lines. Nothing is ever cut off: what does not fit goes to the next line. */

/** Width of a piece of text, in the unit of the column. */
export type Measure = (text: string) => number;

/**
 * More characters than any line has. A longer word is measured character by character, never whole: shaping it would
 * take the square of its length.
 */
const MOST_IN_LINE = 250;

/** Two measurements of the same word may differ in the last bit. */
const SLACK = 1e-6;

/**
 * Lines no wider than `width`. Line feeds of the text are kept; a word longer than the column is broken. Always at
 * least one line, empty for an empty text.
 */
export function wrap(text: string, width: number, measure: Measure): string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, width, measure));
}

/** Adds up words instead of measuring whole lines: shaping a word that is cached costs nothing. */
function wrapParagraph(text: string, width: number, measure: Measure): string[] {
  const space = measure(' ');
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  for (const word of text.split(' ')) {
    const wordWidth = word.length > MOST_IN_LINE ? Number.POSITIVE_INFINITY : measure(word);
    if (line !== '' && lineWidth + space + wordWidth <= width + SLACK) {
      line += ` ${word}`;
      lineWidth += space + wordWidth;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = wordWidth <= width + SLACK ? [word] : breakWord(word, width, measure);
    line = pieces.pop() ?? '';
    lineWidth = measure(line);
    lines.push(...pieces);
  }
  return [...lines, line];
}

function breakWord(word: string, width: number, measure: Measure): string[] {
  const pieces: string[] = [];
  let piece = '';
  let pieceWidth = 0;
  for (const character of word) {
    const characterWidth = measure(character);
    if (piece !== '' && pieceWidth + characterWidth > width + SLACK) {
      pieces.push(piece);
      piece = '';
      pieceWidth = 0;
    }
    piece += character;
    pieceWidth += characterWidth;
  }
  return [...pieces, piece];
}
