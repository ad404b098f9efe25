import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { gzipSync } from 'node:zlib';
import type { SimulatedClock } from '../clock.ts';
import { escapeHtml, readBody } from '../http.ts';
import { faultXml } from './answers.ts';
import type { Behaviour, Modo } from './behaviour.ts';
import type { Authority } from './certificates/authority.ts';
import { type Holder, holderOf } from './certificates/holder.ts';
import { consultaFactu } from './consulta.ts';
import { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import { regFactu } from './reg-factu.ts';
import type { RequestLog } from './request-log.ts';
import { nifOf, readEnvelope } from './soap.ts';
import type { Store } from './store.ts';
import type { XmlNode } from './xml.ts';

export const SERVICE_PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
const MAX_BODY = 64 * 1024 * 1024;

export interface AeatDeps {
  readonly authority: Authority;
  readonly store: Store;
  readonly log: RequestLog;
  readonly behaviour: Behaviour;
  readonly clock: SimulatedClock;
}

/** As in reality, each kind of certificate has its own host. */
export type Host = 'persona' | 'sello';

interface Answer {
  readonly status: number;
  readonly type: 'text/html' | 'text/xml';
  readonly body: string;
}

/**
 * The AEAT's service: HTTPS that asks for a client certificate of its own authority.
 *
 * The handshake accepts anybody, so that a refusal is the HTML page with a 403 of the real service, not a TLS error.
 */
export function createAeatServer(host: Host, deps: AeatDeps): Server {
  const { ca, server } = deps.authority;
  return createServer(
    {
      key: server.key,
      cert: server.cert,
      ca: ca.cert,
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: 60_000,
    },
    (request, response) => {
      handle(request, response, host, deps).catch((error) => {
        // A client that disconnects half-way is no error.
        if (request.complete) console.error('Fallo del simulador de la AEAT', error);
        request.socket.destroy();
      });
    },
  );
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  host: Host,
  deps: AeatDeps,
): Promise<void> {
  const holder = authenticate(request.socket as TLSSocket, deps.clock);
  const refusal = refusalOf(request, host, holder);
  if (refusal || !holder) {
    request.resume();
    return send(response, deps.clock, refusal ?? forbidden());
  }
  const body = await readBody(request, MAX_BODY);
  const modo = deps.behaviour.takeModo();
  const { nif, answer } = await serve(body, holder, modo, deps);
  await deps.behaviour.lag();
  deps.log.add(nif ?? holder.nif, {
    fecha: deps.clock.aeatNow().toISOString(),
    peticion: body,
    respuesta: answer?.body ?? null,
    estadoHttp: answer?.status ?? null,
    conexionCortada: !answer,
  });
  const isPacked = modo === 'comprimir' && request.headers['accept-encoding'] !== 'identity';
  if (answer) send(response, deps.clock, answer, { isPacked });
  else if (modo !== 'silencio') request.socket.destroy();
}

/** The holder of a certificate of ours that has not expired, by the simulated clock too. */
function authenticate(socket: TLSSocket, clock: SimulatedClock): Holder | undefined {
  if (!socket.authorized) return undefined;
  const certificate = socket.getPeerCertificate();
  if (new Date(certificate.valid_to) < clock.aeatNow()) return undefined;
  return holderOf(certificate);
}

function refusalOf(
  request: IncomingMessage,
  host: Host,
  holder: Holder | undefined,
): Answer | undefined {
  if (!holder) return forbidden();
  if ((holder.tipo === 'sello') !== (host === 'sello')) {
    return page(401, 'Este tipo de certificado tiene otra dirección.');
  }
  if (request.url?.split('?')[0] !== SERVICE_PATH) return page(404, 'La dirección no existe.');
  if (request.method === 'POST') return undefined;
  return soap(500, faultXml(new Fault(4135, 'Esta dirección no se puede usar con GET.')));
}

/** What happens to a message, and the NIF to file it under. Without an answer, the connection is cut. */
async function serve(
  body: Buffer,
  holder: Holder,
  modo: Modo,
  deps: AeatDeps,
): Promise<{ nif?: string | undefined; answer?: Answer | undefined }> {
  let nif: string | undefined;
  try {
    const message = readEnvelope(body);
    nif = nifOf(message);
    switch (modo) {
      case 'cortar-antes':
      case 'silencio':
        return { nif };
      case 'http-403':
        return { nif, answer: page(403, 'No se reconoce el certificado.') };
      case 'http-503':
        return { nif, answer: page(503, 'El servicio no está disponible en este momento.') };
      case 'xml-roto':
        return {
          nif,
          answer: soap(200, '<?xml version="1.0"?><env:Envelope><env:Body><tikR:Resp'),
        };
      case 'fault':
        throw new Fault(20009, 'Error interno en el servidor', 'Server');
      case 'cortar-despues':
        await operate(message, holder, deps);
        return { nif };
      case 'comprimir':
      case 'normal':
        return { nif, answer: soap(200, await operate(message, holder, deps)) };
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { nif, answer: soap(500, faultXml(error)) };
  }
}

/** The root element determines the operation. */
async function operate(message: XmlNode, holder: Holder, deps: AeatDeps): Promise<string> {
  const service = { ...deps, now: () => deps.clock.aeatNow() };
  if (message.name === 'RegFactuSistemaFacturacion' && message.uri === NS.suministro) {
    return regFactu(message, holder, service);
  }
  if (message.name === 'ConsultaFactuSistemaFacturacion' && message.uri === NS.consulta) {
    return consultaFactu(message, holder, deps);
  }
  throw new Fault(4102, `El XML no cumple el esquema. Elemento no esperado: ${message.name}`);
}

function soap(status: number, body: string): Answer {
  return { status, type: 'text/xml', body };
}

function page(status: number, text: string): Answer {
  const body = `<!DOCTYPE html><html lang="es"><head><meta charset="utf-8"><title>Agencia Tributaria (simulador)</title></head><body><h1>${status}</h1><p>${escapeHtml(text)}</p></body></html>`;
  return { status, type: 'text/html', body };
}

function forbidden(): Answer {
  return page(403, 'No se ha presentado un certificado electrónico válido.');
}

function send(
  response: ServerResponse,
  clock: SimulatedClock,
  answer: Answer,
  { isPacked = false } = {},
): void {
  response.sendDate = false;
  response.writeHead(answer.status, {
    'content-type': `${answer.type}; charset=utf-8`,
    date: clock.aeatNow().toUTCString(),
    ...(isPacked && { 'content-encoding': 'gzip' }),
  });
  response.end(isPacked ? gzipSync(answer.body) : answer.body);
}
