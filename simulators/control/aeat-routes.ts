import type { IncomingMessage } from 'node:http';
import type { Entry } from '../aeat/store.ts';
import { HttpError, readBody, sendJson } from '../http.ts';
import type { Routes } from './server.ts';

export const aeatRoutes: Routes = {
  /** `desde` skips that many rows and `limite` is the maximum number; without them, all. */
  'GET /desarrollo/aeat/registros': async ({ response, query }, { store }) => {
    const desde = Number(query.get('desde') ?? 0);
    const limite = Number(query.get('limite') ?? Number.POSITIVE_INFINITY);
    const entries = store.entries(nifOf(query)).slice(desde, desde + limite);
    sendJson(response, 200, entries.map(row));
  },

  'GET /desarrollo/aeat/peticiones': async ({ response, query }, { log }) => {
    const nif = nifOf(query);
    const limite = Number(query.get('limite') ?? Number.POSITIVE_INFINITY);
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
    response.write('[');
    let count = 0;
    for await (const request of log.newestFirst(nif)) {
      if (count === limite) break;
      const isFull = !response.write(`${count++ ? ',' : ''}${JSON.stringify(request)}`);
      if (isFull) await new Promise((resolve) => response.once('drain', resolve));
    }
    response.end(']');
  },

  'GET /desarrollo/aeat/comportamiento': async ({ response }, { behaviour }) => {
    sendJson(response, 200, behaviour);
  },

  'POST /desarrollo/aeat/comportamiento': async ({ request, response }, { behaviour }) => {
    behaviour.change(await readJson(request));
    sendJson(response, 200, behaviour);
  },

  'POST /desarrollo/aeat/vaciar': async ({ response }, { store, log }) => {
    await store.clear();
    await log.clear();
    sendJson(response, 200, {});
  },
};

function nifOf(query: URLSearchParams): string {
  const nif = query.get('nif');
  if (!nif) throw new HttpError(400, 'Falta el parámetro nif.');
  return nif;
}

function row(entry: Entry) {
  const { presentacion } = entry;
  return {
    IDEmisorFactura: presentacion.NIF,
    NumSerieFactura: entry.NumSerieFactura,
    FechaExpedicionFactura: entry.FechaExpedicionFactura,
    TipoRegistro: entry.TipoRegistro,
    EstadoRegistro: entry.EstadoRegistro,
    CodigoErrorRegistro: entry.CodigoErrorRegistro ?? null,
    Huella: entry.Huella,
    HuellaAnterior: entry.HuellaAnterior,
    Subsanacion: entry.Subsanacion ?? null,
    RechazoPrevio: entry.RechazoPrevio ?? null,
    Incidencia: presentacion.Incidencia ?? null,
    TimestampPresentacion: presentacion.TimestampPresentacion,
    CSV: presentacion.CSV,
  };
}

/** @throws {HttpError} 400 */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, 1024 * 1024);
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new HttpError(400, 'El cuerpo no es JSON.');
  }
}
