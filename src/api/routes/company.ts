import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Empty } from '../../contract/common.ts';
import {
  Certificate,
  Configuracion,
  DatosEmpresa,
  DatosEmpresaCambiada,
  DatosSubscripcion,
  DeleteAccountBody,
  ReiniciarContadorBody,
  SetDatosEmpresa1Body,
  SetDatosEmpresa2Body,
  SetDatosEmpresa3Body,
} from '../../contract/company.ts';
import type { Deps } from '../../deps.ts';
import { isoDateIn, zonaOf } from '../../domain/dates.ts';
import { isSubscriptionExpired } from '../../operations/assert-can-invoice.ts';
import { changeAccount, confirmAsker } from '../../operations/change-account.ts';
import { changeCompanyData, changeDefaults } from '../../operations/change-company.ts';
import { changePicture } from '../../operations/change-picture.ts';
import { readDatosEmpresa } from '../../operations/company-data.ts';
import { companyOf } from '../../operations/company-of.ts';
import { deleteAccount } from '../../operations/delete-account.ts';
import { certificateOf } from '../../operations/describe-conexion.ts';
import { replaceCertificate } from '../../operations/replace-certificate.ts';
import { restartCounter } from '../../operations/restart-counter.ts';
import { findMaintenance } from '../../store/app-settings.ts';
import { type CertificateDetails, findCertificateDetails } from '../../store/certificates.ts';
import type { Company } from '../../store/companies.ts';
import { findCompanyPicture } from '../../store/company-pictures.ts';
import { guardReadings, sessionGuard } from '../auth.ts';
import { inTurn } from '../company-turns.ts';
import { FileField, FORM_OR_JSON, fileOf } from '../forms.ts';
import { acceptIdempotencyKeys } from '../idempotency.ts';
import { signToken } from '../tokens.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Empresa'];

/** A picture of 2 MB in base64, with its quotes. */
const PICTURE_BODY_BYTES = 3 * 1024 * 1024;

export const companyRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetConfiguracion',
    {
      schema: {
        tags,
        summary: 'Datos del proveedor, enlaces y versión (pública)',
        response: { 200: Configuracion },
      },
    },
    async () => configuracionBody(deps),
  );

  await app.register(async (own) => {
    guardReadings(own, deps);
    own.addHook('preHandler', inTurn);
    await registerReads(own, deps);
  });
  await app.register(async (own) => {
    own.addHook('onRequest', sessionGuard(deps));
    await registerAccountWrites(own, deps);
    await own.register(async (writes) => {
      acceptIdempotencyKeys(writes, deps);
      await registerWrites(writes, deps);
    });
  });
};

const registerReads: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.get(
    '/api/GetData/GetDatosEmpresa',
    privateCall(tags, 'Datos de la empresa', DatosEmpresa),
    async ({ session }) => readDatosEmpresa(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetCompanyPicture',
    privateCall(tags, 'Logotipo, PNG en base64 o vacío', z.string()),
    async ({ session }, reply) => {
      const png = await findCompanyPicture(deps.sql, session.companyId);
      return sendText(reply, png?.toString('base64') ?? '');
    },
  );

  app.get(
    '/api/GetData/GetCertificate',
    privateCall(tags, 'Certificado cargado, sin su clave', Certificate),
    async ({ session }) =>
      certificateBody(deps, session.companyId, await certificateOf(deps.sql, session.companyId)),
  );

  app.get(
    '/api/GetData/GetDatosSubscripcion',
    privateCall(tags, 'Suscripción', DatosSubscripcion),
    async ({ session }) => {
      const company = await companyOf(deps, session.companyId);
      return {
        type: company.subscriptionType,
        enabled: !isSubscriptionExpired(company, deps.clock()),
        expirationdate: dayOf(company, company.subscriptionEndsAt),
      };
    },
  );

  app.get(
    '/api/GetData/GetSubscriptionExpired',
    privateCall(tags, 'Si la suscripción ha caducado', z.boolean()),
    async ({ session }) =>
      isSubscriptionExpired(await companyOf(deps, session.companyId), deps.clock()),
  );

  app.get(
    '/api/GetData/GetDataBaseDemo',
    privateCall(tags, 'Si los datos son de una demo', z.boolean()),
    async ({ session }) => (await companyOf(deps, session.companyId)).subscriptionType === 'Demo',
  );

  app.get(
    '/api/GetData/GetEnableMantenimiento',
    privateCall(tags, 'Si hay un aviso de mantenimiento', z.boolean()),
    async () => (await findMaintenance(deps.sql)).enabled,
  );

  app.get(
    '/api/GetData/GetTextMantenimiento',
    privateCall(tags, 'Texto del aviso de mantenimiento', z.string()),
    async (_request, reply) => sendText(reply, (await findMaintenance(deps.sql)).text),
  );
};

