import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ByNo, Empty } from '../../contract/common.ts';
import {
  AnularFacturaBody,
  ConexionAEAT,
  DescargarFacturasBody,
  EditInvoice,
  EliminarBorradoresAnswer,
  EliminarBorradoresBody,
  EnviarFacturaAnswer,
  EnviarFacturaBody,
  FacturaElectronicaBody,
  FacturaEmitida,
  FacturasEmitidasQuery,
  InvoiceDetail,
  NuevoEstado,
  SetFacturasAnswer,
  SetFacturasBody,
  ValidarFacturaAnswer,
} from '../../contract/invoices.ts';
import type { Deps } from '../../deps.ts';
import { rationingCustomerMails } from '../../operations/attempts.ts';
import { cancelInvoice } from '../../operations/cancel-invoice.ts';
import { checkDraft } from '../../operations/check-draft.ts';
import { dateDraft } from '../../operations/date-draft.ts';
import { deleteDraft, deletePickedDrafts } from '../../operations/delete-draft.ts';
import { describeConexion } from '../../operations/describe-conexion.ts';
import {
  describeEliminado,
  describeInvoice,
  describeRechazo,
} from '../../operations/describe-invoice.ts';
import { downloadInvoices } from '../../operations/download-invoices.ts';
import { makeElectronicInvoice } from '../../operations/electronic-invoice.ts';
import { giveUpCorrection } from '../../operations/give-up-correction.ts';
import { leaveWithoutEffect } from '../../operations/leave-without-effect.ts';
import { noSuchInvoice } from '../../operations/no-such-invoice.ts';
import { registerInvoice } from '../../operations/register-invoice.ts';
import { downloadInvoice } from '../../operations/render-invoice.ts';
import { retrySending } from '../../operations/retry-sending.ts';
import { saveDraft } from '../../operations/save-draft.ts';
import { sendInvoiceMail } from '../../operations/send-invoice-mail.ts';
import { findAnswer } from '../../store/idempotency.ts';
import { findInvoice } from '../../store/invoices.ts';
import { listIssued } from '../../store/issued-invoices.ts';
import { inScope } from '../../store/row-security.ts';
import { findUploadName } from '../../store/uploads.ts';
import { guardReadings, sessionGuard } from '../auth.ts';
import { inTurn } from '../company-turns.ts';
import { FileField, FORM_OR_JSON } from '../forms.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { checked, editInvoice, facturaEmitida, invoiceRow } from '../presenters.ts';
import { errors, privateCall, security } from './schemas.ts';

const SET_FACTURAS = '/api/PostData/SetFacturas';
/** As many as the form shows while the user types. */
const MAX_FOUND = 50;

/**
 * A PDF in base64 has no repetitions, only characters with six bits of information each: Huffman coding alone
 * recovers the difference at a tenth of the cost of looking for repetitions.
 */
const BASE64 = {
  encodings: ['gzip' as const],
  zlibOptions: { strategy: constants.Z_HUFFMAN_ONLY },
  syncThreshold: 1_000_000, // Characters; faster than using a thread.
};

const tags = ['Facturas'];
const refusals = errors(400, 401, 404, 409);
const refusalsToRead = errors(400, 401, 404);

/** The PDF of an invoice. The download is recorded in the transaction that reads it. */
export const invoiceDownloadRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  guardReadings(app, deps, { mayWrite: true });

  app.post(
    '/api/PostData/DownloadInvoice',
    {
      compress: BASE64,
      schema: {
        tags,
        security,
        summary: 'El PDF de una factura, en base64',
        body: ByNo,
        response: { 200: z.string(), ...refusalsToRead },
      },
    },
    async ({ session, body }, reply) => {
      const { pdf } = await downloadInvoice(deps, session.companyId, body.No);
      // A JSON string without characters to be escaped: Fastify would send a bare string as text.
      reply.type('application/json; charset=utf-8').serializer((text) => `"${text}"`);
      return Buffer.from(pdf).toString('base64');
    },
  );
};

