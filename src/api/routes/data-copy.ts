import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { CopiaDatos, CopiaEnlazada, EnlaceCopia, EnlaceCopiaBody } from '../../contract/company.ts';
import { ConfirmBody } from '../../contract/security.ts';
import type { Deps } from '../../deps.ts';
import { assertAddressMayTry } from '../../operations/attempts.ts';
import {
  askDataCopy,
  describeDataCopy,
  findLinkedCopy,
  linkOfDataCopy,
  openLinkedCopy,
  readDataCopyLink,
} from '../../operations/data-copy.ts';
import { inScope } from '../../store/row-security.ts';
import { sessionGuard } from '../auth.ts';
import { FileField } from '../forms.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Copia de los datos'];
const FORM_BYTES = 1024;

/** «Descargar mis datos»: requested and followed with a session, downloaded with only its link. */
export const dataCopyRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  await app.register(async (own) => {
    own.addHook('onRequest', sessionGuard(deps));
    await registerOwn(own, deps);
  });

  app.post(
    '/api/Copia/Estado',
    {
      schema: {
        tags,
        summary: 'La copia que abre un enlace: nombre, tamaño y hasta cuándo (pública)',
        body: EnlaceCopiaBody,
        response: { 200: CopiaEnlazada, ...errors(400, 404, 429) },
      },
    },
    async ({ ip, body, scope }) => {
      await assertAddressMayTry(deps, 'dataCopy', ip);
      const name = readDataCopyLink(deps.config, body.Enlace);
      scope.companyId = name.companyId;
      const { fileName, bytes, expiresAt } = await findLinkedCopy(deps, name);
      return { archivo: fileName, bytes, hasta: expiresAt.toISOString() };
    },
  );

  await app.register(async (form: typeof app) => {
    // Posted by a form of the page, so that the browser saves it while it arrives, whatever its size.
    form.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    form.post(
      '/api/Copia/Descargar',
      {
        schema: {
          tags,
          summary: 'El ZIP que abre un enlace, durante siete días (pública)',
          consumes: ['application/x-www-form-urlencoded', 'application/json'],
          body: EnlaceCopiaBody,
          response: {
            200: { description: 'El ZIP', content: { 'application/zip': { schema: FileField } } },
            ...errors(400, 404, 429),
          },
        },
      },
      async ({ ip, body, scope }, reply) => {
        await assertAddressMayTry(deps, 'dataCopy', ip);
        const name = readDataCopyLink(deps.config, body.Enlace);
        scope.companyId = name.companyId;
        const { fileName, bytes, zip } = await openLinkedCopy(deps, name);
        return reply
          .type('application/zip')
          .header('content-disposition', `attachment; filename="${fileName}"`)
          .header('content-length', bytes)
          .send(Readable.from(inScope(zip), { objectMode: false }) as never);
      },
    );
  });
};

const registerOwn: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetCopiaDatos',
    privateCall(tags, 'Cómo va la copia de todos los datos de la empresa', CopiaDatos),
    async ({ session }) => describeDataCopy(deps, session.companyId),
  );

  app.post(
    '/api/PostData/PrepararCopiaDatos',
    {
      schema: {
        tags,
        summary: 'Pide un ZIP con todos los datos de la empresa; se avisa por correo',
        description:
          'Facturas en PDF, registros, envíos a la AEAT y sus respuestas, facturas, líneas, clientes, productos, pagos y actividad en CSV, y los archivos subidos. Sustituye a la copia anterior.',
        security,
        body: ConfirmBody,
        response: { 200: CopiaDatos, ...errors(400, 401, 429) },
      },
    },
    async ({ session, body }) => askDataCopy(deps, session, body?.PasswordActual ?? ''),
  );

  app.post(
    '/api/PostData/EnlaceCopiaDatos',
    {
      schema: {
        tags,
        summary: 'Lo que abre la copia sin sesión: para Copia/Descargar',
        security,
        body: ConfirmBody,
        response: { 200: EnlaceCopia, ...errors(400, 401, 404, 429) },
      },
    },
    async ({ session, body }) => ({
      enlace: await linkOfDataCopy(deps, session, body?.PasswordActual ?? ''),
    }),
  );
};
