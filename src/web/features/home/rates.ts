import type { FilaPorTipo } from '../../../contract/invoices.ts';
import { centsToNumber, numberToCents } from '../../../domain/money.ts';
import { importe, percent } from '../../lib/format.ts';

/** The amount of each rate, the highest first: `21 %: 10.533,77`. The recargo counts as another rate. */
export interface Rates {
  readonly words: readonly string[];
  /** All of them together. */
  readonly cents: bigint;
}

/** @param tax the tax that the company charges: other taxes are shown with their name */
export function ratesOf(filas: readonly FilaPorTipo[], tax: string): Rates {
  const byName = new Map<string, bigint>();
  const add = (name: string, euros: number) =>
    byName.set(name, (byName.get(name) ?? 0n) + numberToCents(euros));
  for (const { impuesto, tipo, cuota, cuotaRecargo } of filas) {
    const other = impuesto === tax ? '' : `${impuesto}\u00a0`;
    if (tipo !== undefined) add(`${other}${percent(tipo)}`, cuota);
    add(`${other}recargo`, cuotaRecargo);
  }
  const charged = [...byName].filter(([, cents]) => cents !== 0n);
  const size = (cents: bigint) => (cents < 0n ? -cents : cents);
  charged.sort(([, a], [, b]) => Number(size(b) - size(a)));
  return {
    words: charged.map(([name, cents]) => `${name}: ${importe(centsToNumber(cents))}`),
    cents: charged.reduce((sum, [, cents]) => sum + cents, 0n),
  };
}

export const AND_OTHERS = 'y otros';

/** How many are shown by name, where there is room. */
const MOST_TOLD = 3;

/** The separator is as wide as this many letters. */
const BETWEEN = 2;

/**
 * Those that fit into two lines, always including the first, followed by «y otros» if there are more.
 *
 * @param letters how many letters fit into a line
 */
export function inTwoLines(words: readonly string[], letters: number): readonly string[] {
  for (let count = Math.min(words.length, MOST_TOLD); count > 1; count -= 1) {
    const told = toldOf(words, count);
    if (linesOf(told, letters) <= 2) return told;
  }
  return toldOf(words, 1);
}

function toldOf(words: readonly string[], count: number): readonly string[] {
  return count < words.length ? [...words.slice(0, count), AND_OTHERS] : words.slice(0, count);
}

function linesOf(words: readonly string[], letters: number): number {
  let [lines, room] = [0, 0];
  for (const { length } of words) {
    if (lines > 0 && BETWEEN + length <= room) room -= BETWEEN + length;
    else {
      lines += 1;
      room = letters - length;
    }
  }
  return lines;
}
