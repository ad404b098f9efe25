import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Versioned } from '../store/versioned.ts';
import { isKnown } from './etags.ts';

/**
 * A long list of a company, with its version as its ETag. A client that already has that version gets a 304 (RFC 9110
 * §13.1.2), and the list is not even read. Browsers do not store it (`no-store`): it is for open pages, and for other
 * programs.
 *
 * @returns null once it is answered
 */
export async function unlessKnown<Item>(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  list: {
    readonly version: () => Promise<string>;
    readonly read: () => Promise<Versioned<Item>>;
  },
): Promise<readonly Item[] | null> {
  const known = headers['if-none-match'];
  const current = known === undefined ? null : etagOf(await list.version());
  if (current !== null && isKnown(known, current)) {
    await replyNotModified(reply, current);
    return null;
  }
  const { version, items } = await list.read();
  reply.header('etag', etagOf(version));
  return items;
}

/** Answers that the client's version is current. */
export function replyNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.status(304).header('etag', etag).send();
}

/** Weak, because the list is sent in several compressions. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}
