import type { FastifyReply, FastifyRequest } from 'fastify';

/** More than any call of ours accepts. */
const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST_MS = 5_000;

/**
 * Before a refusal that closes the connection, reads what is still to come of the body, and throws it away.
 *
 * A socket that is closed with unread data in it is reset, and the reset overtakes the answer: the caller, who is
 * still sending, sees a broken connection and not the 413 (RFC 9112 §9.6). There is a limit to what is read for that.
 */
export function readToTheEnd(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const isCut = reply.statusCode >= 400 && reply.getHeader('connection') === 'close';
  if (!isCut || raw.complete || raw.readableEnded || raw.destroyed) {
    done(null, payload);
    return;
  }
  let read = 0;
  const count = (piece: Buffer) => {
    read += piece.length;
    if (read > MOST_BYTES) answer();
  };
  const answer = () => {
    clearTimeout(timer);
    raw.off('data', count).off('end', answer).off('close', answer);
    done(null, payload);
  };
  const timer = setTimeout(answer, LONGEST_MS);
  raw.on('data', count).on('end', answer).on('close', answer).resume();
}
