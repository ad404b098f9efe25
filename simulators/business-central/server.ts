import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpError, readBody, sendJson } from '../http.ts';
import { EMPRESAS, guid } from './company.ts';
import { selected, shown } from './query.ts';
import { ACCESO, type BusinessCentralWorld } from './world.ts';

const BODY_LIMIT = 1024 * 1024;
const TOKEN_SECONDS = 3599;
const MAX_REQUESTS_KEPT = 5000;

/** The service's answer to a failed call: `{error: {code, message}}`. */
class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Entra ID and API v2.0 at one address, over plain HTTP on the loopback. */
export function createBusinessCentral(world: BusinessCentralWorld): Server {
  const tokens = new Set<string>();
  return createServer((request, response) => {
    answer(request, response, world, tokens).catch((error) => {
      if (response.headersSent) return response.destroy();
      if (error instanceof ApiError) {
        return sendJson(response, error.status, {
          error: { code: error.code, message: error.message },
        });
      }
      if (error instanceof HttpError) {
        return sendJson(response, error.status, {
          error: { code: 'BadRequest', message: error.message },
        });
      }
      console.error('Fallo de Business Central simulado', error);
      sendJson(response, 500, { error: { code: 'Internal_ServerError', message: 'Simulador.' } });
    });
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  world: BusinessCentralWorld,
  tokens: Set<string>,
): Promise<void> {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const login = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(url.pathname);
  if (login) return giveToken(request, response, decodeURIComponent(login[1] ?? ''), tokens);

  const path = /^\/v2\.0\/([^/]+)\/([^/]+)\/api\/v2\.0\/(.+)$/.exec(url.pathname);
  if (!path) throw new ApiError(404, 'BadRequest_NotFound', 'No HTTP resource was found.');
  world.requests.push(`${request.method} ${decodeURIComponent(url.pathname + url.search)}`);
  if (world.requests.length > MAX_REQUESTS_KEPT) world.requests.shift();
  if (world.latenciaMs > 0) await sleep(world.latenciaMs);
  assertLetIn(request, tokens);
  switch (world.takeModo()) {
    case 'sin-permiso':
      throw new ApiError(403, 'Authorization_RequestDenied', 'Insufficient privileges.');
    case 'averia':
      throw new ApiError(500, 'Internal_ServerError', 'Something went wrong.');
    case 'sesion-caducada':
      tokens.clear();
      throw new ApiError(401, 'Authentication_InvalidCredentials', 'The token has expired.');
    case 'limite':
      response.setHeader('retry-after', String(world.retryAfter));
      throw new ApiError(429, 'Application_TooManyRequests', 'Too many requests.');
    case 'cortar':
      request.socket.destroy();
      return;
    case 'normal':
  }
  const [tenant, environment, rest] = path.slice(1).map(decodeURIComponent);
  assertTenant(tenant ?? '');
  if (!ACCESO.entornos.some((name) => name.toLowerCase() === environment?.toLowerCase())) {
    throw new ApiError(404, 'NoEnvironment', `Environment ${environment} does not exist.`);
  }
  await serve({ request, response, url, rest: rest ?? '' }, world);
}

async function giveToken(
  request: IncomingMessage,
  response: ServerResponse,
  tenant: string,
  tokens: Set<string>,
): Promise<void> {
  const form = new URLSearchParams((await readBody(request, BODY_LIMIT)).toString('utf8'));
  const refuse = (status: number, error: string, description: string) =>
    sendJson(response, status, { error, error_description: description });
  if (tenant.toLowerCase() !== ACCESO.tenant && tenant.toLowerCase() !== ACCESO.dominio) {
    return refuse(400, 'invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`);
  }
  if (form.get('client_id') !== ACCESO.clientId) {
    return refuse(400, 'unauthorized_client', 'AADSTS700016: Application was not found.');
  }
  if (form.get('client_secret') !== ACCESO.secreto) {
    return refuse(401, 'invalid_client', 'AADSTS7000215: Invalid client secret provided.');
  }
  if (
    form.get('grant_type') !== 'client_credentials' ||
    !form.get('scope')?.endsWith('/.default')
  ) {
    return refuse(400, 'invalid_grant', 'AADSTS70011: The scope is not valid.');
  }
  const token = randomBytes(24).toString('base64url');
  tokens.add(token);
  sendJson(response, 200, {
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
    access_token: token,
  });
}

function assertLetIn(request: IncomingMessage, tokens: ReadonlySet<string>): void {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token && tokens.has(token)) return;
  throw new ApiError(
    401,
    'Authentication_InvalidCredentials',
    'The server has rejected the token.',
  );
}

function assertTenant(tenant: string): void {
  if ([ACCESO.tenant, ACCESO.dominio].includes(tenant.toLowerCase() as never)) return;
  throw new ApiError(401, 'Authentication_InvalidCredentials', 'Another tenant.');
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  /** `companies(…)/customers` */
  readonly rest: string;
}

async function serve(call: Call, world: BusinessCentralWorld): Promise<void> {
  const { request, response, rest } = call;
  if (rest === 'companies') return sendJson(response, 200, { value: EMPRESAS });
  const match = /^companies\(([\w-]+)\)\/(\w+)(?:\(([\w-]+)\)\/(\w+))?$/.exec(rest);
  const [, company, entity = '', id, part] = match ?? [];
  if (!EMPRESAS.some((one) => one.id === company)) {
    throw new ApiError(404, 'Internal_CompanyNotFound', `The company ${company} does not exist.`);
  }
  if (request.method === 'POST' && entity === 'documentAttachments' && !id) {
    return createAttachment(call, world);
  }
  if (request.method === 'PATCH' && part === 'attachmentContent' && id) {
    return writeAttachment(call, world, id);
  }
  const rows = company === EMPRESAS[0]?.id || isLookup(entity) ? world.rows(entity) : [];
  if (request.method !== 'GET' || rows === null || id) {
    throw new ApiError(404, 'BadRequest_NotFound', 'The resource does not exist.');
  }
  sendPage(call, selected(rows, call.url.searchParams), world.pagina);
}

const isLookup = (entity: string) => !/^(customers|items|sales)/.test(entity);

/** A page, with the address of the next one when there is more. */
function sendPage(
  { request, response, url }: Call,
  rows: readonly Record<string, unknown>[],
  limit: number,
): void {
  const asked = /odata\.maxpagesize=(\d+)/.exec(String(request.headers.prefer ?? ''))?.[1];
  const size = Math.min(Number(asked ?? limit), limit);
  const from = Number(url.searchParams.get('$skiptoken') ?? 0);
  const next = new URL(url);
  next.searchParams.set('$skiptoken', String(from + size));
  sendJson(response, 200, {
    '@odata.context': `${url.origin}${url.pathname}/$metadata`,
    value: rows.slice(from, from + size).map((row) => ({
      '@odata.etag': `W/"${row.lastModifiedDateTime ?? ''}"`,
      ...shown(row, url.searchParams),
    })),
    ...(from + size < rows.length ? { '@odata.nextLink': next.href } : {}),
  });
}

async function createAttachment(
  { request, response }: Call,
  world: BusinessCentralWorld,
): Promise<void> {
  const body = JSON.parse((await readBody(request, BODY_LIMIT)).toString('utf8'));
  const { parentId = '', parentType = '', fileName = '' } = body as Record<string, string>;
  const { salesInvoices, salesCreditMemos } = world.tables;
  const parents = { 'Sales Invoice': salesInvoices, 'Sales Credit Memo': salesCreditMemos }[
    parentType
  ];
  if (!parents?.some((row) => row.id === parentId) || !fileName) {
    throw new ApiError(400, 'BadRequest', 'The parent of the attachment does not exist.');
  }
  const id = guid('adjunto', `${parentId}:${fileName}:${world.attachments.length}`);
  world.attachments.push({ id, parentId, parentType, fileName, content: '' });
  sendJson(response, 201, { id, parentId, parentType, fileName, byteSize: 0 });
}

async function writeAttachment(
  { request, response }: Call,
  world: BusinessCentralWorld,
  id: string,
): Promise<void> {
  const found = world.attachments.find((attachment) => attachment.id === id);
  if (!found) throw new ApiError(404, 'Internal_RecordNotFound', 'The attachment does not exist.');
  if (!request.headers['if-match']) {
    throw new ApiError(400, 'BadRequest', "'If-Match' is required.");
  }
  found.content = (await readBody(request, BODY_LIMIT)).toString('utf8');
  response.writeHead(204).end();
}
