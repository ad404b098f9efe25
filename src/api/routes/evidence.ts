import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ConciliarRegistrosAnswer,
  ConciliarRegistrosBody,
  ConciliarRegistrosPaso,
  ExportarRegistrosQuery,
  InstalacionAnswer,
  NuevaInstalacionAnswer,
  NuevaInstalacionBody,
  VerificarCadenaAnswer,
  VerificarCadenaPaso,
} from '../../contract/evidence.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { assertMayTry, RECONCILES } from '../../operations/attempts.ts';
import { confirmAsker } from '../../operations/change-account.ts';
import { exportRegistros } from '../../operations/export-registros.ts';
import { type ConsultarAeat, reconcile, watchReconcile } from '../../operations/reconcile.ts';
import { startNewInstallation } from '../../operations/start-installation.ts';
import { verifyCadena, watchCadena } from '../../operations/verify-cadena.ts';
import { findCompany } from '../../store/companies.ts';
import { inScope } from '../../store/row-security.ts';
import { sessionGuard } from '../auth.ts';
import { FileField } from '../forms.ts';
import { acceptIdempotencyKeys } from '../idempotency.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Registros y evidencias'];

const NDJSON = 'application/x-ndjson';

async function* linesOf(
  steps: AsyncIterable<VerificarCadenaPaso | ConciliarRegistrosPaso>,
): AsyncGenerator<string> {
  for await (const step of steps) yield `${JSON.stringify(step)}\n`;
}

/** The status has been sent with the first step, so a later refusal is the last line. */
async function* withRefusal(
  first: ConciliarRegistrosPaso,
  rest: AsyncIterable<ConciliarRegistrosPaso>,
): AsyncGenerator<ConciliarRegistrosPaso> {
  let last = first;
  yield first;
  try {
    for await (const step of rest) {
      last = step;
      yield step;
    }
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    yield { ...last, message: error.message };
  }
}

function sendLines(reply: FastifyReply, lines: AsyncIterable<string>) {
  return reply
    .type(NDJSON)
    .header('cache-control', 'no-store')
    .header('x-accel-buffering', 'no') // A proxy that buffers the answer would show no progress.
    .send(Readable.from(inScope(lines), { objectMode: false }) as never);
}

/** Evidence of what a company registered. */
export const evidenceRoutes: FastifyPluginAsyncZod<
  Deps & { readonly consultarAeat: ConsultarAeat }
> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.get(
    '/api/GetData/GetInstalacion',
    privateCall(tags, 'El número de instalación de la empresa', InstalacionAnswer),
    async ({ session }) => {
      const company = await findCompany(deps.sql, session.companyId);
      return { numeroInstalacion: company?.numeroInstalacion ?? '' };
    },
  );

  app.get(
    '/api/GetData/VerificarCadena',
    {
      schema: {
        tags,
        security,
        summary: 'Comprueba la huella y el enlace de todos los registros de la empresa',
        description:
          'Con `Accept: application/x-ndjson` responde línea a línea cuántos registros lleva y, en la última, el resultado. Cortar la conexión lo detiene.',
        response: {
          200: {
            description: 'El resultado',
            content: {
              'application/json': { schema: VerificarCadenaAnswer },
              [NDJSON]: { schema: VerificarCadenaPaso },
            },
          },
          ...errors(401),
        },
      },
    },
    async ({ session, headers }, reply) => {
      if (!headers.accept?.includes(NDJSON)) return verifyCadena(deps, session.companyId);
      return sendLines(reply, linesOf(watchCadena(deps, session.companyId)));
    },
  );

  app.get(
    '/api/GetData/ExportarRegistros',
    {
      schema: {
        tags,
        security,
        summary: 'Un ZIP con los registros, las respuestas de la AEAT y un manifiesto',
        description: 'La cabecera `X-Registros` dice cuántos registros lleva: puede ser ninguno.',
        querystring: ExportarRegistrosQuery,
        response: {
          200: {
            description: 'El ZIP',
            content: { 'application/zip': { schema: FileField } },
          },
          ...errors(400, 401, 429),
        },
      },
    },
    async ({ session, query }, reply) => {
      const { fileName, registros, zip } = await exportRegistros(deps, session.companyId, query);
      return reply
        .type('application/zip')
        .header('x-registros', String(registros))
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(zip, { objectMode: false }));
    },
  );

  app.post(
    '/api/PostData/ConciliarRegistros',
    {
      schema: {
        tags,
        security,
        summary: 'Compara los registros de un mes con los que tiene la AEAT',
        description:
          'Treinta meses por hora y empresa; con más responde 429. Con `Accept: application/x-ndjson` responde línea a línea cuántas facturas ha dado la AEAT y, en la última, el resultado o por qué no se le ha podido preguntar. Cortar la conexión lo detiene.',
        body: ConciliarRegistrosBody,
        response: {
          200: {
            description: 'El resultado',
            content: {
              'application/json': { schema: ConciliarRegistrosAnswer },
              [NDJSON]: { schema: ConciliarRegistrosPaso },
            },
          },
          ...errors(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ session, body, headers, signal }, reply) => {
      await assertMayTry(deps, `conciliar:${session.companyId}`, RECONCILES);
      const question = [deps, deps.consultarAeat, session.companyId, body, signal] as const;
      if (!headers.accept?.includes(NDJSON)) return reconcile(...question);
      const steps = watchReconcile(...question);
      const first = await steps.next();
      if (first.done) throw new Error('It ended without a step.');
      return sendLines(reply, linesOf(withRefusal(first.value, steps)));
    },
  );

  app.post(
    '/api/PostData/NuevaInstalacion',
    {
      schema: {
        tags,
        security,
        summary: 'Empieza una instalación nueva cuando se han perdido registros para siempre',
        description:
          'Solo cuando la AEAT tiene registros de esta instalación que aquí faltan. Los números que ella tiene no se vuelven a usar.',
        body: NuevaInstalacionBody,
        response: { 200: NuevaInstalacionAnswer, ...errors(400, 401, 403, 409, 429, 503) },
      },
    },
    async ({ session, body, signal }) => {
      await confirmAsker(deps, session, body.PasswordActual);
      return startNewInstallation(deps, deps.consultarAeat, session.companyId, signal);
    },
  );
};
