import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { SimulatedClock } from '../clock.ts';
import { HttpError, readBody, sendHtml, sendJson } from '../http.ts';
import type { RedsysBehaviour } from './behaviour.ts';
import { judgeCard, OTP } from './cards.ts';
import { avisar, vuelta } from './notify.ts';
import {
  type Aviso,
  isAuthorised,
  isFinished,
  type Operacion,
  type Operaciones,
} from './operations.ts';
import { cardPage, challengePage, errorPage } from './pages.ts';
import { consulta } from './query.ts';
import { leerPeticion, type Peticion } from './request.ts';
import { firmado } from './signature.ts';

export interface RedsysDeps {
  readonly operaciones: Operaciones;
  readonly behaviour: RedsysBehaviour;
  readonly clock: SimulatedClock;
}

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

type Action = (call: Call, deps: RedsysDeps) => Promise<void>;

const BODY_LIMIT = 64 * 1024;

const ROUTES: Readonly<Record<string, Action>> = {
  'POST /sis/realizarPago': realizarPago,
  'POST /sis/pagar': pagar,
  'POST /sis/autenticar': autenticar,
  'POST /sis/cancelar': cancelar,
  'POST /sis/rest/trataPeticionREST': devolver,
  'POST /apl02/services/SerClsWSConsulta': consultar,
};

/** The card gateway: the page, the query and the refunds, over plain HTTP on loopback. */
export function createRedsysServer(deps: RedsysDeps): Server {
  return createServer((request, response) => {
    route({ request, response }, deps).catch((error) => {
      if (response.headersSent) response.destroy();
      else if (error instanceof HttpError) {
        sendHtml(response, error.status, errorPage(String(error.status), error.message));
      } else {
        console.error('Fallo de la pasarela simulada', error);
        sendHtml(response, 500, errorPage('500', 'Error interno del simulador.'));
      }
    });
  });
}

async function route(call: Call, deps: RedsysDeps): Promise<void> {
  const { pathname } = new URL(call.request.url ?? '/', 'http://localhost');
  const action = ROUTES[`${call.request.method} ${pathname}`];
  if (!action) throw new HttpError(404, 'La dirección no existe.');
  await action(call, deps);
}

