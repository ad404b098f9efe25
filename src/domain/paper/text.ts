/** Prepares text for printing: removes what cannot be printed, and cleans up whitespace. */

/** One line: every run of whitespace, including line feeds, becomes a space. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/g, ' ').trim();
}

/** Several lines: whitespace at their ends is removed, and so are leading, trailing and repeated empty lines. */
export function paragraphs(text: string): string {
  return printable(text)
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/**
 * Whole emoji, with skin tone, joiners and the blank after them: the font has none, and each would print as a box.
 */
const EMOJI =
  /(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)(?:\p{Emoji_Modifier}|\ufe0f|\u200d\p{Extended_Pictographic})*[^\S\n]?/gu;

/** Composed letters, for which the font has a glyph, and no unprintable characters. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(EMOJI, '')
    .replace(/[^\P{C}\n\t]/gu, '');
}
