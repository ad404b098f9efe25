import { checkNif } from '../domain/nif.ts';
import type { Word } from './shapes.ts';

/** Letters that OCR returns for figures, in any typeface. */
const FIGURES: Readonly<Record<string, string>> = {
  O: '0',
  o: '0',
  Q: '0',
  D: '0',
  I: '1',
  l: '1',
  i: '1',
  '|': '1',
  '!': '1',
  Z: '2',
  z: '2',
  A: '4',
  S: '5',
  s: '5',
  G: '6',
  T: '7',
  B: '8',
};
/** What OCR may have taken the last letter of a NIF for, with the letters it may have been. */
const LIKE_LETTER: Readonly<Record<string, string>> = {
  '9': 'QG',
  '7': 'ZTY',
  '2': 'Z',
  ')': 'J',
  ']': 'JI',
  '}': 'J',
  '|': 'JLT',
  '1': 'LJT',
  '0': 'QD',
  O: 'QD',
  '8': 'B',
  '5': 'S',
  $: 'S',
  '6': 'G',
  '4': 'A',
  C: 'G',
  G: 'C',
  U: 'V',
  V: 'Y',
  Y: 'V',
  M: 'N',
  N: 'HM',
  H: 'N',
  E: 'F',
  F: 'EP',
  P: 'FR',
  R: 'PK',
  K: 'RX',
  X: 'K',
  B: 'R',
  I: 'LT',
  L: 'T',
  T: 'LY',
};
/** The same for the first letter of an entity's NIF. */
const LIKE_ENTITY: Readonly<Record<string, string>> = {
  '8': 'B',
  '6': 'G',
  '4': 'A',
  '3': 'B',
  '5': 'S',
};

const figuresOf = (text: string) => [...text].map((char) => FIGURES[char] ?? char).join('');

/**
 * `'1.531,O5'`, `'l,531.05'` → `'1.531,05'`, `'lud'` → `'1ud'`: repairs an amount that OCR spoiled. Anything else is
 * returned as it came. Whether the result is right, arithmetic has to tell.
 */
export function mendedAmount(said: string): string {
  // The two strokes of the euro sign.
  const text = said
    .replace(/(?<=[.,]\d{2})%?€[£€]?$/, '€')
    .replace(/^[lI](?=(uds?\.?|kg|m|h)$)/, '1')
    // No amount begins like this: the 0 is a stroke of a rule.
    .replace(/^(-?)0(?=\d{3}[.,]\d{2}€?$)/, '$1');
  const parts = /^([^\dA-Za-z]*)([\dOoQDIli|!ZzASsGTB.,]+)(\D{0,4})$/.exec(text);
  const [, front = '', body = '', tail = ''] = parts ?? [];
  const digits = body.match(/\d/g)?.length ?? 0;
  if (!parts || digits < 2 || digits < 0.6 * body.replace(/[.,]/g, '').length) return text;
  const figures = figuresOf(body);
  if (/^\d{1,3}([.,]\d{3})+[.,]\d{2}$/.test(figures)) {
    const whole = figures.slice(0, -3).replace(/[.,]/g, '.');
    return `${front}${whole},${figures.slice(-2)}${tail}`;
  }
  return /^\d+([.,]\d{3})*[.,]\d{2}$/.test(figures) ? `${front}${figures}${tail}` : text;
}

/** An amount in euros; the second group tells how many decimals it has. */
const EUROS = /^(-?[\d.,]*\d[.,])(\d{2,6})(?=€$)/;

/**
 * `'301,941€'` → `'301,94€'`, where most amounts have two decimals: the bow of the euro sign was also read as a figure.
 * Prices of three decimals stay as they are where three are usual.
 */
export function withoutStrokes(words: readonly Word[]): readonly Word[] {
  const decimals = words.flatMap(({ text }) => EUROS.exec(text)?.[2]?.length ?? []);
  const withTwo = decimals.filter((count) => count === 2).length;
  const withThree = decimals.filter((count) => count === 3).length;
  if (withThree === 0 || withThree >= withTwo) return words;
  return words.map((word) => {
    const [all = '', whole = '', cents = ''] = EUROS.exec(word.text) ?? [];
    if (cents.length !== 3) return word;
    return { ...word, text: `${whole}${cents.slice(0, 2)}${word.text.slice(all.length)}` };
  });
}

/**
 * The NIF that these nine characters were before OCR misread one or two of them; null when no guess has a valid control
 * character.
 */
