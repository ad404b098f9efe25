import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** What cannot be told apart from noise: the caller is told so as any other is. */
export const UNREADABLE = 'La petición no se entiende: revisa su contenido.';

/** Of what Node refuses before there is a call: its status, its reason and what is told of it. */
const REFUSALS: Readonly<Record<string, readonly [line: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'La dirección o las cabeceras de la petición son demasiado largas.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'La petición no ha llegado entera a tiempo.'],
};

/** Answers what is no HTTP, or too much of it, as the rest is answered: in Spanish, as JSON. */
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

/** Whether a form was refused for being cut or without its boundary, which its reader tells without a status. */
export function isBrokenForm(error: Error, { headers }: FastifyRequest): boolean {
  const isForm = /^multipart\//i.test(headers['content-type'] ?? '');
  return isForm && !('statusCode' in error) && /\bmultipart\b/i.test(error.message);
}
