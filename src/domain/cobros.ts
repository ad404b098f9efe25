/** What is collected of an invoice, and what is left (decision 0510). */

import { addYears, fechaEs } from './dates.ts';
import { type IssuedInvoice, isPorImpago, type TipoFactura, type Vencimiento } from './invoice.ts';
import { absCents, textToCents } from './money.ts';

/**
 * «Medio utilizado» of a cobro in the AEAT's book of issued invoices.
 *
 * Source: AEAT, «Criterio de cobros y pagos en IRPF vs. Régimen Especial del criterio de caja del IVA», among the
 * questions on the books of IVA.
 */
export type MedioDeCobro = '01' | '02' | '03' | '04' | '05';

/**
 * «No se cobra»: under criterio de caja, the tax falls due on 31 December of the year after the operation without a
 * cobro (same source).
 */
export const NO_SE_COBRA: MedioDeCobro = '03';

/** The day of {@link NO_SE_COBRA}, if nothing else made the tax fall due before. */
export function endOfTerm({
  fechaOperacion,
  fechaExpedicion,
}: Pick<IssuedInvoice, 'fechaOperacion' | 'fechaExpedicion'>): string {
  return addYears(`${(fechaOperacion ?? fechaExpedicion).slice(0, 4)}-12-31`, 1);
}

/** In the order in which they are offered. */
export const MEDIOS_DE_COBRO: readonly { readonly medio: MedioDeCobro; readonly label: string }[] =
  [
    { medio: '01', label: 'Transferencia' },
    { medio: '05', label: 'Domiciliación bancaria' },
    { medio: '02', label: 'Cheque' },
    { medio: '04', label: 'Efectivo, tarjeta u otro' },
    { medio: NO_SE_COBRA, label: 'No se cobra (fin de plazo)' },
  ];

export function medioLabel(medio: MedioDeCobro): string {
  return MEDIOS_DE_COBRO.find((one) => one.medio === medio)?.label ?? medio;
}

/** How it is usually collected, from the invoice's form of payment. */
export function medioOf(formaPago: string): MedioDeCobro {
  if (/^transferencia/i.test(formaPago)) return '01';
  if (/^domiciliaci/i.test(formaPago)) return '05';
  return /^cheque/i.test(formaPago) ? '02' : '04';
}

export interface NotedCobro {
  /** Decimal text, with the sign of what is owed. */
  readonly importe: string;
  readonly medio: MedioDeCobro;
}

export interface Account {
  /** What the paper asks for. Negative for a credit, which is given back. */
  readonly aCobrarCents: bigint;
  /** Of it, what was noted down on the invoices that this one replaces. */
  readonly antesCents: bigint;
  readonly cobradoCents: bigint;
  readonly pendienteCents: bigint;
}

/**
 * What is owed of an invoice.
 *
 * One that replaces others asks for all of the new amount, so what was collected of those counts for it. If that was
 * more, the rest is given back; but an F3 has taken off by itself what its tickets paid at once (`pagadoAntes`), and
 * owes only what its own paper says, because of a retention (decision 1050).
 *
 * @param antes what was noted down on the invoices that it replaces, in decimal text
 */
export function accountOf(
  { payable, tipoFactura }: Pick<IssuedInvoice, 'payable' | 'tipoFactura'>,
  cobros: readonly NotedCobro[],
  antes: string,
): Account {
  const aCobrarCents = textToCents(payable);
  const all = textToCents(antes);
  const mostOfF3 = aCobrarCents > 0n ? aCobrarCents : 0n;
  const antesCents = tipoFactura === 'F3' && all > mostOfF3 ? mostOfF3 : all;
  const cobradoCents = cobros
    .filter(({ medio }) => medio !== NO_SE_COBRA)
    .reduce((sum, { importe }) => sum + textToCents(importe), 0n);
  const pendienteCents = aCobrarCents - antesCents - cobradoCents;
  return { aCobrarCents, antesCents, cobradoCents, pendienteCents };
}

/**
 * What the paper asks for, in words that say which way the money goes, so without a sign: of a credit, or of an F3 with a
 * retention that its tickets did not have (decision 1050), it is given back.
 */
