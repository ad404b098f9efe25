/** When the owner of a digital certificate is told that it will expire, and that it has. */

/**
 * Days before, in the order they come (issue of a new one takes a visit or a video call); zero, once it has
 * expired.
 */
export const AVISOS_CADUCIDAD_DIAS = [60, 30, 15, 7, 1, 0] as const;

const DAY_MS = 86_400_000;

/** Whole days left, rounded up; zero or less once it has expired. */
export function diasHasta(validoHasta: Date, now: Date): number {
  return Math.ceil((validoHasta.getTime() - now.getTime()) / DAY_MS);
}

/**
 * Which warning is due: the nearest one whose day has come. One that was uploaded ten days before its
 * end gets that of 15 days, and not those before too. Null: it is early.
 */
export function avisoDebido(validoHasta: Date, now: Date): number | null {
  const dias = diasHasta(validoHasta, now);
  return AVISOS_CADUCIDAD_DIAS.findLast((aviso) => dias <= aviso) ?? null;
}

/** A sentence for the panel; null while there is time. What has expired is the panel's gate. */
export function avisoDeCaducidad(
  validoHasta: Date,
  now: Date,
): { readonly gravedad: 'aviso' | 'grave'; readonly mensaje: string } | null {
  const dias = diasHasta(validoHasta, now);
  if (dias <= 0 || dias > AVISOS_CADUCIDAD_DIAS[0]) return null;
  return {
    gravedad: dias <= 7 ? 'grave' : 'aviso',
    mensaje: `Tu certificado digital caduca ${enDias(dias)}. Después, lo que registres esperará sin enviarse a la AEAT hasta que subas otro.`,
  };
}

/** `mañana`, `en 12 días`. */
export function enDias(dias: number): string {
  return dias === 1 ? 'en menos de un día' : `en ${dias} días`;
}
