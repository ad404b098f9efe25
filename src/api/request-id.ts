import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const ACCEPTABLE = /^[\w.-]{8,64}$/;

/**
 * The id under which a call is logged: the one given by the proxy in front, or a new one. The framework's own ids
 * count from one in each process, so they are ambiguous among several.
 */
export function requestId({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && ACCEPTABLE.test(given) ? given : randomUUID();
}
