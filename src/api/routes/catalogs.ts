import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ErrorBody, Option } from '../../contract/common.ts';
import { GrupoIva } from '../../contract/parties.ts';
import type { Deps } from '../../deps.ts';
import { paises } from '../../domain/catalogs/catalogs.ts';
import { findCatalog } from '../../store/catalogs.ts';
import { sessionGuard } from '../auth.ts';

const tags = ['Catálogos'];
const options = z.array(Option);

/** The countries do not change while the server runs: browsers may keep them for an hour. */
const PAISES = paises.map(({ value, label }) => ({ value, label }));

export const catalogRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetPaises',
    { schema: { tags, summary: 'Países (pública)', response: { 200: options } } },
    async (_request, reply) => {
      reply.header('cache-control', 'public, max-age=3600');
      return PAISES;
    },
  );

  await app.register(async (own) => {
    own.addHook('onRequest', sessionGuard(deps));
    const privateCall = <Answer extends z.ZodType>(summary: string, answer: Answer) => ({
      schema: {
        tags,
        summary,
        security: [{ sesion: [] }],
        response: { 200: answer, 401: ErrorBody },
      },
    });

    own.get(
      '/api/GetData/GetTerminosPago',
      privateCall('Términos de pago', options),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'terminosPago');
        return entries.map((entry) => ({ value: entry.Code, label: entry.Description }));
      },
    );

    own.get(
      '/api/GetData/GetFormasPago',
      privateCall('Formas de pago', options),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'formasPago');
        return entries.map((entry) => ({ value: entry.Code, label: entry.Description }));
      },
    );

    own.get(
      '/api/GetData/GetGrupoContable',
      privateCall('Grupos contables de los clientes', options),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'gruposContables');
        return entries.map(({ value, label }) => ({ value, label }));
      },
    );

    own.get(
      '/api/GetData/GetUnitOfMeasure',
      privateCall('Unidades de medida', options),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'unidades');
        return entries.map((entry) => ({ value: entry.Code, label: entry.Description }));
      },
    );

    own.get(
      '/api/GetData/GetClavesRegimen',
      privateCall('Claves de régimen del impuesto de la empresa', options),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'clavesRegimen');
        return entries.map(({ value, label }) => ({ value, label }));
      },
    );

    own.get(
      '/api/GetData/GetGrupoIVA',
      privateCall('Impuestos por grupo de producto y de cliente', z.array(GrupoIva)),
      async ({ session }) => {
        const entries = await findCatalog(deps.sql, session.companyId, 'gruposIva');
        return [...entries];
      },
    );
  });
};