export function mendedNif(text: string): string | null {
  // Beside a figure, Tesseract may see a mark that is not there.
  const bare = text.replace(/^ES(?=.{9}$)/i, '').replace(/[\s.-]|(?<=\d)[%*"'?](?=.)/g, '');
  if (bare.length !== 9) return null;
  const control = bare.slice(8);
  const middle = figuresOf(bare.slice(1, 8));
  if (!/^\d{7}$/.test(middle)) return null;
  const first = bare.charAt(0).toUpperCase();
  const heads = [figuresOf(bare.charAt(0)), first, ...(LIKE_ENTITY[first] ?? '')];
  const tails = [
    control.toUpperCase(),
    figuresOf(control),
    ...(LIKE_LETTER[control.toUpperCase()] ?? ''),
  ];
  const found = heads.flatMap((head) =>
    tails.flatMap((tail) => {
      const check = checkNif(`${head}${middle}${tail}`);
      const changes = Number(head !== first) + Number(tail !== control.toUpperCase());
      return check.ok ? [{ nif: check.nif, changes }] : [];
    }),
  );
  const least = Math.min(...found.map(({ changes }) => changes));
  const nifs = new Set(found.filter(({ changes }) => changes === least).map(({ nif }) => nif));
  // `638759221` may be G38759221 or 63875922T.
  return nifs.size === 1 ? ([...nifs][0] ?? null) : null;
}

/**
 * `'56106535'`, `'687724743'` → the NIF of the person with these eight figures, whose letter was lost or taken for
 * something else: it follows from them, so it confirms nothing.
 */
export function completedNif(text: string): string | null {
  const bare = text.replace(/[\s.]/g, '');
  const entities = [...(LIKE_ENTITY[bare.charAt(0)] ?? '')];
  if (bare.length === 9 && entities.some((head) => checkNif(`${head}${bare.slice(1)}`).ok))
    return null;
  const digits = /^(\d{8})-?.?$/.exec(bare)?.[1];
  const nifs = [...'ABCDEFGHJKLMNPQRSTVWXYZ'].map((letter) => `${digits}${letter}`);
  return digits === undefined ? null : (nifs.find((nif) => checkNif(nif).ok) ?? null);
}

/** What follows «Mª», and what precedes it. */
const AFTER_MARIA = 'del?|dolores|carmen|jes[uú]s|jos[eé]|luisa|teresa|[aá]ngeles|pilar|isabel';
const BEFORE_MARIA =
  'Jos[eé]|Ana|Juan|Rosa|Eva|Luis|Jes[uú]s|Carlos|Antonio|Javier|Manuel|Miguel|Isabel|Elena|Teresa';
/** Given names that lose their accent in OCR, as capitals do. */
const ACCENTED: readonly (readonly [string, string])[] = [
  ['Angel', 'Ángel'],
  ['Angeles', 'Ángeles'],
  ['Alvaro', 'Álvaro'],
  ['Oscar', 'Óscar'],
  ['Iñigo', 'Íñigo'],
  ['Ursula', 'Úrsula'],
  ['Africa', 'África'],
  ['Avila', 'Ávila'],
];

/**
 * `'M2 del Carmen'`, `'José M? Gil'`, `'32, 4% C'`, `'n" 8'`, `'planta 39'`, `'Gil €: Mesa, S.L.'` → `'Mª del Carmen'`,
 * `'José Mª Gil'`, `'32, 4º C'`, `'nº 8'`, `'planta 3ª'`, `'Gil & Mesa, S.L.'`: replaces marks that occur neither in
 * names nor in addresses.
 */
export function mendedOrdinals(text: string): string {
  const marked = text
    .replace(new RegExp(`(?<!\\p{L})M(\\.?)[*2"?9]\\??(?=\\s(?:${AFTER_MARIA})\\s)`, 'giu'), 'M$1ª')
    .replace(
      new RegExp(`(?<=(?<!\\p{L})(?:${BEFORE_MARIA})\\sM\\.?)[*2-9"“”'?]{1,2}(?=\\s\\p{Lu})`, 'gu'),
      'ª',
    )
    // After ten or more, the mark means inches.
    .replace(/(?<=(?:^|[\s,])(?:\d|\d{2}(?!")))[*"“”](?=[\s,.]|[A-H](?:[\s,.]|$)|$)/g, 'º')
    // A percentage is one, unless it stands for a floor: before its door, or last, after the number of the street.
    .replace(
      /(?<=(?:^|\s|(?<!\d),)\d{1,2})%(?=,?\s?(?:[A-H]|[Ii]zda|[Dd]cha|[Ii]zq|[Dd]er)(?![\p{L}\d]))/gu,
      'º',
    )
    .replace(/(?<=\d,\s[1-9])%(?=,|$)/g, 'º')
    .replace(/(?<=\d\s?m)M(?![\p{L}\d])/gu, 'm')
    .replace(/(?<=\d\s?[cmdk]?m)[?*](?=\s|$)/g, '²')
    .replace(/(?<=\b(?:pral|entlo|esc|piso|pta)\.?,?\s)[lI](?=a(?:,|$))/g, '1')
    .replace(/(?<=(?:^|[\s,])[Nn])(?:[%*"“”'?£]|[29efg](?=\s))(?=\s?\d)/g, 'º')
    .replace(/(?<=^P)9(?=\sdel?\s)/, 'º')
    // Only after the number of the street, not in that number itself.
    .replace(/(?<=\d\s?[,-]\s[1-9])[29](?=,?\s(?:izda|dcha|izq|der)\b)/gi, 'º')
    .replace(/(?<=\d,\s[1-9])[29](?=,?\s[A-H]\b)/g, 'º')
    .replace(/(?<=\d\s?[,-]\s[1-9])[249º](?=\splanta\b(?!\sbaja))/gi, 'ª')
    .replace(/(?<=\bplanta\s[2-9])4(?=,|$)/gi, 'ª')
    .replace(/(?<=\b(?:planta|puerta|pta\.?)\s\d)[%*"“”?º](?=[\s,.]|$)/gi, 'ª')
    .replace(/(?<=\bplanta\s[2-9])9(?=[\s,.]|$)/gi, 'ª')
    .replace(
      /(?<=\b(?:oficial|categor[ií]a|calidad|clase|especialista) (?:de )?[123])(?:[24º*"“”?]|2\?)$/i,
      'ª',
    )
    // No word of ours begins with an «l» before another consonant, but short units do: lts, lpm.
    .replace(/(?<![\p{L}\d'’·@./-])l(?=[bcdfgjkmnpqrstvxz]\p{Ll}{3})/gu, 'I')
    .replace(/(?<=\p{Ll}\s)(?:€[:z]?|8[7:z]?|8€z?|S:|£)(?=\s\p{Lu}\p{Ll}.*\bS\.?\s?[ALC])/gu, '&');
  return ACCENTED.reduce(
    (said, [bare, name]) => said.replace(new RegExp(`(?<!\\p{L})${bare}(?!\\p{L})`, 'gu'), name),
    marked,
  );
}

/**
 * `'(Cable 5 m'`, `'Estucado 135 q'`, `'Sustrato 50 1'`, `'Diferencial 30 MA'`, `'100 1m'`, `'CEM ll'`, `'n. 3'`:
 * repairs units, Roman numerals and «n.º», and takes away the side of a box, in what a line describes.
 */
export function mendedDescription(text: string): string {
  return (
    mendedOrdinals(text)
      .replace(/^\((?!.*\))\s?/, '')
      .replace(/(?<=\d\s?)q(?=[\s,.)]|$)/g, 'g')
      .replace(/(?<=\p{L}{2}\.?\s\d{1,3}(?:,\d{1,2})?\s)1$/u, 'l')
      // Lumens are hundreds: «20 1m» may be a metre.
      .replace(/(?<=\s\d[\d.]{2,}\s)1m(?=[\s,.)]|$)/g, 'lm')
      .replace(/(?<![\p{L}\d])[lI]{2,3}(?![\p{L}\d])/gu, (numeral) => 'I'.repeat(numeral.length))
      .replace(/(?<=\d)%(?=º)/g, '0')
      .replace(/(?<=\sn\.)(?=\s\d)/g, 'º')
      .replace(/¡(?=\/)/g, 'i')
      .replace(/(?<=\d\s?)[*"“”'’](?=C(?![\p{L}\d]))/gu, '°')
      .replace(/(?<=\d\s?)u(?=[FHA](?![\p{L}\d]))/gu, 'µ')
      .replace(/(?<=(?<!\p{L})[cdk]?m)2\?/gu, '²')
      .replace(/(?<=\s)—(?=[\p{L}\d])/gu, '– ')
      .replace(/(?<=\d\s?)MA(?=\s|$)/g, 'mA')
  );
}
