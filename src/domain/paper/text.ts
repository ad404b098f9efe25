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

/** What makes an emoji of a digit or of a sign, which are printed without it. */
const MARKS_OF_EMOJI = /[\ufe0e\ufe0f\u20e3]/g;

/** The characters of the typeface of the invoices (`src/pdf/fonts`), in a class of a regular expression. */
const IN_FONT = [
  String.raw`\u0020-\u007e\u00a0-\u00ac\u00ae-\u0148\u014a-\u01c3\u01c5-\u024f\u0259\u02bc\u02c6-\u02dd`,
  String.raw`\u0300-\u0304\u0306-\u030a\u030c\u0327-\u0328\u0374-\u0376\u037a-\u037f\u0384-\u038a\u038c`,
  String.raw`\u038e-\u03a1\u03a3-\u03d7\u03dc-\u03dd\u03f0-\u03f6\u03f9-\u03fa\u03fc-\u045f\u0490-\u0491`,
  String.raw`\u1e00-\u1e9b\u1e9d-\u1eff\u2000-\u200b\u2010-\u2027\u202f-\u203a\u2044\u2070-\u2071`,
  String.raw`\u2074-\u208e\u20a0-\u20af\u20b1-\u20b5\u20b8-\u20ba\u20bc-\u20bf\u2100-\u2101\u2103`,
  String.raw`\u2105-\u2106\u2109\u2113\u2116-\u2117\u211e-\u2122\u2126\u212a-\u212b\u212e\u2132\u213b`,
  String.raw`\u214d\u2150-\u215f\u2190-\u2199\u2202\u2205-\u2206\u220f\u2211-\u2212\u221a\u221e\u222b`,
  String.raw`\u2236\u2248\u2260\u2264-\u2265\u25a0-\u25a2\u25aa\u25b2-\u25b3\u25b6-\u25b7\u25ba-\u25bd`,
  String.raw`\u25c0-\u25c1\u25c4-\u25c7\u25ca-\u25cb\u25cf\u2600\u2605-\u2606\u2713\u2717`,
].join('');
const NOT_IN_FONT = new RegExp(`[^${IN_FONT}]`, 'gu');
const ALL_PRINTED = new RegExp(`^[${IN_FONT}\\s]*$`, 'u');

/** What is drawn in place of a character that the typeface lacks. */
export const IN_ITS_PLACE = '□';

/** A text as the typeface can draw it: with a sign, rather than nothing, for what it lacks. */
export function drawable(text: string): string {
  return text.replace(NOT_IN_FONT, IN_ITS_PLACE);
}

/** What of a text is not printed as it is written, each once. */
export interface Unprinted {
  /** Characters that the typeface lacks. */
  readonly letters: readonly string[];
  /** Emoji, which are left out. */
  readonly drawings: readonly string[];
}

export function unprinted(text: string): Unprinted {
  if (ALL_PRINTED.test(text)) return { letters: [], drawings: [] };
  const drawings = text.normalize('NFC').match(EMOJI) ?? [];
  const letters = printable(text).replace(/\s/g, '').match(NOT_IN_FONT) ?? [];
  return {
    letters: [...new Set(letters)],
    drawings: [...new Set(drawings.map((drawing) => drawing.trim()))],
  };
}

/**
 * The sentence for a text of which something is not printed as it is written. Null when all of it is, or nothing.
 *
 * @param name of the text, at the beginning of a sentence: `La dirección del cliente`
 */
export function notPrinted(name: string, text: string): string | null {
  const { letters, drawings } = unprinted(text);
  const count = letters.length + drawings.length;
  if (count === 0 || oneLine(text) === '') return null;
  const ways = [
    ...(letters.length > 0 ? [`con «${IN_ITS_PLACE}» en lugar de ${quoted(letters)}`] : []),
    ...(drawings.length > 0 ? [`sin ${quoted(drawings)}`] : []),
  ];
  return `${name} se imprimirá ${ways.join(' y ')}: la letra del PDF no ${count === 1 ? 'lo' : 'los'} tiene.`;
}

/** As many as one reads: a text in another script would name its whole alphabet. */
const NAMED = 4;

function quoted(signs: readonly string[]): string {
  const named = signs.slice(0, NAMED).map((sign) => `«${sign}»`);
  const all = signs.length > NAMED ? [...named, 'otros'] : named;
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} y ${all.at(-1)}`;
}

/** Letters and signs of Western Europe, which are printed as they are: all of most texts. */
const AS_IT_IS = /^[\t\n -~\u00a0-\u00ac\u00ae-\u00ff]*$/;

/** Composed letters, for which the font has a glyph, and no unprintable characters. */
function printable(text: string): string {
  if (AS_IT_IS.test(text)) return text;
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\v\f\u2028\u2029]/g, '\n')
    .replace(EMOJI, '')
    .replace(MARKS_OF_EMOJI, '')
    .replace(/[^\P{C}\n\t]/gu, '');
}
