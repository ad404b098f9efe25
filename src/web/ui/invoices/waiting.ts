import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { cuenta, dia, hora } from '../../lib/format.ts';

/** From then on the time is shown instead of a countdown: nobody counts minutes in seconds. */
const COUNTDOWN_SECONDS = 120;

/**
 * Why an invoice «En espera» waits and when it will be sent.
 *
 * @param rejectedNo number of the rejected invoice that holds up the company's sending, if any
 * @param now milliseconds since 1970; the text counts down with it
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

export interface WaitingWords {
  /** How many, and since when. */
  readonly lead: string;
  /** Why, and when the next attempt is. */
  readonly rest: string;
}

/**
 * A sentence about everything that waits for the AEAT, or null if nothing does.
 *
 * @param now milliseconds since 1970
 */
export function waitingWords(connection: ConexionAEAT, now: number): WaitingWords | null {
  const { enEspera, esperandoDesde } = connection;
  if (enEspera === 0) return null;
  const many = HELD.has(connection.estado)
    ? cuenta(enEspera, 'factura está sin enviar', 'facturas están sin enviar')
    : cuenta(
        enEspera,
        'factura espera respuesta de la AEAT',
        'facturas esperan respuesta de la AEAT',
      );
  const since = esperandoDesde ? ` ${desde(new Date(esperandoDesde), new Date(now))}` : '';
  return {
    lead: `${many}${since}.`,
    rest: [whyOf(connection), nextOf(connection, now)].filter(Boolean).join(' '),
  };
}

/** Nothing is sent until somebody mends something. */
const HELD: ReadonlySet<ConexionAEAT['estado']> = new Set([
  'parado',
  'detenido',
  'sin-certificado',
]);

/** `desde las 10:32` on the same day, `desde el 20/11/2026 a las 10:32` otherwise. */
export function desde(since: Date, now: Date): string {
  const isToday = since.toDateString() === now.toDateString();
  return isToday ? `desde ${theHour(since)}` : `desde el ${dia(since)} a ${theHour(since)}`;
}

/** `las 10:32`, `la 01:05` */
const theHour = (time: Date): string => `${time.getHours() === 1 ? 'la' : 'las'} ${hora(time)}`;

const WHY: Readonly<Record<ConexionAEAT['estado'], string>> = {
  'al-dia': '',
  enviando: 'Los envíos salen en su orden, al ritmo que pide la AEAT.',
  'sin-conexion': 'La AEAT no responde.',
  parado: 'Lo que espera saldrá solo en cuanto corrijas la rechazada.',
  detenido: 'La AEAT no admite tus envíos.',
  'sin-certificado': 'Falta un certificado digital vigente.',
};

/** The server's sentence, which knows more, or a description of the state. */
function whyOf({ mensaje, estado }: ConexionAEAT): string {
  if (!mensaje) return WHY[estado];
  return /[.!?]$/.test(mensaje) ? mensaje : `${mensaje}.`;
}

function nextOf({ estado, proximoEnvio }: ConexionAEAT, now: number): string {
  if (!proximoEnvio || estado === 'sin-certificado') return '';
  const isAgain = estado === 'sin-conexion';
  if (Date.parse(proximoEnvio) <= now) {
    return isAgain ? 'Se está intentando ahora.' : 'Se está enviando ahora.';
  }
  return `El próximo ${isAgain ? 'intento' : 'envío'} es a ${theHour(new Date(proximoEnvio))}.`;
}
