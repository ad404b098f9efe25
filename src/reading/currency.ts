import type { Word } from './shapes.ts';
import { amountOf } from './values.ts';
import type { Row } from './words.ts';

/** What other currencies are called beside an amount. OCR reads «€» as «$» or «£», so a sign of a scan says nothing. */
const CURRENCIES: readonly (readonly [string, RegExp, RegExp?])[] = [
  ['USD', /^(us\$|\$us|usd)$/i, /^\$$/],
  ['GBP', /^gbp$/i, /^£$/],
  ['CHF', /^chf$/i],
  ['MAD', /^mad$/i],
  ['MXN', /^mxn$/i],
];
const EURO = /^(€|eur|euros?)$/i;

/** The currency, if it is not the euro, of most amounts that have one beside them: `'USD'`. */
export function findCurrency(rows: readonly Row[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { words } of rows)
    for (const [i, word] of words.entries()) {
      const [, before = '', figure = '', after = ''] =
        /^(\D*?)(-?\d.*?)([^\d)]*)$/.exec(word.text) ?? [];
      if (amountOf(figure) === null) continue;
      const [last, next] = [words[i - 1], words[i + 1]];
      const marks = [before, after, last?.text ?? '', next?.text ?? ''];
      const name = marks.map((mark) => nameOf(mark, word)).find((one) => one !== null);
      if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most && most[0] !== 'EUR' ? most[0] : undefined;
}

function nameOf(mark: string, { paper }: Word): string | null {
  if (EURO.test(mark)) return 'EUR';
  const isOne = ([, code, sign]: (typeof CURRENCIES)[number]) =>
    code.test(mark) || (!paper && sign?.test(mark));
  return CURRENCIES.find(isOne)?.[0] ?? null;
}
