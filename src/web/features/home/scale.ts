import { entero } from '../../lib/format.ts';

const STEPS = [1, 2, 2.5, 5, 10];
const MAX_INTERVALS = 4;

/** Round tick values for an axis in euros, ascending, at most five, including 0 and covering every value. */
export function ticks(values: readonly number[]): number[] {
  const top = Math.max(0, ...values);
  const bottom = Math.min(0, ...values);
  if (top === bottom) return [0];
  const step = niceStep((top - bottom) / MAX_INTERVALS);
  const first = Math.floor(bottom / step);
  const last = Math.ceil(top / step);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

/** The smallest of 1, 2, 2.5, 5 times a power of ten that is at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}

/** A tick value as a short text: `0`, `500`, `10 mil`, `2,5 M`. */
export function tickLabel(value: number): string {
  const size = Math.abs(value);
  if (size >= 1_000_000) return `${short(value / 1_000_000)} M`;
  if (size >= 1000) return `${short(value / 1000)} mil`;
  return short(value);
}

const short = (value: number) =>
  Number.isInteger(value) ? entero(value) : value.toLocaleString('es-ES').replace('-', '−');
