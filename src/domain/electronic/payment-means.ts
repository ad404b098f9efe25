/** A form of payment in the lists of both formats: `PaymentMeans` of Facturae, and UNCL4461. */
export interface MedioDePago {
  readonly facturae: string;
  readonly uncl4461: string;
}

export const TRANSFERENCIA: MedioDePago = { facturae: '04', uncl4461: '30' };

/** For forms without a code, and for those whose code requires an account that is not known. */
const OTRO: MedioDePago = { facturae: '13', uncl4461: '1' };

/**
 * For a direct debit (`02`), Facturae requires the customer's account, which the invoice does not have: it becomes a
 * receipt.
 */
const MEDIOS: readonly [words: RegExp, medio: MedioDePago][] = [
  [/^transferencia/i, TRANSFERENCIA],
  [/domicilia/i, { facturae: '03', uncl4461: '59' }],
  [/tarjeta/i, { facturae: '19', uncl4461: '48' }],
  [/contado|efectivo/i, { facturae: '01', uncl4461: '10' }],
  [/cheque/i, { facturae: '11', uncl4461: '20' }],
  [/pagar[eé]/i, { facturae: '10', uncl4461: '60' }],
  [/reembolso/i, { ...OTRO, facturae: '18' }],
  [/compensaci[oó]n/i, { facturae: '14', uncl4461: '97' }],
  [/letra/i, { facturae: '05', uncl4461: '44' }],
  [/giro/i, { facturae: '15', uncl4461: '44' }],
  [/bizum|paypal|en l[ií]nea/i, { ...OTRO, uncl4461: '68' }],
];

/** By the words that the invoice carries. A transfer without an account does not count as one (BR-61 of EN 16931). */
export function medioDePagoOf(formaPago: string, iban: string): MedioDePago {
  const medio = MEDIOS.find(([words]) => words.test(formaPago))?.[1] ?? OTRO;
  return medio === TRANSFERENCIA && !iban ? OTRO : medio;
}
