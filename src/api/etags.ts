import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * What the panel asks for each time it opens and changes seldom: catalogues and the logo. The browser may keep
 * it, asks whether it is still so, and forgets it on signing out (`Clear-Site-Data`). Everything else stays out
 * of its disk (`no-store`).
 */
const KEPT =
  /^\/api\/GetData\/Get(TerminosPago|FormasPago|GrupoContable|GrupoIVA|UnitOfMeasure|ClavesRegimen|TemplateExcel|CompanyPicture)(\?|$)/;

/**
 * Asked for as often, and nearly always the same; the first two of persons, so that no browser keeps them
 * (versioned-lists.ts has them asked again).
 */
const SAID_AGAIN = /^\/api\/GetData\/Get(Clientes|Productos|Paises)(\?|$)/;

/**
 * Shorter ones go out as they are, as everywhere (app.ts): a page of a list, which packing makes a kilobyte and a half
 * shorter for a tenth of what the whole call takes. Three packets travel in the time of one.
 */
export const COMPRESSED_FROM = 4096;

const COMPRESSORS = {
  br: (text: string) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
};

/** An answer as it goes out: by each way of compressing it that somebody asked for. */
interface Ready {
  readonly etag: string;
  readonly packed: { [Way in keyof typeof COMPRESSORS]?: Promise<Buffer> };
}

/** By their text, the last ones used: nearly all companies have the same catalogs. */
const ready = new Map<string, Ready>();
/** In letters: the template has 160,000, and a picture of one company may have more. */
const LONGEST_READY = 400_000;
const MOST_READY = 2_000_000;
let readyLetters = 0;

/** Answers 304 to who may keep it and has the very same content, and to others what was compressed once. */
export function revalidate(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload?: unknown) => void,
): void {
  const isOurs = request.method === 'GET' && reply.statusCode === 200;
  const isKept = isOurs && KEPT.test(request.url);
  if (typeof payload === 'string' && (isKept || (isOurs && SAID_AGAIN.test(request.url)))) {
    readied(request, reply, payload, isKept).then((ready) => done(null, ready), done);
  } else {
    done(null, payload);
  }
}

async function readied(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string,
  isKept: boolean,
): Promise<string | Buffer> {
  const isLong = payload.length > LONGEST_READY;
  if (!isKept && isLong) return payload;
  const { etag, packed } = readyOf(payload);
  if (isKept) {
    reply.header('etag', etag).header('cache-control', 'private, no-cache');
    if (request.headers['if-none-match'] === etag) {
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
    ready.delete(text); // Put behind the others: the first one goes.
    ready.set(text, known);
    return known;
  }
  // Weak: it goes out compressed in more than one way.
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

/** How to compress; null where neither is asked for, or with weights (`br;q=0.5`), which `@fastify/compress` reads. */
function wayOf({ headers }: FastifyRequest): keyof typeof COMPRESSORS | null {
  const asked = String(headers['accept-encoding'] ?? '').split(/\s*,\s*/);
  return (['br', 'gzip'] as const).find((way) => asked.includes(way)) ?? null;
}
