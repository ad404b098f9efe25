import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { AnotarCobroBody, Cobros, EliminarCobroBody } from '../../contract/cobros.ts';
import type { Deps } from '../../deps.ts';
import { noteCobro, removeCobro } from '../../operations/note-cobro.ts';
import { sessionGuard } from '../auth.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { errors, security } from './schemas.ts';

const tags = ['Cobros'];
const refusals = errors(400, 401, 404, 409);

/** What the signed-in company notes down as collected. */
export const cobroRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/AnotarCobro',
    {
      schema: {
        tags,
        security,
        summary: 'Anota lo cobrado de una factura registrada, entera o en parte',
        description:
          '`Medio`: 01 transferencia, 02 cheque, 03 no se cobra (solo con criterio de caja: no cuenta como cobrado), 04 otros, 05 domiciliación bancaria. De un abono, lo que se devuelve va en negativo. Con `Abono`, el número de uno que rectifica la factura por diferencias, se compensan: en él se anota lo mismo como devuelto, y cada cobro lleva como `Identificacion` el número de la otra si no se da una. La factura no cambia.',
        body: AnotarCobroBody,
        response: { 200: Cobros, ...refusals },
      },
    },
    async (request) => {
      const { session, body } = request;
      return noteCobro(deps, session.companyId, body, keeperOf<Cobros>(request));
    },
  );

  app.post(
    '/api/PostData/EliminarCobro',
    {
      schema: {
        tags,
        security,
        summary: 'Elimina un cobro anotado por error',
        description:
          'Si compensaba una factura con su abono (`CompensadoCon`), se elimina también lo anotado en la otra.',
        body: EliminarCobroBody,
        response: { 200: Cobros, ...refusals },
      },
    },
    async ({ session, body }) =>
      removeCobro(deps, session.companyId, { docNo: body.No, id: body.id }),
  );
};
