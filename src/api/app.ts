import compress from '@fastify/compress';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import fastify, { LogController } from 'fastify';
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Deps, Runtime } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import type { ConsultarAeat } from '../operations/reconcile.ts';
import { gatewayOrigin } from '../payments/merchant.ts';
import { withRowSecurity } from '../store/row-security.ts';
import { lenientCompiler } from './absent.ts';
import { scopeRequests } from './auth.ts';
import { createBodiesUnderWay, SMALL_BODY_BYTES } from './bodies-under-way.ts';
import { contentPolicy, stylesIn } from './content-policy.ts';
import { type ApiDocument, apiDocsPage } from './docs-page.ts';
import { handleError, TOO_LARGE } from './errors.ts';
import { COMPRESSED_FROM, revalidate } from './etags.ts';
import type { UploadedFile } from './forms.ts';
import { isCrowded, refuseOddities } from './oddities.ts';
import { describeCall, describeDocument } from './openapi.ts';
import { registerPages } from './pages.ts';
import { requestId } from './request-id.ts';
import { authRoutes } from './routes/auth.ts';
import { businessCentralRoutes } from './routes/business-central.ts';
import { catalogRoutes } from './routes/catalogs.ts';
import { cobroRoutes } from './routes/cobros.ts';
import { companyRoutes } from './routes/company.ts';
import { dataCopyRoutes } from './routes/data-copy.ts';
import { declaracionRoutes } from './routes/declaracion.ts';
import { developmentRoutes } from './routes/development.ts';
import { evidenceRoutes } from './routes/evidence.ts';
import { healthRoutes } from './routes/health.ts';
import { importRoutes } from './routes/import.ts';
import { invoiceListRoutes } from './routes/invoice-lists.ts';
import { invoiceDownloadRoutes, invoiceRoutes } from './routes/invoices.ts';
import { metricRoutes, timeRequests } from './routes/metrics.ts';
import { novedadesRoutes } from './routes/novedades.ts';
import { partyRoutes } from './routes/parties.ts';
import { readingRoutes } from './routes/reading.ts';
import { redsysRoutes } from './routes/redsys.ts';
import { securityRoutes } from './routes/security.ts';
import { supportRoutes } from './routes/support.ts';
import { securityHeaders } from './security-headers.ts';
import { refuseInSpanish } from './shape-words.ts';
import { readToTheEnd } from './unread-body.ts';
import { refuseUnreadable } from './unreadable.ts';

refuseInSpanish();

const MEGABYTE = 1024 * 1024;

/**
 * Time limit for receiving a whole request: ten megabytes over a poor line. A client that sends byte by byte is cut
 * off.
 */
const WHOLE_REQUEST_MS = 300_000;

/** What browsers must not cache, and search engines are asked not to index. */
const NOT_PAGES = /^\/(api|salud|metricas|desarrollo)([/?]|$)/;

/** Used when nothing is configured to ask the AEAT with. */
const askNobody: ConsultarAeat = async () => ({
  kind: 'no-answer',
  cause: 'Este servidor no habla con la AEAT.',
});

/**
 * The HTTP side of the product: every call of the contract, and the pages.
 *
 * @param ending aborted when the process was asked to end: it still answers, and `/salud` tells the balancer to go
 *   elsewhere
 */
