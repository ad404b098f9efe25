import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { VERSIONES_DECLARADAS } from '../domain/verifactu/declaracion.ts';
import { describeDeclaracion } from '../operations/declaracion.ts';
import { contentPolicy } from './content-policy.ts';
import { isKnown } from './etags.ts';
import { escapeHtml, landingPages } from './landing.ts';
import { refuseUnknown } from './not-found.ts';

/** Paths for which the application has screens. */
const SCREENS =
  /^\/(panel|iniciosesion|recuperar-contrasena|registro|copia|declaracion-responsable)(\/|\?|$)/;
/**
 * The placeholder in its `<meta name="csp-nonce">`: components of the application put the nonce on their `<style>`
 * elements.
 */
const NONCE_MARK = '__nonce__';
/** The only one open to search engines: anybody may look up what the product declares about itself. */
const DECLARATION = /^\/declaracion-responsable\/?$/;
const PUBLIC_PAGES = ['/', '/declaracion-responsable', '/verificar'];

export interface PagesOptions extends Pick<Deps, 'config' | 'clock'> {
  readonly webRoot: string | null;
  /** Other places where its forms may be posted. */
  readonly formTargets: readonly string[];
}

/**
 * Serves the built web: the prerendered landing page, hashed assets (cached for ever), and the application for any
 * other address that a browser requests as a page. Unknown calls get a 404 in words.
 */
export const registerPages: FastifyPluginAsync<PagesOptions> = async (app, options) => {
  const { webRoot, config } = options;
  if (!webRoot || !existsSync(join(webRoot, 'index.html'))) {
    app.setNotFoundHandler((request, reply) =>
      refuseUnknown(app, request, reply, { isRead: false }),
    );
    return;
  }
  const index = await readFile(join(webRoot, 'index.html'), 'utf8');
  const declarationOf = (request: FastifyRequest) =>
    declarationPage(index, options, versionIn(request));
  await registerLanding(app, webRoot, options);
  await registerVerifier(app, webRoot);
  registerRobots(app, config.publicUrl);
  const files = await registerFiles(app, webRoot);
  app.setNotFoundHandler((request, reply) => {
    if (!asksForPage(request) || /^\/(api|desarrollo)\//.test(request.url)) {
      const isRead = SCREENS.test(request.url) || files.has(pathOf(request));
      return refuseUnknown(app, request, reply, { isRead });
    }
    const isPublic = DECLARATION.test(request.url);
    if (!isPublic) reply.header('x-robots-tag', 'noindex');
    const nonce = randomBytes(18).toString('base64');
    // After the session ends, «Atrás» must not bring a page of the panel back from the browser's memory.
    const isPanel = request.url.startsWith('/panel');
    return reply
      .status(SCREENS.test(request.url) ? 200 : 404)
      .header('cache-control', isPanel ? 'no-store' : 'no-cache')
      .header(
        'content-security-policy',
        contentPolicy(options.formTargets, { elements: [`'nonce-${nonce}'`] }),
      )
      .type('text/html; charset=utf-8')
      .send((isPublic ? declarationOf(request) : index).replace(NONCE_MARK, nonce));
  });
};

