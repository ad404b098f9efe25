import { type Figure, isAmount, numberOf, type Sheet } from './line-figures.ts';
import type { Word } from './shapes.ts';
import type { Row } from './words.ts';

/**
 * Lines that spell out their calculation: «3 kWh × 0,152 €/kWh», «4,6 kW × 31 días × 0,0976 €/kW día», «2 uds. a 45,00 €
 * (-5 %)».
 */

export interface Formula {
  readonly row: number;
  readonly quantity: string;
  readonly price: string;
  readonly discount: string | null;
  /** Its result, in the same row or in one nearby. */
  readonly net: Figure;
  /** The formula itself. */
  readonly words: readonly Word[];
}

const NUMBER = '[-−]?\\d[\\d.,]*';
const TIMES = '(?:x|×|\\*|·|a|por|@)';
const MADE = new RegExp(
  `(?<![\\p{L}\\d])(${NUMBER})\\s*(?:\\p{L}{1,8}[.²³]?\\s*)?(?:[x×*·]\\s*(${NUMBER})\\s*(?:\\p{L}{1,8}\\s*)?)?${TIMES}\\s*(?:€\\s*)?(${NUMBER})\\s*(?:€|eur(?:os)?)?(?:\\s*\\/\\s*\\p{L}{1,8}[.²³]?(?:\\s*(?:y\\s|·|/)?\\s*(?:d[ií]as?|mes(?:es)?))?)?(?:\\s*\\(?\\s*(?:dto\\.?)?\\s*[-−–]\\s*(${NUMBER})\\s*%\\s*\\)?)?\\s*=?(?![\\p{L}\\d])`,
  'giu',
);
/** How many rows away from its formula an amount may be. */
const ROWS_NEAR = 3;

export function formulasOf(sheet: Sheet): Formula[] {
  const { rows, figures } = sheet;
  const used = new Set<Figure>();
  return rows.flatMap((row, i): Formula[] => {
    const { text, starts } = textOf(row);
    for (const match of text.matchAll(MADE)) {
      const [all, q = '', often, p = '', d] = match;
      const [quantity, price] = [timesOf(q, often, sheet), numberIn(p, sheet)];
      const less = d === undefined ? null : numberIn(d, sheet);
      if (!quantity || !price || price.decimals < 2 || less === undefined) continue;
      const made = quantity.value * price.value * (1 - Math.abs(less?.value ?? 0) / 100);
      const words = row.words.filter((_, k) => {
        const at = starts[k] as number;
        return at >= match.index && at < match.index + all.trimEnd().length;
      });
      const right = Math.max(...words.map(({ x, w }) => x + w));
      const near = (far: number) =>
        (figures[i + far] ?? []).find(
          (one) =>
            isAmount(one) &&
            !used.has(one) &&
            rows[i + far]?.page === row.page &&
            !one.words.some((word) => words.includes(word)) &&
            one.right > right - row.h &&
            Math.abs(made - one.value) < 0.016,
        );
      const net = NEAREST.map(near).find((one) => one !== undefined);
      if (!net || net.value === 0) continue;
      used.add(net);
      const discount = less && less.value !== 0 ? less.text.replace('-', '') : null;
      return [{ row: i, quantity: quantity.text, price: price.text, discount, net, words }];
    }
    return [];
  });
}

const NEAREST = Array.from({ length: 2 * ROWS_NEAR + 1 }, (_, i) =>
  i % 2 === 0 ? -(i >> 1) : (i + 1) >> 1,
);

/** What is multiplied by the price: one number, or two as in «4,6 kW × 31 días». */
function timesOf(text: string, often: string | undefined, sheet: Sheet) {
  const one = numberIn(text, sheet);
  if (!one || often === undefined) return one;
  const other = numberIn(often, sheet);
  if (!other) return undefined;
  const value = Math.round(one.value * other.value * 1e6) / 1e6;
  return { value, text: String(value) };
}

function numberIn(text: string, { point }: Sheet) {
  return numberOf(text.replace(/[−–]/g, '-').replace(/[.,]$/, ''), point) ?? undefined;
}

function textOf({ words }: Row): { text: string; starts: readonly number[] } {
  const starts: number[] = [];
  let text = '';
  for (const word of words) {
    starts.push(text.length);
    text += `${word.text} `;
  }
  return { text, starts };
}
