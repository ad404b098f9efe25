/** When the owner of a digital certificate is told that it will expire, and that it has. */

/**
 * Days before, in the order they come (issue of a new one takes a visit or a video call); zero, once it has
 * expired.
 */
const AVISOS_CADUCIDAD_DIAS = [60, 30, 15, 7, 1, 0] as const;

const DAY_MS = 86_400_000;
/** What expired longer ago than this is no news: nobody was there to tell it. */
const NEWS_DAYS = 30;

/** Whole days left, rounded up; zero or less once it has expired. */
export function diasHasta(validoHasta: Date, now: Date): number {
  return Math.ceil((validoHasta.getTime() - now.getTime()) / DAY_MS);
}

/** A warning, and the certificates that it is due to: those that expire after one instant and until another. */
export interface AvisoDebido {
  readonly dias: number;
  readonly after: Date;
  readonly until: Date;
}

/**
 * Which warning is due to which certificates: the nearest one whose day has come. One that was uploaded ten
 * days before its end gets that of 15 days, and not those before too.
 */
export function avisosDebidos(now: Date): AvisoDebido[] {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  return AVISOS_CADUCIDAD_DIAS.map((dias, index) => ({
    dias,
    after: inDays(AVISOS_CADUCIDAD_DIAS[index + 1] ?? -NEWS_DAYS),
    until: inDays(dias),
  }));
}

/** What an expired certificate stops: the sending, never the registering. */
const SE_ESPERA = 'lo que registres esperará sin enviarse a la AEAT hasta que subas otro';

/** The same, for whoever is told of the end of one. */
export function trasCaducar({ hasExpired }: { readonly hasExpired: boolean }): string {
  return hasExpired ? `Puedes seguir registrando: ${SE_ESPERA}.` : `Después, ${SE_ESPERA}.`;
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
    mensaje: `Tu certificado digital caduca ${enDias(dias)}. ${trasCaducar({ hasExpired: false })}`,
  };
}

/** `mañana`, `en 12 días`. */
export function enDias(dias: number): string {
  return dias === 1 ? 'en menos de un día' : `en ${dias} días`;
}