/** A browser says that it wants a page; monitoring and link previews take anything. */
function asksForPage({ method, url, headers: { accept = '*/*' } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return accept.includes('text/html') || (accept.includes('*/*') && SCREENS.test(url));
}

/**
 * Hashed assets are cached for ever, other files for an hour. A single route serves all of them: with one for each of
 * some four hundred files, registering them was most of the router's work at start. Pages are excluded, because they
 * are sent with their policies.
 *
 * @returns their paths
 */
async function registerFiles(
  app: Parameters<typeof registerPages>[0],
  webRoot: string,
): Promise<ReadonlySet<string>> {
  const files = new Set(
    (await readdir(webRoot, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !/\.html(\.br|\.gz)?$/.test(entry.name))
      .map((entry) => `/${relative(webRoot, join(entry.parentPath, entry.name))}`),
  );
  await app.register(fastifyStatic, {
    root: webRoot,
    serve: false,
    preCompressed: true,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes(`${join(webRoot, 'assets')}`);
      reply.header(
        'cache-control',
        isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
  app.get('/*', { schema: { hide: true } }, (request, reply) => {
    const path = pathOf(request);
    return files.has(path) ? reply.sendFile(path) : reply.callNotFound();
  });
  return files;
}

function pathOf({ url }: FastifyRequest): string {
  return url.split('?')[0] ?? '';
}

async function registerLanding(
  app: Parameters<typeof registerPages>[0],
  webRoot: string,
  { config, clock, formTargets }: PagesOptions,
): Promise<void> {
  const landing = landingPages(
    await readFile(join(webRoot, 'landing.html'), 'utf8'),
    config,
    clock,
  );
  app.get('/', { schema: { hide: true } }, (request, reply) => {
    const page = landing();
    reply
      .header('cache-control', 'no-cache')
      .header('etag', page.etag)
      .header('content-security-policy', contentPolicy(formTargets, page.styles))
      .header('vary', 'accept-encoding')
      .type('text/html; charset=utf-8');
    if (isKnown(request.headers['if-none-match'], page.etag)) return reply.status(304).send();
    const encoding = encodingOf(request);
    if (encoding) reply.header('content-encoding', encoding);
    return reply.send(encoding === null ? page.html : encoding === 'br' ? page.br : page.gzip);
  });
}

/**
 * The page that checks registros offline. Its policy allows its own script and nothing else, not even a connection to
 * us.
 */
async function registerVerifier(
  app: Parameters<typeof registerPages>[0],
  webRoot: string,
): Promise<void> {
  const page = await readFile(join(webRoot, 'verificar.html'), 'utf8');
  const hashOf = (tag: string) => {
    const [, content = ''] = new RegExp(`<${tag}[^>]*>([\\s\\S]*?)</${tag}>`).exec(page) ?? [];
    return `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
  };
  const policy = `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
  app.get('/verificar', { schema: { hide: true } }, (request, reply) => {
    const isSaved = 'descargar' in (request.query as object);
    if (isSaved) reply.header('content-disposition', 'attachment; filename="verificar.html"');
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

/**
 * The application's page with the declaration in it, complete for clients without scripts, with its own title and
 * open to search engines.
 *
 * @param version a declared one; by default this program's
 */
function declarationPage(
  index: string,
  deps: Pick<Deps, 'config'>,
  version: string | undefined,
): string {
  return index
    .replace(/<meta name="robots"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, '<title>Declaración responsable · Huella</title>')
    .replace(
      /<noscript>[\s\S]*?<\/noscript>/,
      () => declarationText(deps, version), // A function, because the text may contain a `$`.
    );
}

function declarationText(deps: Pick<Deps, 'config'>, version: string | undefined): string {
  const one = describeDeclaracion(deps, version);
  const part = ({ letra, epigrafe, parrafos }: (typeof one.apartados)[number]) =>
    `<dt>${letra ? `${letra}) ` : ''}${escapeHtml(epigrafe)}</dt>` +
    parrafos.map((parrafo) => `<dd>${escapeHtml(parrafo)}</dd>`).join('');
  const parts = (list: typeof one.apartados) => `<dl>${list.map(part).join('')}</dl>`;
  return (
    `<noscript><main class="hu-plain"><p><a href="/">Huella</a></p><h1>${escapeHtml(one.titulo)}</h1>` +
    `${parts(one.apartados)}<h2>Anexo</h2>${parts(one.anexo)}` +
    `<p><a href="/api/GetData/GetDeclaracionResponsablePdf">PDF</a></p></main></noscript>`
  );
}

function versionIn({ query }: FastifyRequest): string | undefined {
  const { version } = query as { version?: unknown };
  return typeof version === 'string' && VERSIONES_DECLARADAS.some((one) => one.version === version)
    ? version
    : undefined;
}

/** What search engines may see: the public pages, and nothing of any account. */
function registerRobots(app: Parameters<typeof registerPages>[0], publicUrl: string): void {
  app.get('/robots.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(
        `User-agent: *\nAllow: /\nDisallow: /api/\nDisallow: /panel\n\nSitemap: ${publicUrl}/sitemap.xml\n`,
      ),
  );
  app.get('/sitemap.xml', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/xml; charset=utf-8')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${PUBLIC_PAGES.map((path) => `<url><loc>${encodeURI(publicUrl + path)}</loc></url>`).join('')}</urlset>\n`,
      ),
  );
}

function encodingOf({ headers }: FastifyRequest): 'br' | 'gzip' | null {
  const accepted = headers['accept-encoding'] ?? '';
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
}