/** Receives the merchant's form: its signature is checked before anything is shown. */
async function realizarPago({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const { operaciones, behaviour, clock } = deps;
  const leida = leerPeticion(await formOf(request), behaviour.comercio, { tipo: '0' });
  if (!leida.ok) return sendHtml(response, 400, errorPage(leida.codigo, leida.texto));
  const pedido = leida.peticion.datos.get('DS_MERCHANT_ORDER') ?? '';
  if (operaciones.find(pedido)) {
    return sendHtml(response, 400, errorPage('SIS0051', 'El pedido está repetido.'));
  }
  const operacion = operacionOf(leida.peticion, clock.worldNow());
  operaciones.save(operacion);
  sendHtml(response, 200, cardPage(operacion));
}

async function pagar({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const form = await formOf(request);
  const operacion = openOperacion(form, deps);
  const card = {
    number: form.get('numero') ?? '',
    expiry: form.get('caducidad') ?? '',
    cvv: form.get('cvv') ?? '',
  };
  const verdict = judgeCard(card, { amount: operacion.Ds_Amount, now: deps.clock.worldNow() });
  if (verdict.kind === 'mistyped') {
    return sendHtml(response, 200, cardPage(operacion, verdict.message));
  }
  const respuesta = form.get('respuesta') ?? '';
  operacion.aviso = AVISOS[respuesta] ?? 'normal';
  if (respuesta === 'denegar') return finish(response, operacion, '0190', deps);
  switch (verdict.kind) {
    case 'authorised':
      return finish(response, operacion, '0000', deps);
    case 'denied':
      return finish(response, operacion, verdict.Ds_Response, deps);
    case 'challenge':
      operacion.Ds_Response = '9999';
      operacion.trasReto = verdict.after;
      deps.operaciones.save(operacion);
      return sendHtml(response, 200, challengePage(operacion));
  }
}

const AVISOS: Readonly<Record<string, Aviso>> = {
  tarde: 'tarde',
  dos: 'dos',
  nunca: 'nunca',
  firma: 'firma',
  vuelta: 'vuelta',
};

async function autenticar({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const form = await formOf(request);
  const operacion = openOperacion(form, deps);
  const isRight = form.get('codigo')?.trim() === OTP;
  await finish(response, operacion, isRight ? operacion.trasReto : '0184', deps);
}

async function cancelar({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const form = await formOf(request);
  const operacion = openOperacion(form, deps);
  operacion.aviso = AVISOS[form.get('respuesta') ?? ''] ?? operacion.aviso;
  await finish(response, operacion, '9915', deps);
}

/** Ends an operation: the merchant is notified, and the customer returns to its page. */
async function finish(
  response: ServerResponse,
  operacion: Operacion,
  Ds_Response: string,
  { operaciones, behaviour }: RedsysDeps,
): Promise<void> {
  operacion.Ds_Response = Ds_Response;
  if (isAuthorised(operacion)) operacion.Ds_AuthorisationCode = String(randomInt(100_000, 999_999));
  operaciones.save(operacion);
  await avisar(operacion, behaviour);
  const back = isAuthorised(operacion) ? operacion.urlOk : operacion.urlKo;
  const location = vuelta(back, operacion, behaviour);
  response.writeHead(303, { location, 'cache-control': 'no-store' });
  response.end();
}

/** REST refunds (`DS_MERCHANT_TRANSACTIONTYPE` 3), full or partial. */
async function devolver({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const { operaciones, behaviour } = deps;
  if (behaviour.caido) throw new HttpError(503, 'La pasarela no responde.');
  const body = JSON.parse((await readBody(request, BODY_LIMIT)).toString('utf8'));
  const campos = new Map(
    Object.entries(body as object).map(([name, value]) => [name, String(value)]),
  );
  const leida = leerPeticion(campos, behaviour.comercio, { tipo: '3' });
  if (!leida.ok) return sendJson(response, 200, { errorCode: leida.codigo });
  const { version, datos } = leida.peticion;
  const operacion = operaciones.find(datos.get('DS_MERCHANT_ORDER') ?? '');
  if (!operacion || !isAuthorised(operacion)) {
    return sendJson(response, 200, { errorCode: 'SIS0054' });
  }
  const total = operacion.devueltoCents + Number(datos.get('DS_MERCHANT_AMOUNT'));
  if (total > Number(operacion.Ds_Amount)) {
    return sendJson(response, 200, { errorCode: 'SIS0057' });
  }
  operacion.devueltoCents = total;
  operaciones.save(operacion);
  sendJson(
    response,
    200,
    firmado(version, behaviour.comercio.clave, operacion.Ds_Order, {
      Ds_Amount: datos.get('DS_MERCHANT_AMOUNT') ?? '',
      Ds_Currency: operacion.Ds_Currency,
      Ds_Order: operacion.Ds_Order,
      Ds_MerchantCode: operacion.Ds_MerchantCode,
      Ds_Terminal: operacion.Ds_Terminal,
      Ds_Response: '0900',
      Ds_TransactionType: '3',
    }),
  );
}

async function consultar({ request, response }: Call, deps: RedsysDeps): Promise<void> {
  const { operaciones, behaviour } = deps;
  if (behaviour.caido) throw new HttpError(503, 'La pasarela no responde.');
  const soap = (await readBody(request, BODY_LIMIT)).toString('utf8');
  response.writeHead(200, { 'content-type': 'text/xml; charset=utf-8' });
  response.end(consulta(soap, { operaciones, comercio: behaviour.comercio }));
}

async function formOf(request: IncomingMessage): Promise<ReadonlyMap<string, string>> {
  const body = await readBody(request, BODY_LIMIT);
  return new Map(new URLSearchParams(body.toString('utf8')));
}

/** The unfinished operation to which a form of ours belongs. */
function openOperacion(form: ReadonlyMap<string, string>, { operaciones }: RedsysDeps): Operacion {
  const operacion = operaciones.find(form.get('pedido') ?? '');
  if (!operacion) throw new HttpError(404, 'Esa operación no existe.');
  if (isFinished(operacion)) throw new HttpError(409, 'Esa operación ya ha terminado.');
  return operacion;
}

function operacionOf({ version, datos }: Peticion, now: Date): Operacion {
  const read = (name: string) => datos.get(`DS_MERCHANT_${name}`) ?? '';
  return {
    Ds_Order: read('ORDER'),
    Ds_Amount: read('AMOUNT'),
    Ds_Currency: read('CURRENCY'),
    Ds_MerchantCode: read('MERCHANTCODE'),
    Ds_Terminal: read('TERMINAL'),
    Ds_TransactionType: read('TRANSACTIONTYPE'),
    Ds_MerchantData: read('MERCHANTDATA'),
    version,
    concepto: read('PRODUCTDESCRIPTION'),
    titulo: read('MERCHANTNAME'),
    urlAviso: read('MERCHANTURL'),
    urlOk: read('URLOK'),
    urlKo: read('URLKO'),
    fecha: now.toISOString(),
    Ds_Response: '9998',
    Ds_AuthorisationCode: '',
    aviso: 'normal',
    trasReto: '0000',
    devueltoCents: 0,
  };
}
