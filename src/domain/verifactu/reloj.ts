/**
 * The difference between our clock and the AEAT's. It is measured and reported; a registro never gets another time
 * because of it.
 */

/**
 * From this many seconds on the owner is warned. The last registro may not be more than a minute later than the time
 * at which the next one is made (Orden HAC/1177/2024 art. 7.i).
 */
export const DESFASE_AVISO_SEGUNDOS = 60;

/**
 * From this many seconds on the AEAT flags what it accepts: its tolerance for FechaHoraHusoGenRegistro (code 2004).
 */
export const DESFASE_GRAVE_SEGUNDOS = 240;

/** Ten years: a clock that far off is broken, and says nothing about ours. */
const NO_CLOCK_SECONDS = 315_360_000;

/**
 * Seconds by which the other clock is ahead of ours, from the time in its answer.
 *
 * That time was read at some instant between our sending and our receiving, so only what lies outside that interval
 * is a difference: a slow answer does not mean a wrong clock. The stamp has no fractions, hence the extra second of
 * tolerance.
 *
 * @param sello the other side's time, ISO 8601 or an HTTP date
 * @returns whole seconds, 0 without a difference; null when the stamp is unreadable or of a broken clock
 */
export function desfaseSegundos(
  sello: string,
  { sentAt, receivedAt }: { readonly sentAt: Date; readonly receivedAt: Date },
): number | null {
  const early = Date.parse(sello);
  if (Number.isNaN(early)) return null;
  const late = early + 1000;
  const ahead = Math.max(early - receivedAt.getTime(), 0);
  const behind = Math.max(sentAt.getTime() - late, 0);
  const seconds = Math.round(ahead / 1000) - Math.round(behind / 1000);
  return Math.abs(seconds) > NO_CLOCK_SECONDS ? null : seconds;
}

/** A sentence about a clock that is off; null while it is accurate enough. */
export function avisoDeReloj(segundos: number | null): string | null {
  if (segundos === null || Math.abs(segundos) < DESFASE_AVISO_SEGUNDOS) return null;
  const side = segundos > 0 ? 'atrasado' : 'adelantado';
  const what = `El reloj de Huella va ${duration(Math.abs(segundos))} ${side} respecto al de la AEAT.`;
  return Math.abs(segundos) >= DESFASE_GRAVE_SEGUNDOS
    ? `${what} La AEAT puede aceptar con avisos lo que registres. Pide a quien lleva el servidor que lo ponga en hora.`
    : `${what} Pide a quien lleva el servidor que lo ponga en hora.`;
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} segundos`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} minutos` : `${Math.round(minutes / 60)} horas`;
}
