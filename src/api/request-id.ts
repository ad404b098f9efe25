import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[\w.-]{8,64}$/;

/**
 * The id under which a call is logged: the one that the proxy in front gave it, or a new one. The
 * framework's own counts from one in each process, and says nothing where there are several.
 */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
