import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ZodError, z } from 'zod';
import type { Behaviour } from '../aeat/behaviour.ts';
import type { Authority } from '../aeat/certificates/authority.ts';
import type { RequestLog } from '../aeat/request-log.ts';
import type { Store } from '../aeat/store.ts';
import type { BusinessCentralWorld } from '../business-central/world.ts';
import type { SimulatedClock } from '../clock.ts';
import type { Mailbox } from '../correo/mailbox.ts';
import type { MailBehaviour } from '../correo/server.ts';
import { HttpError, sendJson } from '../http.ts';
import type { RedsysDeps } from '../redsys/server.ts';
import { aeatRoutes } from './aeat-routes.ts';
import { businessCentralRoutes } from './business-central-routes.ts';
import { certificateRoutes } from './certificate-routes.ts';
import { cotejoRoutes } from './cotejo-routes.ts';
import { mailRoutes } from './mail-routes.ts';
import { redsysRoutes } from './redsys-routes.ts';

export interface ControlDeps {
  readonly authority: Authority;
  readonly store: Store;
  readonly log: RequestLog;
  readonly behaviour: Behaviour;
  readonly clock: SimulatedClock;
  readonly mailbox: Mailbox;
  readonly mailBehaviour: MailBehaviour;
  readonly redsys: RedsysDeps;
  readonly businessCentral: BusinessCentralWorld;
}

export interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

/** `METHOD /path` → its handler. */
export type Routes = Readonly<Record<string, (call: Call, deps: ControlDeps) => Promise<void>>>;

const ROUTES: Routes = {
  ...aeatRoutes,
  ...businessCentralRoutes,
  ...certificateRoutes,
  ...cotejoRoutes,
  ...mailRoutes,
  ...redsysRoutes,
};

/** Plain HTTP on loopback: how tests and users who try the product inspect and control the simulators. */
export function createControlServer(deps: ControlDeps): Server {
  z.config(z.locales.es());
  return createServer((request, response) => {
    route(request, response, deps).catch((error) => answerError(response, error));
  });
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  deps: ControlDeps,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const action = ROUTES[`${request.method} ${url.pathname}`];
  if (!action) throw new HttpError(404, 'La dirección no existe.');
  await action({ request, response, query: url.searchParams }, deps);
}

function answerError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.destroy();
  } else if (error instanceof HttpError) {
    sendJson(response, error.status, { message: error.message });
  } else if (error instanceof ZodError) {
    const message = error.issues.map(({ path, message }) =>
      path.length > 0 ? `${path.join('.')}: ${message}` : message,
    );
    sendJson(response, 400, { message });
  } else {
    console.error('Fallo del control de los simuladores', error);
    sendJson(response, 500, { message: 'Error interno del simulador.' });
  }
}
