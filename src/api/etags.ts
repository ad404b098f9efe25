import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What the panel requests each time it opens and rarely changes: catalogs and the logo. Browsers may cache it, must
 * revalidate it, and delete it on signing out (`Clear-Site-Data`). Nothing else may be stored (`no-store`).
 */
const KEPT =
  /^\/api\/GetData\/Get(TerminosPago|FormasPago|GrupoContable|GrupoIVA|UnitOfMeasure|ClavesRegimen|TemplateExcel|CompanyPicture)(\?|$)/;

/**
 * Requested as often, and nearly always unchanged. The first two are personal data, so no browser stores them; open
 * pages revalidate them (versioned-lists.ts).
 */
const SAID_AGAIN = /^\/api\/GetData\/Get(Clientes|Productos|Paises)(\?|$)/;

/**
 * Shorter answers are sent uncompressed, as everywhere (app.ts). For a page of a list, compression would save a
 * kilobyte and a half at the cost of a tenth of the whole call, and three packets travel as fast as one.
 */
export const COMPRESSED_FROM = 4096;

const COMPRESSORS = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
};

/** An answer ready to be sent, in each compression that somebody has asked for. */
interface Ready {
  readonly etag: string;
  readonly packed: { [Way in keyof typeof COMPRESSORS]?: Promise<Buffer> };
}

/** By their text, the most recently used: nearly all companies have the same catalogs. */
const ready = new Map<string, Ready>();
/** In characters: the template has 160,000, and the logo of one company may have more. */
const LONGEST_READY = 400_000;
const MOST_READY = 2_000_000;
let readyLetters = 0;

/** Whether `If-None-Match` names an ETag: as any, or among others, compared weakly (RFC 9110 §13.1.2). */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const bare = (tag: string) => tag.trim().replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim() === '*' || bare(tag) === bare(etag));
}

/** Answers 304 if the client has this very content, and otherwise sends a copy that was compressed once. */
export function revalidate(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isOurs = request.method === 'GET' && reply.statusCode === 200;
  const isKept = isOurs && KEPT.test(request.url);
  if (typeof payload === 'string' && (isKept || (isOurs && SAID_AGAIN.test(request.url)))) {
    readied(request, reply, payload, { isKept }).then((ready) => done(null, ready), done);
  } else {
    done(null, payload);
  }
}

async function readied(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  { isKept }: { readonly isKept: boolean },
): Promise<string | Buffer> {
  const isLong = payload.length > LONGEST_READY;
  if (!isKept && isLong) return payload;
  const { etag, packed } = readyOf(payload);
  if (isKept) {
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (isKnown(request.headers['if-none-match'], etag)) {
      reply.status(304).removeHeader('content-length');
      return '';
    }
  }
  const way = wayOf(request);
  if (way === null || payload.length < COMPRESSED_FROM || isLong) {
    return payload;
  }
  packed[way] ??= COMPRESSORS[way](payload);
  const bytes = await packed[way];
  reply.header('content-encoding', way).header('vary', 'accept-encoding');
  reply.header('content-length', bytes.length);
  return bytes;
}

function readyOf(text: string): Ready {
  const known = ready.get(text);
  if (known) {
    ready.delete(text); // Move to the end: the oldest is dropped first.
    ready.set(text, known);
    return known;
  }
  // A weak ETag, because the answer is sent in several compressions.
  const digest = createHash('sha256').update(text).digest('base64url').slice(0, 24);
  const made: Ready = { etag: `W/"${digest}"`, packed: {} };
  if (text.length > LONGEST_READY) return made;
  ready.set(text, made);
  readyLetters += text.length;
  for (const oldest of ready.keys()) {
    if (readyLetters <= MOST_READY) break;
    ready.delete(oldest);
    readyLetters -= oldest.length;
  }
  return made;
}

/**
 * Which compression to use; null when none is accepted, or when weights are given (`br;q=0.5`), which
 * `@fastify/compress` handles.
 */
function wayOf({ headers }: FastifyRequest): keyof typeof COMPRESSORS | null {
  // Not split at the blanks too: a header full of them would take its length squared.
  const asked = String(headers['accept-encoding'] ?? '')
    .split(',')
    .map((name) => name.trim());
  return (['br', 'gzip'] as const).find((way) => asked.includes(way)) ?? null;
}
