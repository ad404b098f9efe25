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

/** Composed letters, for which the font has a glyph, and no characters that are not for printing. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{C}\n\t]/gu, '');
}