export function payableSum(
  cents: bigint,
  tipoFactura: TipoFactura,
): { readonly label: string; readonly cents: bigint } {
  return { label: payableLabel(cents, tipoFactura), cents: absCents(cents) };
}

export function payableLabel(payable: bigint | number, tipoFactura: TipoFactura): string {
  return payable < 0 ? creditWords(tipoFactura).owed : 'A cobrar';
}

const GIVEN_BACK = {
  owed: 'A devolver',
  done: 'Devuelto',
  left: 'Queda por devolver',
  state: 'Devuelta',
  noun: 'devolución',
} as const;

const TAKEN_OFF = {
  owed: 'A compensar',
  done: 'Compensado',
  left: 'Queda por compensar',
  state: 'Compensada',
  noun: 'compensación',
} as const;

/** A credit is given back; one for what is not paid is taken off that debt, and no money moves. */
export function creditWords(tipoFactura: TipoFactura): typeof GIVEN_BACK | typeof TAKEN_OFF {
  return isPorImpago(tipoFactura) ? TAKEN_OFF : GIVEN_BACK;
}

/** Whether all that the paper asks for was collected, or more, of which the rest is given back. */
export function isCollected({
  aCobrarCents,
  pendienteCents,
}: Pick<Account, 'aCobrarCents' | 'pendienteCents'>): boolean {
  return pendienteCents === 0n || pendienteCents < 0n !== aCobrarCents < 0n;
}

/** The first day of a cobro: what was paid ahead of an invoice was paid in the year before it. */
export function firstDayOfCobro({
  fechaOperacion,
  fechaExpedicion,
}: Pick<IssuedInvoice, 'fechaOperacion' | 'fechaExpedicion'>): string {
  const day = fechaOperacion && fechaOperacion < fechaExpedicion ? fechaOperacion : fechaExpedicion;
  return addYears(day, -1);
}

/**
 * What is wrong with the day of a cobro, in a sentence; null for nothing.
 *
 * @param today `YYYY-MM-DD`
 */
export function problemOfDay(
  fecha: string,
  issued: Pick<IssuedInvoice, 'fechaOperacion' | 'fechaExpedicion'>,
  today: string,
): string | null {
  if (fecha > today) return 'La fecha del cobro no puede ser posterior a hoy.';
  const first = firstDayOfCobro(issued);
  if (fecha >= first) return null;
  return `La fecha del cobro no puede ser anterior al ${fechaEs(first)}, un año antes de la factura.`;
}

/** Whether this much may still be noted down of what is left. Nothing is never noted down. */
export function fits(cents: bigint, pendienteCents: bigint): boolean {
  if (cents === 0n) return false;
  return cents < 0n === pendienteCents < 0n && absCents(cents) <= absCents(pendienteCents);
}

/** The first due dates of what has not been collected. */
export interface DueDays {
  /** Already past. */
  readonly vencidaDesde: string | null;
  /** Today or later. */
  readonly vence: string | null;
}

/**
 * What is collected pays the first due dates first.
 *
 * @param today `YYYY-MM-DD`
 */
export function dueDays(
  vencimientos: readonly Vencimiento[],
  { aCobrarCents, pendienteCents }: Pick<Account, 'aCobrarCents' | 'pendienteCents'>,
  today: string,
): DueDays {
  let paid = aCobrarCents - pendienteCents;
  const left = vencimientos.filter(({ importe }) => {
    paid -= textToCents(importe);
    return paid < 0n;
  });
  const [first] = left;
  const next = left.find(({ fecha }) => fecha >= today);
  return {
    vencidaDesde: first && first.fecha < today ? first.fecha : null,
    vence: next?.fecha ?? null,
  };
}

/** Whether its tax falls due when it is collected: clave 07, of IVA and of IGIC. */
export function isCriterioDeCaja({ desglose }: Pick<IssuedInvoice, 'desglose'>): boolean {
  return desglose.some(
    ({ Impuesto, ClaveRegimen }) =>
      (Impuesto === '01' || Impuesto === '03') && ClaveRegimen === '07',
  );
}
