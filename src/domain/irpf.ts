/** The retention on account of IRPF: its rates, and on which invoices it applies. */

import type { Customer } from './customer.ts';
import type { TipoFactura } from './invoice.ts';
import { decimalToEs, parseDecimal } from './money.ts';
import { checkNif, nifKind } from './nif.ts';
import type { Territory } from './postal-code.ts';

const MAX_BPS = 5_000n;

/** The error for an invalid percentage. */
export const WRONG_RETENTION =
  'La retención debe ser un porcentaje entre 0 y 50, con dos decimales como mucho.';

/** A retention as typed, in hundredths of a percent; empty is none. Null for one that no invoice admits. */
export function checkRetention(percent: string | number): bigint | null {
  const bps = percent === '' ? 0n : parseDecimal(percent, 2);
  return bps === null || bps < 0n || bps > MAX_BPS ? null : bps;
}

/** Rates of retention by law (Ley 35/2006 art. 101 and its regulation). */
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

/** The rates for rents. */
const OF_RENTS: readonly bigint[] = [1_900n, 760n];

/**
 * The rates available to a company of that territory (the reduced ones first, if any), plus its current one if that
 * is another. That one may be written `15,00`.
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

/** Companies proper: not persons, nor entities with E or J, whose income is their members'. */
export function isSociedad(nif: string): boolean {
  return nifKind(nif) === 'entidad' && !/^[EJ]/.test(nif);
}

/** Whether invoices issued under that NIF may carry the retention: those of a company, only for rents. */
export function admitsRetention(nif: string, percent: string): boolean {
  return !isSociedad(nif) || OF_RENTS.includes(checkRetention(percent) ?? 0n);
}

/** `if-in-business`: a person, who withholds in their business but not as a consumer. */
export type Withholds = 'always' | 'if-in-business' | 'never';

export type Payer = Pick<
  Customer,
  'VATRegistrationNo' | 'countryCode' | 'CustomerPostingGroup' | 'tipoIdentificacion'
>;

/**
 * Whether the payer of an invoice has to withhold, as far as its card tells.
 *
 * Law: RD 439/2007 art. 76.1. Entities in Spain do, including comunidades de propietarios; persons do in their
 * business, which shops in recargo have (Ley 37/1992 art. 148). A foreign entity (NIF with N) may or may not have a
 * branch here.
 */
export function withholds(payer: Payer): Withholds {
  const { countryCode, tipoIdentificacion: tipo = '' } = payer;
  const nif = checkNif(payer.VATRegistrationNo);
  // Somebody identified otherwise is in no Spanish census of businesses.
  if (countryCode !== 'ES' || tipo !== '' || !nif.ok) return 'never';
  if (nif.kind === 'entidad') return nif.nif.startsWith('N') ? 'if-in-business' : 'always';
  return payer.CustomerPostingGroup === 'NACRE' ? 'always' : 'if-in-business';
}

export interface UsualRetention {
  /** The company's usual retention, per cent; empty without one. */
  readonly percent: string;
  readonly issuerNif: string;
  readonly tipoFactura: TipoFactura;
  /** Undefined while none is chosen. */
  readonly client: Payer | undefined;
  /** A line is taxed on the margin, which a retention would reveal (RD 1619/2012 art. 16.2.c). */
  readonly isOnMargin: boolean;
}

/**
 * Whether a new invoice starts with the company's usual retention. Only an ordinary invoice does: a simplified one
 * has no payer, one that replaces it was already paid in full, and a rectificativa has that of the invoice it
 * rectifies.
 */
export function takesUsualRetention(usual: UsualRetention): Withholds {
  const { percent, issuerNif, tipoFactura, client, isOnMargin } = usual;
  if ((checkRetention(percent) ?? 0n) === 0n || !admitsRetention(issuerNif, percent))
    return 'never';
  if (tipoFactura !== 'F1' || isOnMargin || !client) return 'never';
  return withholds(client);
}
