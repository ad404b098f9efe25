import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** For input that is indistinguishable from noise. */
export const UNREADABLE = 'La petición no se entiende: revisa su contenido.';

/** Errors that Node raises before there is a request: status line and text of the answer. */
const REFUSALS: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'La dirección o las cabeceras de la petición son demasiado largas.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'La petición no ha llegado entera a tiempo.'],
};

/** Answers input that is not HTTP, or too large, like any other error: in Spanish, as JSON. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const [line, message] = REFUSALS[error.code ?? ''] ?? ['400 Bad Request', UNREADABLE];
    const body = JSON.stringify({ message });
    socket.write(
      [
        `HTTP/1.1 ${line}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  }
  socket.destroySoon();
}

/**
 * Whether a form was refused because it was truncated or had no boundary, which its parser reports without a status.
 */
export function isBrokenForm(error: Error, { headers }: FastifyRequest): boolean {
  const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
  return isForm && !('statusCode' in error) && /\bmultipart\b/i.test(error.message);
}
