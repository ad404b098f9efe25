import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync } from 'fastify';

/** Paths that search engines must leave alone: the panel and every page with a form of the account. */
const NOINDEX = /^\/(panel|iniciosesion|recuperar-contrasena|registro)(\/|$)/;

/**
 * Serves the built web: hashed assets for ever, pages never cached. Any other address that asks for
 * a page gets the application, which knows its routes; calls that do not exist get a 404 in words.
 */
export const registerPages: FastifyPluginAsync<{ webRoot: string | null }> = async (
  app,
  { webRoot },
) => {
  if (webRoot && existsSync(join(webRoot, 'index.html'))) {
    const index = await readFile(join(webRoot, 'index.html'));
    await app.register(fastifyStatic, {
      root: webRoot,
      preCompressed: true,
      index: false,
      wildcard: false,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const isHashed = path.includes(`${join(webRoot, 'assets')}`);
        reply.header(
          'cache-control',
          isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
        );
      },
    });
    app.setNotFoundHandler((request, reply) => {
      const isPage =
        request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
      if (!isPage || /^\/(api|desarrollo)\//.test(request.url)) return notFound(reply);
      if (NOINDEX.test(request.url)) reply.header('x-robots-tag', 'noindex');
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(index);
    });
    return;
  }
  app.setNotFoundHandler((_request, reply) => notFound(reply));
};

function notFound(reply: { status(code: number): { send(body: unknown): unknown } }) {
  return reply.status(404).send({ message: 'Lo que buscas no existe.' });
}
