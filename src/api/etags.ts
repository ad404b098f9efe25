import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What the panel asks for each time it opens and changes seldom: catalogues and the logo. The browser may keep
 * it, asks whether it is still so, and forgets it on signing out (`Clear-Site-Data`). Everything else stays out
 * of its disk (`no-store`).
 */
const KEPT =
  /^\/api\/GetData\/Get(TerminosPago|FormasPago|GrupoContable|GrupoIVA|UnitOfMeasure|ClavesRegimen|TemplateExcel|CompanyPicture)(\?|$)/;

/** Answers 304 to who has the very same content already. */
export async function revalidate(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') {
    return payload;
  }
  if (!KEPT.test(request.url)) return payload;
  // Weak: it goes out compressed in more than one way.
  const etag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 24)}"`;
  reply.header('etag', etag).header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] !== etag) return payload;
  reply.status(304).removeHeader('content-length');
  return '';
}
