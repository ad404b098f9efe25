import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  ActivarBusinessCentralBody,
  BusinessCentral,
  BusinessCentralEmpresas,
  BusinessCentralEmpresasBody,
  BusinessCentralIva,
  BusinessCentralProblemas,
  ProbarBusinessCentral,
  SetBusinessCentralBody,
  SetBusinessCentralIvaBody,
  SincronizarBusinessCentralBody,
} from '../../contract/business-central.ts';
import type { Deps, Runtime } from '../../deps.ts';
import {
  disconnectBusinessCentral,
  listBusinessCentralCompanies,
  pauseBusinessCentral,
  saveBusinessCentral,
  switchOnBusinessCentral,
  tryBusinessCentral,
} from '../../operations/connect-business-central.ts';
import {
  describeBusinessCentral,
  describeProblems,
} from '../../operations/describe-business-central.ts';
import { findTaxMapping, saveTaxMapping } from '../../operations/map-business-central-taxes.ts';
import type { Outside } from '../../operations/open-business-central.ts';
import type { ConsultarAeat } from '../../operations/reconcile.ts';
import type { CarriedRuns } from '../../operations/register-all.ts';
import { startSync } from '../../operations/sync-business-central.ts';
import { businessCentralCsv } from '../../operations/write-back-business-central.ts';
import { sessionGuard } from '../auth.ts';
import { FileField } from '../forms.ts';
import { acceptIdempotencyKeys } from '../idempotency.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Business Central'];
const refusals = errors(400, 401, 404, 409);
const outward = { ...refusals, ...errors(429, 503) } as const;

/** The connection of a company with its ERP. */
export const businessCentralRoutes: FastifyPluginAsyncZod<
  Deps & {
    readonly runtime: Runtime;
    readonly consultarAeat: ConsultarAeat;
    /** This process ends. */
    readonly ending: AbortSignal;
  }
> = async (app, deps) => {
  const runs: CarriedRuns = { ending: deps.ending, underWay: new Set() };
  app.addHook('onClose', () => Promise.all(runs.underWay));
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);
  const outside: Outside = {
    get businessCentral() {
      return deps.runtime.businessCentral;
    },
    consultarAeat: deps.consultarAeat,
  };

  app.get(
    '/api/GetData/GetBusinessCentral',
    privateCall(tags, 'Cómo está la conexión y qué ha hecho', BusinessCentral),
    ({ session }) => describeBusinessCentral(deps, session.companyId),
  );

  app.post(
    '/api/PostData/BusinessCentralEmpresas',
    {
      schema: {
        tags,
        security,
        summary: 'Las empresas que esas credenciales abren',
        body: BusinessCentralEmpresasBody,
        response: { 200: BusinessCentralEmpresas, ...outward },
      },
    },
    ({ session, body }) => listBusinessCentralCompanies(deps, outside, session.companyId, body),
  );

  app.post(
    '/api/PostData/SetBusinessCentral',
    {
      schema: {
        tags,
        security,
        summary: 'Guarda la conexión, una vez comprobada',
        body: SetBusinessCentralBody,
        response: { 200: BusinessCentral, ...outward },
      },
    },
    async ({ session, body }) => {
      await saveBusinessCentral(deps, outside, session.companyId, session.email, body);
      return describeBusinessCentral(deps, session.companyId);
    },
  );

  app.post(
    '/api/PostData/ProbarBusinessCentral',
    {
      schema: {
        tags,
        security,
        summary: 'Recorre lo que hará falta y dice qué falla',
        response: { 200: ProbarBusinessCentral, ...outward },
      },
    },
    ({ session }) => tryBusinessCentral(deps, outside, session.companyId),
  );

  app.post(
    '/api/PostData/ActivarBusinessCentral',
    {
      schema: {
        tags,
        security,
        summary: 'La activa; la primera vez, diciendo que VERI*FACTU está apagado allí',
        body: ActivarBusinessCentralBody,
        response: { 200: BusinessCentral, ...refusals },
      },
    },
    async ({ session, body }) => {
      const { companyId, email } = session;
      await switchOnBusinessCentral(deps, companyId, {
        who: email,
        saysItIsOff: body.verifactuApagado,
      });
      await startSync(deps, outside, companyId, { retries: false }, runs);
      return describeBusinessCentral(deps, companyId);
    },
  );

  app.post(
    '/api/PostData/PausarBusinessCentral',
    {
      schema: {
        tags,
        security,
        summary: 'No trae nada más hasta que se active',
        response: { 200: BusinessCentral, ...refusals },
      },
    },
    async ({ session }) => {
      await pauseBusinessCentral(deps, session.companyId, session.email);
      return describeBusinessCentral(deps, session.companyId);
    },
  );

  app.post(
    '/api/PostData/DesconectarBusinessCentral',
    privateCall(
      tags,
      'Olvida la conexión y destruye su secreto; lo traído se queda',
      BusinessCentral,
    ),
    async ({ session }) => {
      await disconnectBusinessCentral(deps, session.companyId, session.email);
      return describeBusinessCentral(deps, session.companyId);
    },
  );

  app.post(
    '/api/PostData/SincronizarBusinessCentral',
    {
      schema: {
        tags,
        security,
        summary: 'Trae ahora lo que haya cambiado; puede reintentar lo retenido',
        body: SincronizarBusinessCentralBody,
        response: { 200: BusinessCentral, ...refusals },
      },
    },
    async ({ session, body }) => {
      await startSync(deps, outside, session.companyId, { retries: body.reintentar }, runs);
      return describeBusinessCentral(deps, session.companyId);
    },
  );

  app.get(
    '/api/GetData/GetBusinessCentralIVA',
    privateCall(tags, 'A qué IVA corresponde cada código, con propuestas', BusinessCentralIva),
    ({ session }) => findTaxMapping(deps, session.companyId),
  );

  app.post(
    '/api/PostData/SetBusinessCentralIVA',
    {
      schema: {
        tags,
        security,
        summary: 'Recuerda a qué IVA corresponde cada código',
        body: SetBusinessCentralIvaBody,
        response: { 200: BusinessCentralIva, ...refusals },
      },
    },
    async ({ session, body }) => {
      await saveTaxMapping(deps, session.companyId, body);
      return findTaxMapping(deps, session.companyId);
    },
  );

  app.get(
    '/api/GetData/GetBusinessCentralProblemas',
    privateCall(
      tags,
      'Qué no ha venido o no se ha registrado, y por qué',
      BusinessCentralProblemas,
    ),
    ({ session }) => describeProblems(deps, session.companyId),
  );

  app.get(
    '/api/GetData/BusinessCentralCSV',
    {
      schema: {
        tags,
        security,
        summary: 'Lo traído, con su número, estado, huella, CSV y QR',
        response: {
          200: { description: 'El CSV', content: { 'text/csv': { schema: FileField } } },
          ...errors(401),
        },
      },
    },
    async ({ session }, reply) =>
      reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="business-central.csv"')
        .send(Readable.from(businessCentralCsv(deps, session.companyId), { objectMode: false })),
  );
};
