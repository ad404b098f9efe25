/** The retention on account of the IRPF, and its rates. */

import { decimalToEs, parseDecimal } from './money.ts';
import { nifKind } from './nif.ts';
import type { Territory } from './postal-code.ts';

const MAX_BPS = 5_000n;

/** What is said of one that is no such percentage. */
export const WRONG_RETENTION =
  'La retención debe ser un porcentaje entre 0 y 50, con dos decimales como mucho.';

/** A retention as it is typed, in hundredths of a percent; empty is none. Null for what no invoice admits. */
export function checkRetention(percent: string | number): bigint | null {
  const bps = percent === '' ? 0n : parseDecimal(percent, 2);
  return bps === null || bps < 0n || bps > MAX_BPS ? null : bps;
}

/** Rates of retention of the law (Ley 35/2006 art. 101 and its regulation). */
const RETENTION_OPTIONS = [
  { value: '15', label: '15 %, profesionales' },
  { value: '7', label: '7 %, inicio de actividad' },
  { value: '19', label: '19 %, alquiler de locales' },
  { value: '1', label: '1 %, módulos' },
  { value: '2', label: '2 %, agricultura y ganadería' },
  { value: '24', label: '24 %, no residentes' },
] as const;

/** In Ceuta and Melilla, 60 % less (RD 439/2007 arts. 95.1 and 100). */
const REDUCED_RETENTION_OPTIONS = [
  { value: '6', label: '6 %, profesionales (Ceuta y Melilla)' },
  { value: '2,8', label: '2,8 %, inicio de actividad (Ceuta y Melilla)' },
  { value: '7,6', label: '7,6 %, alquiler de locales (Ceuta y Melilla)' },
] as const;

/**
 * The rates that a company there may have, the reduced ones first where there are any, and the one it has now where it
 * is another. That may be written `15,00`.
 */
export function retentionOptions(
  current: string,
  territory: Territory,
): { value: string; label: string }[] {
  const own = parseDecimal(current, 2);
  const isOwn = ({ value }: { value: string }) => own !== null && parseDecimal(value, 2) === own;
  const ofTheLaw = [
    ...(territory === 'ceuta-melilla' ? REDUCED_RETENTION_OPTIONS : []),
    ...RETENTION_OPTIONS,
  ];
  const known = ofTheLaw.map((one) => (isOwn(one) ? { ...one, value: current } : one));
  if (current === '' || ofTheLaw.some(isOwn)) return known;
  const label = own === null ? current : `${decimalToEs(own, 2)}\u00a0%`;
  return [...known, { value: current, label }];
}

/** Companies proper: not persons, nor E and J, whose income is their members'. */
export function isSociedad(nif: string): boolean {
  return nifKind(nif) === 'entidad' && !/^[EJ]/.test(nif);
}
