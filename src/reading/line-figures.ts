import type { Word } from './shapes.ts';
import { plainOf, type Row, wordGap } from './words.ts';

/** The numbers of a document, and which ones are aligned in columns. */

/** A number on the paper, with whatever is attached to it. */
export interface Figure {
  readonly value: number;
  /** Plain decimal text. */
  readonly text: string;
  readonly decimals: number;
  readonly mark: '' | '%' | '€' | 'unit';
  readonly x: number;
  readonly right: number;
  readonly h: number;
  readonly row: number;
  readonly words: readonly Word[];
  /** Among words, like the 5 of «Cable de 5 m». */
  readonly isInText: boolean;
  /** The words are after it: the 2 of «2 Cable», which may belong to a column. */
  readonly isBeforeText: boolean;
}

/** Figures one below another. */
export interface Track {
  readonly figures: ReadonlyMap<number, Figure>;
  readonly x: number;
  readonly right: number;
}

const UNITS =
  'h|hr|hrs|hora|horas|ud|uds|u|un|und|unid|unidad|unidades|kg|g|l|m|ml|m2|m²|m3|m³|dia|dias|mes|meses|caja|cajas|pza|pzas|pcs|units?|unitats?|hores|km|t';
export const UNIT = new RegExp(`^(${UNITS})\\.?$`);
const GLUED = new RegExp(`^([-−]?\\d[\\d.,]*)(${UNITS})\\.?$`);
const NUMBER = /^[-−–(]?[€]?\d[\d.,']*\)?-?$/;
/** What a price is for: the `€/h` of «45,00 €/h». OCR loses the stroke. */
const PER = new RegExp(`^(?:€|eur)(?:\\/\\p{L}{1,10}[.²³]?|(?:${UNITS}))$`, 'iu');
const GLUED_PER = /^([-−]?\d[\d.,]*)((?:€|eur).+)$/i;
/** Longer than units are, before which only a quantity stands. */
const LONG_UNIT =
  /^(palabras?|paginas?|jornadas?|servicios?|sesion(es)?|personas?|paquetes?|kilometros?|semanas?|botellas?|licencias?|usuarios?|unidades)$/;
export interface Sheet {
  readonly point: ',' | '.';
  /** Space between words, in letter heights. A wider one separates columns. */
  readonly gap: number;
  /** Usual space between the words of a text, in letter heights. */
  readonly space: number;
  readonly rows: readonly Row[];
  readonly figures: readonly (readonly Figure[])[];
  readonly tracks: readonly Track[];
}

export function sheetOf(rows: readonly Row[]): Sheet {
  const point = pointOf(rows);
  const gap = gapOf(rows);
  const figures = rows.map((row, index) => figuresOf(row, index, { point, gap }));
  const space = wordGap(
    rows.map(({ words }) => words),
    1.4,
  );
  return { point, gap, space, rows, figures, tracks: tracksOf(figures) };
}

/** The decimal mark of most of the amounts. */
function pointOf(rows: readonly Row[]): ',' | '.' {
  let commas = 0;
  for (const { words } of rows)
    for (const { text } of words) {
      if (/\d,\d{2}(?!\d)/.test(text)) commas += 1;
      else if (/\d\.\d{2}(?!\d)/.test(text)) commas -= 1;
    }
  return commas >= 0 ? ',' : '.';
}

/**
 * The space that separates columns, in letter heights: wider than the space between words in this document, or in its
 * table.
 */
function gapOf(rows: readonly Row[]): number {
  const all = rows.map(({ words }) => words);
  const inTable = all.filter((words) => words.filter(hasCents).length > 1);
  const usual = Math.max(wordGap(all, 1.4), wordGap(inTable, 1.4));
  // Scanned letters of one width.
  if (usual > 0.65) return Math.min(1.5, 1.25 * usual);
  return Math.min(0.74, Math.max(0.5, 1.4 * wordGap(all, 0.75)));
}

const hasCents = ({ text }: Word) => /\d[.,]\d{2}/.test(text);

function figuresOf(
  { words }: Row,
  row: number,
  format: { readonly point: ',' | '.'; readonly gap: number },
): Figure[] {
  const found: Figure[] = [];
  for (let from = 0; from < words.length; from += 1) {
    const printed = printedAt(words, from, format);
    if (!printed) continue;
    const { value, mark, text, to } = printed;
    const [before, first] = [words[from - 1], words[from] as Word];
    const [last, next] = [words[to] as Word, words[to + 1]];
    const near = format.gap * first.h;
    const isAfterText =
      isText(before) &&
      // The «EUR» of the amount before it.
      found.at(-1)?.words.at(-1) !== before &&
      gapTo(before, first) < near;
    const isBeforeText = isText(next) && gapTo(last, next) < near;
    found.push({
      ...value,
      mark,
      row,
      h: first.h,
      x: first.x,
      right: last.x + last.w,
      words: words.slice(from, to + 1),
      isInText: isAfterText || isBeforeText,
      // «1)» numbers a list.
      isBeforeText: isBeforeText && !isAfterText && /^-?\d/.test(text) && !text.includes(')'),
    });
    from = to;
  }
  return found;
}

const isText = (word: Word | undefined): word is Word =>
  word !== undefined && /\p{L}|^[-–.,/×]$/u.test(word.text);

/** A number, with the marks attached to it. */
interface Printed {
  readonly value: Pick<Figure, 'value' | 'text' | 'decimals'>;
  readonly mark: Figure['mark'];
  /** As printed, without a unit. */
  readonly text: string;
  /** The index of its last word. */
  readonly to: number;
}

/** The number that begins with a word, or null. */
function printedAt(
  words: readonly Word[],
  from: number,
  { point, gap }: { readonly point: ',' | '.'; readonly gap: number },
): Printed | null {
  const first = words[from] as Word;
  const glued = GLUED.exec(first.text.toLowerCase());
  const isSign = /^[-−–]$/.test(first.text) && /^\d/.test(textWithin(words, from, 0.7 * first.h));
  const to = isSign ? from + 1 : from;
  const price = GLUED_PER.exec(first.text);
  const isPrice = PER.test(price?.[2] ?? '');
  const text = isSign
    ? `-${words[to]?.text}`
    : (glued?.[1] ?? (isPrice ? `${price?.[1]}€` : first.text));
  const bare = text.replace(/[€%\s]|EUR$/g, '').replace(/[−–]/g, '-');
  const value = NUMBER.test(bare) ? numberOf(bare, point) : null;
  if (!value) return null;
  const after = textWithin(words, to, Math.max(0.9, gap) * first.h).toLowerCase();
  if (after === '%' || after === '%)') return { value, text, mark: '%', to: to + 1 };
  if (/^(€|eur|euros?)$/.test(after) || PER.test(after))
    return { value, text, mark: '€', to: to + 1 };
  if (/%$/.test(text)) return { value, text, mark: '%', to };
  if (/€$|^€/.test(text)) return { value, text, mark: '€', to };
  if (glued) return { value, text, mark: 'unit', to };
  const isUnit = UNIT.test(plainOf(after));
  return (isUnit || isUnitOf(words, from, to, gap)) && isUnitApart(words, { from, to, gap, isUnit })
    ? { value, text, mark: 'unit', to: to + 1 }
    : { value, text, mark: '', to };
}

/** The next word, if it is no further than this; otherwise `''`. */
function textWithin(words: readonly Word[], at: number, most: number): string {
  const [here, next] = [words[at], words[at + 1]];
  return here && next && gapTo(here, next) < most ? next.text : '';
}

/** Whether what follows a unit is too far from it to be the description that it begins. */
function isUnitApart(
  words: readonly Word[],
  {
    from,
    to,
    gap,
    isUnit,
  }: { readonly from: number; readonly to: number; readonly gap: number; readonly isUnit: boolean },
): boolean {
  const [own, unit, next] = [words[to] as Word, words[to + 1] as Word, words[to + 2]];
  const { h } = words[from] as Word;
  const [toUnit, toNext] = [gapTo(own, unit), gapTo(unit, next)];
  // `8,00 kg` at the start of its row: the unit is closer to its number than to the description.
  const isFirst = from === 0 && isUnit && toNext > 1.8 * toUnit;
  return toNext > gap * h || (isFirst && toNext > 0.5 * h);
}

const gapTo = (word: Word, next: Word | undefined) =>
  next ? next.x - word.x - word.w : Number.POSITIVE_INFINITY;

/** A short word at the end of a cell that begins with its number: any word may be a unit there. */
function isUnitOf(words: readonly Word[], from: number, to: number, gap: number): boolean {
  const [before, first, last] = [words[from - 1], words[from] as Word, words[to] as Word];
  const unit = words[to + 1];
  // The only word of its row is the whole description.
  const isOnly = words.every((word) => word === unit || !/\p{L}{2}/u.test(word.text));
  return (
    !isOnly &&
    (/^\p{L}{1,6}[.²³]?$/u.test(unit?.text ?? '') || LONG_UNIT.test(plainOf(unit?.text ?? ''))) &&
    (unit as Word).x - last.x - last.w < gap * last.h &&
    (!before || first.x - before.x - before.w > gap * first.h)
  );
}

/** `'1.234,50'`, according to the decimal mark of the document; null for anything that is not a number. */
export function numberOf(
  bare: string,
  point: ',' | '.',
): { value: number; text: string; decimals: number } | null {
  const isNegative = /^[-(]|-$/.test(bare);
  const digits = bare.replace(/[-()]/g, '').replace(/'/g, '');
  const other = point === ',' ? '.' : ',';
  const grouped = new RegExp(`^\\d{1,3}(\\${other}\\d{3})+(\\${point}\\d+)?$`);
  let plain = digits;
  // If it contains both marks, the last one decides, whatever the rest of the document says.
  const [, mark] = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?!\1)[.,]\d{2}$/.exec(digits) ?? [];
  if (mark) plain = digits.replaceAll(mark, '');
  else if (grouped.test(digits)) plain = digits.replaceAll(other, '');
  else if (digits.includes(other) && digits.includes(point)) return null;
  plain = plain.replace(',', '.');
  if (!/^\d+(\.\d{1,6})?$/.test(plain)) return null;
  const text = `${isNegative ? '-' : ''}${plain}`;
  return { value: Number(text), text, decimals: plain.split('.')[1]?.length ?? 0 };
}

/** Where figures are aligned one below another: on their right, on their left or on their middle. */
function tracksOf(figures: readonly (readonly Figure[])[]): Track[] {
  const rows = figures.filter((row) => row.some(isAmount));
  // Rows with many figures are lines rather than sums.
  const weight = ({ row }: Figure) => figures[row]?.length ?? 1;
  let left = rows
    .flat()
    .filter((one) => !one.isInText || one.isBeforeText || (isAmount(one) && one.decimals === 2));
  const tracks: Track[] = [];
  while (left.length > 0 && tracks.length < 14) {
    const best = mostAligned(left, weight);
    const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1] as number;
    const x = median(best.map((one) => one.x));
    const right = median(best.map((one) => one.right));
    const all = left.filter((one) => best.includes(one) || isUnder(one, { x, right }));
    const byRow = new Map<number, Figure>();
    for (const one of all) {
      const rival = byRow.get(one.row);
      if (!rival || (best.includes(one) && !best.includes(rival))) byRow.set(one.row, one);
    }
    const taken = new Set(byRow.values());
    left = left.filter((one) => !taken.has(one));
    tracks.push({ figures: byRow, x, right });
  }
  return tracks;
}

const EDGES = [
  ({ right }: Figure) => right,
  ({ x }: Figure) => x,
  ({ x, right }: Figure) => (x + right) / 2,
];

/** The figures of most weight whose right edges, left edges or middles are one below another. */
function mostAligned(figures: readonly Figure[], weight: (figure: Figure) => number): Figure[] {
  let best: Figure[] = [];
  let most = 0;
  for (const edge of EDGES) {
    const sorted = [...figures].sort((a, b) => edge(a) - edge(b));
    let from = 0;
    let heft = 0;
    for (const [to, last] of sorted.entries()) {
      heft += weight(last);
      while (edge(last) - edge(sorted[from] as Figure) > 0.45 * last.h) {
        heft -= weight(sorted[from] as Figure);
        from += 1;
      }
      if (heft > most) {
        best = sorted.slice(from, to + 1);
        most = heft;
      }
    }
  }
  return best;
}

/** They share more than half the width of the narrower one. */
function isUnder(one: Figure, { x, right }: { x: number; right: number }): boolean {
  const shared = Math.min(one.right, right) - Math.max(one.x, x);
  return shared > 0.5 * Math.min(one.right - one.x, right - x);
}

export const isAmount = ({ decimals, mark }: Figure) =>
  decimals >= 2 && mark !== '%' && mark !== 'unit';

export const at = ({ tracks }: Sheet, track: number | null, row: number): Figure | undefined =>
  track === null ? undefined : tracks[track]?.figures.get(row);
