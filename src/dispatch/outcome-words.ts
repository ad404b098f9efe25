/**
 * What came instead of an answer, in words: for the screen, the story of the invoice and the log. Never the message
 * nor the certificate.
 */

const RENEW =
  'Comprueba en tu perfil que es el de la empresa o el de su representante, y que no ha caducado.';

/** Statuses of the page with which the AEAT refuses a certificate, among others one that was revoked. */
export const isRefusal = (status: number): boolean => status === 401 || status === 403;

/** For a page, nearly always HTML, where XML should have come: observed at the AEAT's service, not documented. */
export function wordsOfPage(status: number, contentType: string): string {
  if (status === 401) {
    return 'La AEAT no admite este tipo de certificado en la dirección a la que se envía (401). Vuelve a subirlo en tu perfil: si es un sello de empresa, debe constar como sello.';
  }
  if (status === 403) {
    return `La AEAT no reconoce el certificado con el que se envía (403). ${RENEW}`;
  }
  if (status === 404) return 'La dirección del servicio de la AEAT no existe (404).';
  if (status === 429) return 'La AEAT pide esperar: ha recibido demasiadas llamadas (429).';
  if (status >= 500) return `La AEAT no está disponible (${status}).`;
  if (contentType.includes('html')) {
    return `La AEAT ha respondido con una página web en lugar de su servicio (${status}). Suele ser un corte o un mantenimiento: se vuelve a intentar.`;
  }
  return `La AEAT ha respondido algo que no se entiende (${status}).`;
}

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'La AEAT no acepta la conexión.',
  ENOTFOUND: 'No se encuentra el servidor de la AEAT.',
  EAI_AGAIN: 'No se encuentra el servidor de la AEAT.',
  ENETUNREACH: 'Huella no tiene conexión a internet.',
  EHOSTUNREACH: 'No se llega al servidor de la AEAT.',
  ECONNRESET: 'La conexión con la AEAT se ha cortado.',
  EPIPE: 'La conexión con la AEAT se ha cortado.',
  UND_ERR_SOCKET: 'La conexión con la AEAT se ha cortado.',
  ETIMEDOUT: 'La AEAT no responde.',
  UND_ERR_CONNECT_TIMEOUT: 'La AEAT no responde.',
  UND_ERR_HEADERS_TIMEOUT: 'La AEAT no ha respondido a tiempo.',
  UND_ERR_BODY_TIMEOUT: 'La AEAT no ha respondido a tiempo.',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'La respuesta de la AEAT es demasiado grande.',
};

/** TLS alerts with which the other side rejects our certificate in the handshake. */
const OURS_EXPIRED = /ALERT_CERTIFICATE_EXPIRED/;
const OURS_REVOKED = /ALERT_CERTIFICATE_REVOKED/;
const OURS_REFUSED =
  /ALERT_(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA|ACCESS_DENIED|CERTIFICATE_REQUIRED)|TLSV13_ALERT_CERTIFICATE_REQUIRED/;
/** Errors of our own check of their certificate. */
const THEIRS_EXPIRED = /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/;
const THEIRS_UNKNOWN =
  /^(UNABLE_TO_|SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|CERT_|ERR_TLS_CERT_ALTNAME_INVALID)/;
const OUR_FILE =
  /KEY_VALUES_MISMATCH|ERR_OSSL|BAD_BASE64|NO_START_LINE|EE_KEY_TOO_SMALL|CA_MD_TOO_WEAK/;

/** Why the connection failed: whose certificate it was, or that nobody answered. */
export function wordsOfError(error: unknown): string {
  const code = codeOf(error);
  const known = BY_CODE[code];
  if (known) return known;
  if (error instanceof Error && error.name === 'TimeoutError') {
    return 'La AEAT no ha respondido a tiempo.';
  }
  if (OURS_EXPIRED.test(code)) {
    return 'La AEAT dice que el certificado con el que se envía ha caducado: sube uno nuevo en tu perfil.';
  }
  if (OURS_REVOKED.test(code)) {
    return 'La AEAT dice que el certificado con el que se envía está revocado: sube otro en tu perfil.';
  }
  if (OURS_REFUSED.test(code)) {
    return `La AEAT rechaza el certificado con el que se envía, ya al conectar. ${RENEW} (${code})`;
  }
  if (THEIRS_EXPIRED.test(code)) {
    return `El certificado del servidor de la AEAT no está en vigor según el reloj de Huella (${code}).`;
  }
  if (THEIRS_UNKNOWN.test(code)) {
    return `No se puede comprobar que quien responde es la AEAT: su certificado no es de confianza (${code}).`;
  }
  if (OUR_FILE.test(code)) {
    return `El certificado digital guardado no sirve para conectar: súbelo de nuevo en tu perfil (${code}).`;
  }
  if (/^(ERR_TLS|ERR_SSL|EPROTO)/.test(code)) {
    return `No se ha podido establecer una conexión segura con la AEAT (${code}).`;
  }
  return `No se ha podido hablar con la AEAT${code ? ` (${code})` : ''}.`;
}

/** Whether the other side rejected our certificate in the handshake. */
export function isRefusedInHandshake(error: unknown): boolean {
  const code = codeOf(error);
  return [OURS_EXPIRED, OURS_REVOKED, OURS_REFUSED].some((alert) => alert.test(code));
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string') return code;
  return cause ? codeOf(cause) : '';
}
