import { z } from 'zod';
import { HttpError, sendJson } from '../http.ts';
import { enviar } from '../redsys/notify.ts';
import { readJson } from './aeat-routes.ts';
import type { Routes } from './server.ts';

const Change = z.strictObject({
  /** How the outcome of the next payments is notified; null leaves it to the page. */
  aviso: z.enum(['normal', 'tarde', 'dos', 'nunca', 'firma']).nullable().optional(),
  tardeSegundos: z.number().min(0).max(3600).optional(),
  caido: z.boolean().optional(),
  comercio: z
    .strictObject({
      codigo: z.string().regex(/^\d{9}$/),
      terminal: z.string().regex(/^\d{1,3}$/),
      clave: z.string(),
    })
    .optional(),
});
const Resend = z.strictObject({ pedido: z.string(), firmaMala: z.boolean().default(false) });

export const redsysRoutes: Routes = {
  'POST /desarrollo/redsys/comportamiento': async ({ request, response }, { redsys }) => {
    Object.assign(redsys.behaviour, Change.parse(await readJson(request)));
    const { comercio: _, ...behaviour } = redsys.behaviour;
    sendJson(response, 200, behaviour);
  },

  /** The gateway's data, newest first: orders, answers, refunds. Nothing about cards. */
  'GET /desarrollo/redsys/operaciones': async ({ response }, { redsys }) => {
    sendJson(
      response,
      200,
      redsys.operaciones.list().map(({ urlAviso: _, ...operacion }) => operacion),
    );
  },

  /** Repeats the notification of a finished operation, as a merchant can request in the bank's portal. */
  'POST /desarrollo/redsys/avisar': async ({ request, response }, { redsys }) => {
    const { pedido, firmaMala } = Resend.parse(await readJson(request));
    const operacion = redsys.operaciones.find(pedido);
    if (!operacion) throw new HttpError(404, 'Ese pedido no existe.');
    const estadoHttp = await enviar(operacion, redsys.behaviour, { firmaMala });
    sendJson(response, 200, { estadoHttp });
  },
};
