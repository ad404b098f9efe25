/** When the owner of a digital certificate is warned that it will expire, and that it has. */

/** Days before, in order (getting a new certificate takes a visit or a video call); zero once it has expired. */
const AVISOS_CADUCIDAD_DIAS = [60, 30, 15, 7, 1, 0] as const;

/** From how many days before on its owner is warned. */
export const FIRST_WARNING_DAYS = AVISOS_CADUCIDAD_DIAS[0];

const DAY_MS = 86_400_000;
/** A certificate that expired longer ago than this causes no warning. */
const NEWS_DAYS = 30;

/** Whole days left, rounded up; zero or less once it has expired. */
export function diasHasta(validoHasta: Date, now: Date): number {
  return Math.ceil((validoHasta.getTime() - now.getTime()) / DAY_MS);
}

/** A warning, and the certificates for which it is due: those that expire after one instant and up to another. */
export interface AvisoDebido {
  readonly dias: number;
  readonly after: Date;
  readonly until: Date;
}

/**
 * Which warning is due for which certificates: only the nearest one whose day has come. A certificate uploaded ten
 * days before its end causes the warning of 15 days, and none of the earlier ones.
 */
export function avisosDebidos(now: Date): AvisoDebido[] {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  return AVISOS_CADUCIDAD_DIAS.map((dias, index) => ({
    dias,
    after: inDays(AVISOS_CADUCIDAD_DIAS[index + 1] ?? -NEWS_DAYS),
    until: inDays(dias),
  }));
}

/** An expired certificate stops sending, never registering. */
const SE_ESPERA = 'lo que registres esperará sin enviarse a la AEAT hasta que subas otro';

/** The same consequence, for somebody who is told about the end of a certificate. */
export function trasCaducar({ hasExpired }: { readonly hasExpired: boolean }): string {
  return hasExpired ? `Puedes seguir registrando: ${SE_ESPERA}.` : `Después, ${SE_ESPERA}.`;
}

/** A sentence for the panel, also once it has expired, which leaves the panel open; null while there is time. */
export function avisoDeCaducidad(
  validoHasta: Date,
  now: Date,
): { readonly gravedad: 'aviso' | 'grave'; readonly mensaje: string } | null {
  const dias = diasHasta(validoHasta, now);
  if (dias > FIRST_WARNING_DAYS) return null;
  const hasExpired = dias <= 0;
  const when = hasExpired ? 'ha caducado' : `caduca ${enDias(dias)}`;
  return {
    gravedad: dias <= 7 ? 'grave' : 'aviso',
    mensaje: `Tu certificado digital ${when}. ${trasCaducar({ hasExpired })}`,
  };
}

/** `mañana`, `en 12 días`. */
export function enDias(dias: number): string {
  return dias === 1 ? 'en menos de un día' : `en ${dias} días`;
}