/** The invoices of the signed-in company. */
export const invoiceRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));

  app.post(
    '/api/PostData/ReintentarEnvio',
    privateCall(tags, 'Vuelve a enviar cuando la AEAT ha rechazado el envío entero', ConexionAEAT),
    async ({ session }) => {
      await retrySending(deps, session.companyId);
      return describeConexion(deps, session.companyId);
    },
  );

  app.get(
    '/api/GetData/GetFacturasEmitidas',
    {
      schema: {
        tags,
        security,
        summary: 'Facturas registradas que se pueden rectificar o canjear, con sus importes',
        querystring: FacturasEmitidasQuery,
        response: { 200: z.array(FacturaEmitida), ...errors(400, 401) },
      },
    },
    async ({ session, query }) => {
      const numbers = query.numeros?.split(',').map((number) => number.trim()) ?? null;
      const rows = await listIssued(deps.sql, session.companyId, {
        search: query.search,
        numbers,
        only: query.canjeables ? 'exchangeable' : query.completas ? 'complete' : null,
        limit: numbers ? numbers.length : MAX_FOUND,
      });
      return rows.map(facturaEmitida);
    },
  );

  app.post(
    '/api/PostData/ValidarFactura',
    {
      preHandler: inTurn,
      schema: {
        tags,
        security,
        summary: 'Aplica las reglas de la AEAT sin guardar',
        consumes: FORM_OR_JSON,
        body: SetFacturasBody,
        response: { 200: ValidarFacturaAnswer, ...refusals, ...errors(429) },
      },
    },
    async ({ session, body }) => checked(await checkDraft(deps, session.companyId, body)),
  );

  app.post(
    '/api/PostData/GetEditInvoice',
    {
      schema: {
        tags,
        security,
        summary: 'Los campos de una factura para abrirla en el formulario',
        body: ByNo,
        response: { 200: EditInvoice, ...refusalsToRead },
      },
    },
    async ({ session, body }) => {
      const [invoice, original] = await Promise.all([
        findInvoice(deps.sql, session.companyId, body.No),
        findUploadName(deps.sql, session.companyId, body.No),
      ]);
      if (!invoice) throw noSuchInvoice(body.No);
      const [rechazo, eliminado] = await Promise.all([
        describeRechazo(deps, session.companyId, invoice),
        describeEliminado(deps, session.companyId, invoice),
      ]);
      return {
        ...editInvoice(invoice),
        ...rechazo,
        ...eliminado,
        ...(original && { archivo: original.id }),
      };
    },
  );

  app.post(
    '/api/PostData/GetInvoiceDetail',
    {
      schema: {
        tags,
        security,
        summary: 'Una factura con su historia',
        body: ByNo,
        response: { 200: InvoiceDetail, ...refusalsToRead },
      },
    },
    async ({ session, body }) => {
      const { invoice, ...story } = await describeInvoice(deps, session.companyId, body.No);
      // An issued invoice itself says who its client is.
      const eliminado =
        invoice.issued === null ? await describeEliminado(deps, session.companyId, invoice) : {};
      const borrador = { ...editInvoice(invoice), ...eliminado };
      return { ...story, fila: invoiceRow(invoice), borrador };
    },
  );

  app.post(
    '/api/PostData/DescargarFacturas',
    {
      schema: {
        tags,
        security,
        summary: 'Los PDF de varias facturas en un ZIP, hasta 500',
        body: DescargarFacturasBody,
        response: {
          200: { description: 'El ZIP', content: { 'application/zip': { schema: FileField } } },
          ...refusalsToRead,
        },
      },
    },
    async ({ session, body }, reply) => {
      const { fileName, zip } = await downloadInvoices(deps, session.companyId, body.Nos);
      return reply
        .type('application/zip')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Readable.from(inScope(zip), { objectMode: false }));
    },
  );

  app.post(
    '/api/PostData/DescargarFacturaElectronica',
    {
      schema: {
        tags,
        security,
        summary: 'Una factura registrada como Facturae 3.2.2 o UBL 2.1 (EN 16931)',
        description:
          '`facturae` va sin firmar; `facturae-firmada` lleva la firma XAdES-EPES hecha con el certificado de la empresa, salvo las de demostración y las anuladas (409). Lo que el formato no puede decir, o lo que falta para hacerla, responde 400 con una frase por motivo.',
        body: FacturaElectronicaBody,
        response: {
          200: { description: 'El XML', content: { 'application/xml': { schema: FileField } } },
          ...refusals,
          ...errors(403),
        },
      },
    },
    async ({ session, body }, reply) => {
      const { fileName, xml } = await makeElectronicInvoice(deps, session.companyId, body);
      return reply
        .type('application/xml; charset=utf-8')
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .send(Buffer.from(xml));
    },
  );

  await app.register(invoiceWrites, deps);
};

