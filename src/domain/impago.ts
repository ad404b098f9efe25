import { addMonths } from './dates.ts';

/**
 * Months from the operation after which the VAT of an unpaid invoice can be recovered at the earliest (Ley 37/1992 art.
 * 80.Cuatro.A.1.ª).
 */
const MESES_DE_IMPAGO = 6;

/** And at the latest: the six months that follow a year (art. 80.Cuatro.A.1.ª and B). */
const MESES_HASTA_PERDERLO = 18;

/**
 * The first and the last day on which the VAT of an invoice that is not paid may be recovered with an R3. A large company
 * has to wait six months more, and each instalment of a sale counts from its own due date.
 *
 * @param fechaOperacion `YYYY-MM-DD`, like both days
 */
export function plazoDeImpago(fechaOperacion: string): {
  readonly desde: string;
  readonly hasta: string;
} {
  return {
    desde: addMonths(fechaOperacion, MESES_DE_IMPAGO),
    hasta: addMonths(fechaOperacion, MESES_HASTA_PERDERLO),
  };
}
