import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { hora } from '../../lib/format.ts';

/** From then on a countdown says the time instead: nobody counts minutes in seconds. */
const COUNTDOWN_SECONDS = 120;

/**
 * Why an invoice «En espera» waits and when it leaves.
 *
 * @param rejectedNo number of the rejected invoice that stops the company's sending, if one does
 * @param now milliseconds since 1970; the words count down with it
 */
export function waitingNote(
  connection: ConexionAEAT | undefined,
  rejectedNo: string | undefined,
  now: number,
): string {
  if (!connection) return '';
  const next = connection.proximoEnvio ? Date.parse(connection.proximoEnvio) : undefined;
  switch (connection.estado) {
    case 'parado':
      return rejectedNo
        ? `Sale sola en cuanto corrijas la ${rejectedNo}.`
        : 'Sale sola en cuanto corrijas la rechazada.';
    case 'detenido':
      return 'Sale sola en cuanto la AEAT vuelva a admitir tus envíos: mira en Inicio qué hacer.';
    case 'sin-certificado':
      return 'Sale sola en cuanto subas tu certificado digital.';
    case 'sin-conexion':
      return next !== undefined && next > now
        ? `sin conexión con la AEAT, reintento a las ${hora(new Date(next))}`
        : 'sin conexión con la AEAT, reintentando';
    case 'al-dia':
    case 'enviando':
      return leaving(next, now);
  }
}

function leaving(next: number | undefined, now: number): string {
  const seconds = next === undefined ? 0 : Math.ceil((next - now) / 1000);
  if (next === undefined || seconds <= 0) return 'enviando a la AEAT';
  return seconds <= COUNTDOWN_SECONDS
    ? `envío en ${seconds} s`
    : `envío a las ${hora(new Date(next))}`;
}
