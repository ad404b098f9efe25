import { cut } from '../domain/cut.ts';
import type { DeliveryStatus } from './delivery-status.ts';

/** What to do after a message could not be sent. */
export type MailVerdict = {
  readonly reason: string;
  /** It does not concern this recipient or message: our own mail server does not accept what we send. */
  readonly isOurs: boolean;
} & ({ readonly kind: 'retry'; readonly inSeconds: number } | { readonly kind: 'give-up' });

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** Seconds to wait after each attempt. A server that is down for a weekend loses nothing. */
export const WAITS: readonly number[] = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  4 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** The first, one after each wait, and two more: that one was interrupted may be chance, but not that three were. */
export const MOST_ATTEMPTS = WAITS.length + 3;

/**
 * Interprets the error of an SMTP exchange.
 *
 * A 5xx about this recipient or message is final. One about us (535, wrong user; a sender that is not allowed or has
 * used up its quota), or a server that does not answer, is not the message's fault: it is tried again.
 *
 * @param attempts how many were made, including this one
 */
export function verdictOf(error: unknown, attempts: number): MailVerdict {
  const failed = smtpErrorOf(error);
  const { code, responseCode, response } = failed;
  const isOurs = !isAboutTheMessage(failed);
  if (!isOurs && responseCode >= 500 && responseCode < 600) {
    return { kind: 'give-up', reason: refusalWords(response), isOurs };
  }
  const wait = WAITS[attempts - 1];
  const reason = isAboutTheSender(failed)
    ? `El servidor de correo no admite ahora envíos de Huella. Respuesta: «${response}».`
    : (REASONS[code] ?? 'El servidor de correo no lo ha admitido por ahora.');
  return wait === undefined
    ? { kind: 'give-up', reason, isOurs }
    : { kind: 'retry', inSeconds: wait, reason, isOurs };
}

/** In words for the invoice's page, by nodemailer's code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNECTION: 'El servidor de correo no responde.',
  ESOCKET: 'El servidor de correo no responde.',
  ETIMEDOUT: 'El servidor de correo no responde.',
  EDNS: 'El servidor de correo no responde.',
  ETLS: 'La conexión con el servidor de correo no es segura.',
  EAUTH: 'El servidor de correo no acepta el usuario de Huella.',
};

/** Problems that a person can do something about, by the enhanced code of RFC 3463. */
const REFUSALS: readonly (readonly [code: RegExp, words: string])[] = [
  [/\b5\.1\.[1036]\b/, 'Esa dirección de correo no existe.'],
  [/\b5\.1\.2\b/, 'El dominio de esa dirección no existe o no recibe correo.'],
  [/\b5\.2\.1\b/, 'Ese buzón está desactivado.'],
  [/\b5\.2\.2\b/, 'Ese buzón está lleno.'],
  [/\b5\.[23]\.[34]\b/, 'El mensaje es demasiado grande para ese buzón.'],
  [
    /\b5\.7\.\d+\b/,
    'Su servidor no admite el mensaje: incumple sus normas o le parece no deseado.',
  ],
  [/^550\b/, 'Su servidor no admite correo para esa dirección.'],
];

/** Our words first; then the server's own, for whoever administers that mailbox. */
function refusalWords(response: string): string {
  return `${meaningOf(response) ?? 'El servidor de correo lo ha rechazado.'} Respuesta: «${response}».`;
}

/** The content of a report of non-delivery, in the same words. */
export function returnWords({ status, diagnostic }: DeliveryStatus): string {
  const meaning =
    meaningOf(diagnostic) ??
    meaningOf(status) ??
    (status.startsWith('4.')
      ? 'Su servidor no lo ha podido recibir en varios días.'
      : 'Su servidor lo ha devuelto.');
  const response = cut(diagnostic || status, 300);
  return response ? `${meaning} Respuesta: «${response}».` : meaning;
}

function meaningOf(response: string): string | undefined {
  return REFUSALS.find(([code]) => code.test(response))?.[1];
}

interface SmtpError {
  readonly code: string;
  /** The SMTP command, as nodemailer names it. */
  readonly command: string;
  readonly responseCode: number;
  readonly response: string;
}

/** nodemailer's codes for `MAIL FROM` or `RCPT TO`, and for the content; the sender is us. */
function isAboutTheMessage(error: SmtpError): boolean {
  if (isAboutTheSender(error) || isAboutTheServer(error)) return false;
  return error.code === 'EENVELOPE' || error.code === 'EMESSAGE';
}

/**
 * A server that cannot take anything now, e.g. because its disk is full: «mail system status» in RFC 3463, 3.4, except
 * for 4.3.4, which is about the size of the message.
 */
function isAboutTheServer({ response }: SmtpError): boolean {
  return /^4\d\d[ -]4\.3\.[01235]\b/.test(response);
}

function isAboutTheSender({ code, command }: SmtpError): boolean {
  return code === 'EENVELOPE' && command === 'MAIL FROM';
}

function smtpErrorOf(error: unknown): SmtpError {
  const { code, command, responseCode, response } = (error ?? {}) as Record<string, unknown>;
  return {
    code: typeof code === 'string' ? code : '',
    command: typeof command === 'string' ? command : '',
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
    response: typeof response === 'string' ? cut(response, 300) : 'sin explicación',
  };
}
