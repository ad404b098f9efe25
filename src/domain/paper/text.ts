/** Text made ready for printing: nothing that is not for the eye, blanks where they belong. */

/** One line: every run of blanks, line feeds included, becomes a space. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** Several lines: blanks at their ends go, and so do empty lines at both ends and in a row. */
export function paragraphs(text: string): string {
  return printable(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Pictures among letters, whole: with their skin, their joins and the blank behind them. Paper is printed with a
 * font of letters, where each would be a hole.
 */
const EMOJI =
  /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*[^\S\n]?/gu;

/** Composed letters, for which the font has a glyph, and no characters that are not for printing. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(EMOJI, '')
    .replace(/[^\P{C}\n\t]/gu, '');
}
