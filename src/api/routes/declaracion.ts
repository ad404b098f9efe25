import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DeclaracionAnswer } from '../../contract/evidence.ts';
import type { Deps } from '../../deps.ts';
import { describeDeclaracion, drawDeclaracion } from '../../operations/declaracion.ts';
import { FileField } from '../forms.ts';
import { errors } from './schemas.ts';

const tags = ['Declaración responsable'];
const DeclaracionQuery = z.object({ version: z.string().max(50).optional() });

/** Public, because anybody who buys or sells the program must be able to read it (Orden HAC/1177/2024 art. 15). */
export const declaracionRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetDeclaracionResponsable',
    {
      schema: {
        tags,
        summary: 'La declaración responsable de una versión (pública)',
        querystring: DeclaracionQuery,
        response: { 200: DeclaracionAnswer, ...errors(400, 404) },
      },
    },
    async ({ query }) => describeDeclaracion(deps, query.version),
  );

  app.get(
    '/api/GetData/GetDeclaracionResponsablePdf',
    {
      schema: {
        tags,
        summary: 'La declaración responsable en PDF (pública)',
        querystring: DeclaracionQuery,
        response: {
          200: { description: 'El PDF', content: { 'application/pdf': { schema: FileField } } },
          ...errors(400, 404),
        },
      },
    },
    async ({ query }, reply) => {
      const { fileName, pdf } = await drawDeclaracion(deps, query.version);
      return reply
        .type('application/pdf')
        .header('content-disposition', `inline; filename="${fileName}"`)
        .send(Buffer.from(pdf));
    },
  );
};