/** Calls that change something: a repeat with the same `Idempotency-Key` gets the first answer. */
const invoiceWrites: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  acceptIdempotencyKeys(app, deps, isRegistering);

  app.post(
    SET_FACTURAS,
    {
      schema: {
        tags,
        security,
        summary: 'Guarda un borrador (0), registra (1) o registra y envía al cliente (2)',
        description:
          'Los textos pueden llevar cualquier letra. En el PDF, las que su letra no tiene se ven como «□» y los emojis no salen: `ValidarFactura` avisa de unas y de otros.',
        headers: z.object({ 'idempotency-key': z.string().min(1).max(200).optional() }),
        consumes: FORM_OR_JSON,
        body: SetFacturasBody,
        response: { 200: SetFacturasAnswer, ...errors(403, 429), ...refusals },
      },
    },
    async (request) => {
      const { session, body, headers } = request;
      const { accionFactura, draftNo: givenNo, version, archivo, ...fields } = body;
      const draftNo = givenNo || undefined;
      const draft = await dateDraft(deps, session.companyId, fields, draftNo);
      if (accionFactura === 0) {
        const keep = keeperOf<SetFacturasAnswer>(request);
        return saveDraft(deps, session.companyId, { draft, draftNo, version, archivo, keep });
      }
      const { companyId } = session;
      const key = headers['idempotency-key'];
      const idempotency = key ? { key, requestHash: hashOf(body) } : undefined;
      const register = () =>
        registerInvoice(deps, companyId, {
          draft,
          draftNo,
          version,
          archivo,
          sendsToCustomer: accionFactura === 2,
          idempotency,
        });
      if (accionFactura !== 2) return register();
      // A repeat sends nothing, so it does not count against the limit.
      const again =
        idempotency && (await findAnswer(deps.sql, { companyId, ...idempotency }, deps.clock()));
      if (again) return again as SetFacturasAnswer;
      return rationingCustomerMails(deps, companyId, register);
    },
  );

  app.post(
    '/api/PostData/AnularFactura',
    {
      schema: {
        tags,
        security,
        summary: 'Anula una factura que nunca debió emitirse',
        body: AnularFacturaBody,
        response: { 200: NuevoEstado, ...errors(403), ...refusals },
      },
    },
    async (request) => {
      const { session, body } = request;
      const asked = { docNo: body.No, motivo: body.motivo };
      return cancelInvoice(deps, session.companyId, asked, keeperOf(request));
    },
  );

  app.post(
    '/api/PostData/DejarFactura',
    {
      schema: {
        tags,
        security,
        summary:
          'Deja una factura como la tiene la AEAT: se renuncia a la corrección o anulación rechazada',
        body: ByNo,
        response: { 200: NuevoEstado, ...errors(403), ...refusals },
      },
    },
    async ({ session, body, log }) => {
      const answer = await giveUpCorrection(deps, session.companyId, body.No);
      log.info({ companyId: session.companyId, DocNo: body.No }, 'a refused correction given up');
      return answer;
    },
  );

  app.post(
    '/api/PostData/DejarSinEfecto',
    {
      schema: {
        tags,
        security,
        summary:
          'Deja sin efecto una factura rechazada porque su número es de otra, hecha con otro programa',
        body: ByNo,
        response: { 200: NuevoEstado, ...errors(403), ...refusals },
      },
    },
    async (request) => {
      const { session, body, log } = request;
      const keep = keeperOf<NuevoEstado>(request);
      const answer = await leaveWithoutEffect(deps, session.companyId, body.No, keep);
      log.info({ companyId: session.companyId, DocNo: body.No }, 'an invoice left without effect');
      return answer;
    },
  );

  app.post(
    '/api/PostData/EnviarFactura',
    {
      schema: {
        tags,
        security,
        summary: 'Envía por correo una factura emitida, a su cliente o a otra dirección',
        body: EnviarFacturaBody,
        response: { 200: EnviarFacturaAnswer, ...errors(429), ...refusals },
      },
    },
    async (request) => {
      const { session, body } = request;
      const asked = { docNo: body.No, email: body.Email };
      const answer = (Email: string) => ({ DocNo: body.No, Email });
      const keep = keeperOf(request, answer);
      return answer(await sendInvoiceMail(deps, session.companyId, asked, keep));
    },
  );

  app.post(
    '/api/PostData/DeleteInvoice',
    {
      schema: {
        tags,
        security,
        summary: 'Elimina un borrador',
        body: ByNo,
        response: { 200: Empty, ...refusals },
      },
    },
    async ({ session, body }) => {
      await deleteDraft(deps, session.companyId, body.No);
      return {};
    },
  );

  app.post(
    '/api/PostData/EliminarBorradores',
    {
      schema: {
        tags,
        security,
        summary: 'Elimina varios borradores, hasta 500; lo que ya no lo sea se queda como está',
        body: EliminarBorradoresBody,
        response: { 200: EliminarBorradoresAnswer, ...errors(400, 401) },
      },
    },
    async ({ session, body }) => ({
      eliminados: await deletePickedDrafts(deps, session.companyId, body.Nos),
    }),
  );
};

/** Registering keeps its answer in the transaction that creates the invoice. */
function isRegistering({ routeOptions, body }: FastifyRequest): boolean {
  if (routeOptions.url !== SET_FACTURAS) return false;
  return (body as SetFacturasBody).accionFactura !== 0;
}

/** Tells a repeat of a call from another call with the same key. */
function hashOf(body: unknown): string {
  return createHash('sha256').update(JSON.stringify(body)).digest('hex');
}
