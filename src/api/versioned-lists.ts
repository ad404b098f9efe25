import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Versioned } from '../store/versioned.ts';

/**
 * A long list of a company, with its version as its ETag. Who has that version already is told so (304, RFC 9110
 * §13.1.2), and then the list is not even read. No browser keeps it (`no-store`): it is for pages that are open, and
 * for other programs.
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
  if (known !== undefined && known === etagOf(await list.version())) {
    await replyNotModified(reply, known);
    return null;
  }
  const { version, items } = await list.read();
  reply.header('etag', etagOf(version));
  return items;
}

/** Answers that what is known is still so. */
export function replyNotModified(reply: FastifyReply, etag: string): FastifyReply {
  return reply.status(304).header('etag', etag).send();
}

/** Weak: it goes out compressed in more than one way. */
export function etagOf(version: string): string {
  return `W/"${version}"`;
}