/** A repeat would find another session, or none, so the answers of these calls are not kept. */
const registerAccountWrites: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.post(
    '/api/PostData/SetDatosEmpresa1',
    {
      schema: {
        tags,
        summary: 'Cambia el correo o la contraseña; ambos cierran las sesiones abiertas',
        security,
        consumes: FORM_OR_JSON,
        body: SetDatosEmpresa1Body,
        response: {
          200: z.object({ tokenJWT: z.string().optional() }),
          ...errors(400, 401, 409, 429),
        },
      },
    },
    async ({ session, body, headers }) => {
      const opened = await changeAccount(deps, session, {
        email: body.Email,
        newPassword: body.Password,
        currentPassword: body.PasswordActual,
        userAgent: headers['user-agent'] ?? '',
      });
      return opened ? { tokenJWT: await signToken(deps, opened) } : {};
    },
  );

  app.post(
    '/api/PostData/DeleteAccount',
    {
      schema: {
        tags,
        summary: 'Elimina la cuenta; lo registrado queda bloqueado el tiempo que manda la ley',
        security,
        body: DeleteAccountBody,
        response: { 200: Empty, ...errors(400, 401, 409, 429) },
      },
    },
    async ({ session, body }, reply) => {
      await deleteAccount(deps, session, body?.PasswordActual ?? '');
      // Copies of drafts, half-typed forms, the logo.
      reply.header('clear-site-data', '"cache", "storage"');
      return {};
    },
  );
};

const registerWrites: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.post(
    '/api/PostData/SetDatosEmpresa2',
    {
      schema: {
        tags,
        summary: 'Cambia los datos que salen en las facturas',
        security,
        consumes: FORM_OR_JSON,
        body: SetDatosEmpresa2Body,
        response: { 200: DatosEmpresaCambiada, ...errors(400, 401, 409, 429) },
      },
    },
    async ({ session, body }) => {
      const message = await changeCompanyData(deps, session.companyId, body);
      const datos = await readDatosEmpresa(deps, session.companyId);
      return { ...datos, ...(message !== null && { message }) };
    },
  );

  app.post(
    '/api/PostData/SetDatosEmpresa3',
    {
      schema: {
        tags,
        summary: 'Cambia los datos de facturación por defecto',
        security,
        consumes: FORM_OR_JSON,
        body: SetDatosEmpresa3Body,
        response: { 200: DatosEmpresa, ...errors(400, 401, 404) },
      },
    },
    async ({ session, body }) => {
      await changeDefaults(deps, session.companyId, body);
      return readDatosEmpresa(deps, session.companyId);
    },
  );

  app.post(
    '/api/PostData/reiniciarContador',
    {
      schema: {
        tags,
        summary: 'Empieza las seis series con otro número',
        security,
        consumes: FORM_OR_JSON,
        body: ReiniciarContadorBody,
        response: { 200: DatosEmpresa, ...errors(400, 401, 409, 429) },
      },
    },
    async ({ session, body }) => {
      await confirmAsker(deps, session, body.PasswordActual);
      await restartCounter(deps, session.companyId, body.NoSerie);
      return readDatosEmpresa(deps, session.companyId);
    },
  );

  app.post(
    '/api/PostData/SetCompanyPicture',
    {
      bodyLimit: PICTURE_BODY_BYTES,
      schema: {
        tags,
        summary: 'Cambia el logotipo: PNG o JPG en base64, o vacío para quitarlo',
        security,
        body: z.string(),
        response: { 200: Empty, ...errors(400, 401, 413, 415, 429) },
      },
    },
    async ({ session, body }) => {
      await changePicture(deps, session.companyId, body);
      return {};
    },
  );

  app.post(
    '/api/PostData/UpdateCertificate',
    {
      schema: {
        tags,
        summary: 'Carga el certificado digital (PKCS#12) con su contraseña',
        security,
        consumes: FORM_OR_JSON,
        body: z.object({
          Certificate: FileField,
          Password: z.string().max(200).default(''),
          /** Ours, optional, as in `SetDatosEmpresa1`. */
          PasswordActual: z.string().max(1000).default(''),
        }),
        response: { 200: Certificate, ...errors(400, 401, 413, 429) },
      },
    },
    async ({ session, body }) => {
      const file = fileOf(body.Certificate, 'certificado.p12');
      await confirmAsker(deps, session, body.PasswordActual);
      await replaceCertificate(deps, session.companyId, file, body.Password);
      const stored = await findCertificateDetails(deps.sql, session.companyId);
      return certificateBody(deps, session.companyId, stored);
    },
  );
};

/** A JSON string as the whole answer: Fastify would send bare text. */
function sendText(reply: FastifyReply, text: string) {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(text));
}

/** The day at that instant where the company is. */
const dayOf = ({ postCode, countryCode }: Company, instant: Date): string =>
  isoDateIn(instant, zonaOf(postCode, countryCode));

async function certificateBody(
  deps: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  certificate: CertificateDetails | null,
): Promise<z.infer<typeof Certificate>> {
  if (!certificate) return { hasValue: false };
  const company = await companyOf(deps, companyId);
  return {
    hasValue: true,
    FileName: certificate.fileName,
    titular: certificate.titular,
    nif: certificate.nif,
    emisor: certificate.emisor,
    validoDesde: dayOf(company, certificate.validoDesde),
    validoHasta: dayOf(company, certificate.validoHasta),
    caducado: certificate.validoHasta <= deps.clock(),
    tipo: certificate.tipo,
  };
}

function configuracionBody({ config }: Pick<Deps, 'config'>): Configuracion {
  return {
    version: config.version,
    entornoAEAT: config.aeat.entorno,
    desarrollo: config.servesDevelopment,
    sistema: {
      nombre: config.sistemaInformatico.NombreSistemaInformatico,
      identificador: config.sistemaInformatico.IdSistemaInformatico,
    },
    empresa: { ...config.empresa },
    enlaces: { ...config.enlaces },
  };
}
