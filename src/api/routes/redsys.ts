import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { Empty } from '../../contract/common.ts';
import {
  EstadoPago,
  EstadoQuery,
  GatewayForm,
  InitPaymentBody,
  InitRenewPaymentBody,
  NotificationBody,
} from '../../contract/payments.ts';
import type { Deps, Runtime } from '../../deps.ts';
import { assertAddressMayTry, rationedByAddress } from '../../operations/attempts.ts';
import { confirmPayment } from '../../operations/confirm-payment.ts';
import { initPayment, initRenewPayment } from '../../operations/init-payment.ts';
import { readPaymentState } from '../../operations/payment-state.ts';
import { type Gateway, gatewayOf } from '../../payments/merchant.ts';
import { sessionGuard } from '../auth.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { errors, security } from './schemas.ts';

const tags = ['Pagos'];
const NOTIFICATION_BYTES = 16 * 1024;

export const redsysRoutes: FastifyPluginAsyncZod<Deps & { runtime: Runtime }> = async (
  app,
  { runtime, ...deps },
) => {
  // Looked up each time: the simulated gateway may restart at another address.
  const gateway = () => gatewayOf(deps.config.redsys.entorno, runtime.redsysUrl);

  // The gateway posts like a form on a page; no other call of the product accepts that.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: NOTIFICATION_BYTES },
    (_request, body, done) => {
      done(null, Object.fromEntries(new URLSearchParams(String(body))));
    },
  );

  app.post(
    '/api/Redsys/InitPayment',
    {
      schema: {
        tags,
        summary: 'Inicia el pago de un alta: devuelve el formulario de la pasarela',
        body: InitPaymentBody,
        response: { 200: GatewayForm, ...errors(400, 409, 429, 503) },
      },
    },
    async ({ ip, body }) =>
      rationedByAddress(deps, { done: 'payment', refused: 'paymentRefused' }, ip, () =>
        initPayment(deps, gateway(), body),
      ),
  );

  await app.register(renewalRoutes, { ...deps, gateway });

  app.post(
    '/api/Redsys/Notification',
    {
      bodyLimit: NOTIFICATION_BYTES,
      schema: {
        tags,
        summary: 'Notificación de la pasarela (pública: la acredita su firma)',
        // The web passes on the answer with which the user returned from the gateway.
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: NotificationBody,
        response: { 200: Empty, ...errors(400) },
      },
    },
    async ({ body }) => {
      await confirmPayment(deps, body);
      return {};
    },
  );

  app.get(
    '/api/Redsys/Estado',
    {
      schema: {
        tags,
        summary: 'Cómo va un pago (pública)',
        querystring: EstadoQuery,
        response: { 200: EstadoPago, ...errors(400, 404, 429) },
      },
    },
    async ({ ip, query }) => {
      await assertAddressMayTry(deps, 'paymentState', ip);
      return readPaymentState(deps, query.orderId);
    },
  );
};

/** Apart, because they belong to a company: its session guards them, and keeps their answers. */
const renewalRoutes: FastifyPluginAsyncZod<Deps & { gateway: () => Gateway | null }> = async (
  app,
  { gateway, ...deps },
) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/Redsys/InitRenewPayment',
    {
      schema: {
        tags,
        summary: 'Inicia el pago de una renovación: devuelve el formulario de la pasarela',
        security,
        body: InitRenewPaymentBody,
        response: { 200: GatewayForm, ...errors(400, 401, 409, 429, 503) },
      },
    },
    async (request) =>
      initRenewPayment(deps, gateway(), request.session.companyId, request.body, keeperOf(request)),
  );
};