export async function buildApp(
  given: Deps,
  runtime: Runtime,
  consultarAeat = askNobody,
  ending = new AbortController().signal,
) {
  const deps: Deps = { ...given, sql: await withRowSecurity(given.sql) };
  const formTargets = gatewayOrigins(deps, runtime);
  const app = newApp(deps);
  const registry = timeRequests(app);
  await app.register(compress, {
    threshold: COMPRESSED_FROM,
    encodings: ['br', 'gzip'],
    // Kilobytes would become megabytes behind every limit on what arrives.
    requestEncodings: ['identity'],
    onUnsupportedRequestEncoding: () => compressed(),
  });
  await readBodies(app);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Huella', version: deps.config.version },
      servers: [{ url: deps.config.publicUrl }],
      components: { securitySchemes: { sesion: { type: 'http', scheme: 'bearer' } } },
    },
    transform: describeCall,
    transformObject: describeDocument,
  });
  addHooks(app, {
    ...securityHeaders(deps.config),
    'content-security-policy': contentPolicy(formTargets),
    'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  });

  await app.register(healthRoutes, { ...deps, ending });
  await app.register(metricRoutes, { ...deps, registry });
  await app.register(authRoutes, deps);
  await app.register(catalogRoutes, deps);
  await app.register(companyRoutes, deps);
  await app.register(partyRoutes, deps);
  await app.register(invoiceListRoutes, deps);
  await app.register(novedadesRoutes, deps);
  await app.register(invoiceDownloadRoutes, deps);
  await app.register(invoiceRoutes, deps);
  await app.register(cobroRoutes, deps);
  await app.register(importRoutes, { ...deps, ending });
  await app.register(readingRoutes, deps);
  await app.register(declaracionRoutes, deps);
  await app.register(evidenceRoutes, { ...deps, consultarAeat });
  await app.register(securityRoutes, deps);
  await app.register(businessCentralRoutes, { ...deps, runtime, consultarAeat, ending });
  await app.register(dataCopyRoutes, deps);
  await app.register(supportRoutes, deps);
  await app.register(redsysRoutes, { ...deps, runtime });
  if (runtime.controlUrl) await app.register(developmentRoutes, { ...deps, runtime });
  registerDocs(app, deps, formTargets);
  await app.register(registerPages, { ...deps, webRoot: runtime.webRoot, formTargets });
  return app;
}

/** The documentation of the API, written when it is first asked for: anybody may ask, and it never changes. */
function registerDocs(app: App, { config }: Deps, formTargets: readonly string[]): void {
  const json = once(() => JSON.stringify(app.swagger()));
  const docs = once(() => {
    const page = apiDocsPage(app.swagger() as ApiDocument, config.publicUrl);
    return { page, policy: contentPolicy(formTargets, stylesIn(page)) };
  });
  app.get('/api/openapi.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(json()),
  );
  app.get('/api/docs', { schema: { hide: true } }, (_request, reply) => {
    const { page, policy } = docs();
    return reply
      .header('x-robots-tag', 'noindex')
      .header('content-security-policy', policy)
      .type('text/html; charset=utf-8')
      .send(page);
  });
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

type App = ReturnType<typeof newApp>;

function newApp(deps: Deps) {
  const app = fastify({
    loggerInstance: deps.log,
    logController: new LogController({
      disableRequestLogging: deps.config.logLevel !== 'debug' && deps.config.logLevel !== 'trace',
    }),
    genReqId: requestId,
    bodyLimit: SMALL_BODY_BYTES,
    requestTimeout: WHOLE_REQUEST_MS,
    trustProxy: trustedProxies(deps),
    rewriteUrl: ({ url = '/' }) => readable(pathOf(url)),
    frameworkErrors: handleError,
    clientErrorHandler: refuseUnreadable,
    // While closing, new connections are refused, but requests on open ones are still served.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();
  app.setValidatorCompiler(lenientCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  return app;
}

/**
 * The path of an address. A request may name its host as well, as it would to a proxy (RFC 9112 §3.2.2): it is still
 * for us, and what we decide by its path must not depend on that.
 */
function pathOf(url: string): string {
  if (url.startsWith('/')) return url;
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Somebody who types «100%» as an address is told that there is no such page; a call is refused (`UNREADABLE`). */
function readable(url: string): string {
  return NOT_PAGES.test(url) || isReadable(url) ? url : '/%25';
}

function isReadable(url: string): boolean {
  const [path = ''] = url.split('?');
  try {
    // The result is looked at: a bundler leaves out a call whose result is not used.
    return decodeURI(path).startsWith('/');
  } catch {
    return false;
  }
}

/** Of a text in a form. A longer one is cut there. */
const FIELD_BYTES = MEGABYTE;

/** Whether a text of a form was cut, or would be with another byte: half a list is no list, nor half a letter one. */
function fillsItsField(value: unknown): boolean {
  return typeof value === 'string' && Buffer.byteLength(value) >= FIELD_BYTES;
}

/** For forms of anybody: those of the sign-up have eight short fields and no file. */
const PUBLIC_FORM = { limits: { files: 0, fields: 20, fieldSize: 8 * 1024, parts: 20 } };

async function readBodies(app: App): Promise<void> {
  // Calls without a body may still declare JSON: an empty body is valid.
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else if (isCrowded(String(body))) done(crowded());
    else parseJson(request, String(body), done);
  });
  // A body without a content type is sent as plain text: it is parsed as JSON if possible, and otherwise kept as
  // text.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (request, body, done) => {
    if (isCrowded(String(body))) return done(crowded());
    parseJson(request, String(body), (error, parsed) => done(null, error ? body : parsed));
  });
  await app.register(multipart, {
    attachFieldsToBody: 'keyValues',
    limits: { fileSize: 10 * MEGABYTE, files: 1, fields: 60, fieldSize: FIELD_BYTES, parts: 70 },
    async onFile(part) {
      // A program may leave the name out or empty.
      const fileName = part.filename ?? '';
      const file: UploadedFile = { fileName, data: await part.toBuffer() };
      (part as { value?: unknown }).value = file;
    },
  });
  app.addHook('preValidation', (request, _reply, done) => {
    const isCut = request.isMultipart() && Object.values(request.body ?? {}).some(fillsItsField);
    done(isCut ? new DomainError('PAYLOAD_TOO_LARGE', TOO_LARGE) : undefined);
  });
  // Without a session, nobody may send much: whoever has one is known, and limited.
  app.addHook('onRoute', (route) => {
    if (route.schema?.security) route.bodyLimit ??= MEGABYTE;
    else route.config = { ...route.config, multipartOptions: PUBLIC_FORM };
  });
  const bodies = createBodiesUnderWay();
  app.addHook('preParsing', (request, { raw }, _payload, done) => {
    const release = bodies.take(request);
    raw.once('finish', release).once('close', release);
    done();
  });
}

function crowded(): DomainError {
  return new DomainError(
    'PAYLOAD_TOO_LARGE',
    'La petición lleva demasiados datos: envíalos en varias veces.',
  );
}

function compressed(): DomainError {
  return new DomainError(
    'UNSUPPORTED_MEDIA',
    'El contenido no puede ir comprimido: envíalo sin Content-Encoding.',
  );
}

/** The hooks of every call. They use callbacks, because a promise for each costs more than most hooks do. */
function addHooks(app: App, headers: Readonly<Record<string, string>>): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  scopeRequests(app);
  app.addHook('preValidation', ({ body, query, url }, _reply, done) => {
    // What a page does with its address is the browser's: whoever opens it must not get JSON.
    refuseOddities(NOT_PAGES.test(url) ? [body, query] : body);
    done();
  });
  // Checked again after parsing: JSON inside a text field of a form may contain what the raw text does not.
  app.addHook('preHandler', ({ body }, _reply, done) => {
    refuseOddities(body);
    done();
  });
  app.addHook('onSend', revalidate);
  app.addHook('onSend', readToTheEnd);
  app.addHook('onSend', (request, reply, payload, done) => {
    if (NOT_PAGES.test(request.url)) {
      reply.header('x-robots-tag', 'noindex');
      if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    }
    done(null, payload);
  });
}

/** Only the proxies in front of the product are trusted to say the client's address. */
function trustedProxies({ config }: Deps) {
  const { trustProxy } = config;
  return trustProxy === false ? false : (_address: string, hop: number) => hop < trustProxy;
}

/** Where the card form of the payment page may be posted. */
function gatewayOrigins({ config }: Deps, { redsysUrl }: Runtime): string[] {
  const origin = gatewayOrigin(config.redsys.entorno, redsysUrl);
  return origin === null ? [] : [origin];
}
