import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ByNo } from '../../contract/common.ts';
import {
  ExtraerFacturaAnswer,
  LecturaAnswer,
  LecturaQuery,
  PaginaQuery,
  SubidasAnswer,
} from '../../contract/reading.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { readInvoice } from '../../operations/read-invoice.ts';
import {
  findReading,
  findUpload,
  findUploadPage,
  listUploadedDrafts,
} from '../../store/uploads.ts';
import { sessionGuard } from '../auth.ts';
import { FileField, FORM_OR_JSON, fileOf } from '../forms.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { euros } from '../presenters.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Facturas'];
/** Most drafts of files that are listed; the others are among the pending ones. */
const LISTED = 20;
/** Ten megabytes as base64, for clients that send the file in JSON. */
const JSON_LIMIT = 14 * 1024 * 1024;

/** Reading an uploaded invoice, and its original. */
export const readingRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/ExtraerFactura',
    {
      bodyLimit: JSON_LIMIT,
      schema: {
        tags,
        security,
        summary: 'Lee una factura en PDF, JPG o PNG y propone su borrador; no guarda el borrador',
        description:
          'Lo que se imprime al 0 % vuelve sin impuesto (`tax` vacío) y con un aviso: si es exento, no sujeto o de otra clase lo dice una persona. Los archivos que no son de una factura registrada ocupan como mucho 1.024 MB por empresa, con sus páginas; 200 MB en una demo. Con más responde 429.',
        consumes: FORM_OR_JSON,
        body: z.object({ File: FileField }),
        response: { 200: ExtraerFacturaAnswer, ...errors(400, 401, 409, 413, 429) },
      },
    },
    async (request) => {
      const file = fileOf(request.body.File, 'factura');
      if (!file) throw new DomainError('BAD_REQUEST', 'Elige la factura: un PDF, un JPG o un PNG.');
      return readInvoice(deps, request.session.companyId, file, keeperOf(request));
    },
  );

  app.get(
    '/api/GetData/GetLectura',
    {
      schema: {
        tags,
        security,
        summary: 'Lo que se leyó de un original, y cuántas páginas tiene',
        querystring: LecturaQuery,
        response: { 200: LecturaAnswer, ...errors(400, 401, 404) },
      },
    },
    async ({ session, query: { archivo } }) => {
      const found = await findReading(deps.sql, session.companyId, archivo);
      if (!found) throw new DomainError('NOT_FOUND', 'No existe ese archivo.');
      return {
        archivo,
        nombre: found.fileName,
        campos: found.campos,
        avisos: [...found.avisos],
        paginas: found.pages.map(({ width, height }) => ({ ancho: width, alto: height })),
      };
    },
  );

  app.get(
    '/api/GetData/GetSubidas',
    privateCall(
      tags,
      'Borradores leídos de un archivo y aún por registrar, el último primero',
      SubidasAnswer,
    ),
    async ({ session }) => {
      const drafts = await listUploadedDrafts(deps.sql, session.companyId, LISTED + 1);
      return {
        subidas: drafts.slice(0, LISTED).map((draft) => ({
          DocNo: draft.docNo,
          nombre: draft.fileName,
          cliente: draft.customerName,
          total: euros(draft.total),
          subida: draft.uploadedAt.toISOString(),
        })),
        hayMas: drafts.length > LISTED,
      };
    },
  );

  app.get(
    '/api/GetData/GetPaginaLeida',
    {
      schema: {
        tags,
        security,
        summary: 'Una página de un original, como imagen WebP',
        querystring: PaginaQuery,
        response: {
          200: {
            description: 'La imagen',
            content: { 'image/webp': { schema: FileField } },
          },
          ...errors(400, 401, 404),
        },
      },
    },
    async ({ session, query: { archivo, pagina } }, reply) => {
      const page = await findUploadPage(deps.sql, session.companyId, { id: archivo, page: pagina });
      if (!page) throw new DomainError('NOT_FOUND', 'No existe esa página.');
      return reply.type('image/webp').send(page as never);
    },
  );

  app.post(
    '/api/PostData/GetOriginal',
    {
      schema: {
        tags,
        security,
        summary: 'El archivo del que se leyó una factura, como se subió',
        body: ByNo,
        response: {
          200: {
            description: 'El archivo',
            content: {
              'application/pdf': { schema: FileField },
              'image/jpeg': { schema: FileField },
              'image/png': { schema: FileField },
            },
          },
          ...errors(400, 401, 404),
        },
      },
    },
    async ({ session, body }, reply) => {
      const upload = await findUpload(deps.sql, session.companyId, body.No);
      if (!upload)
        throw new DomainError('NOT_FOUND', `No existe el original de la factura ${body.No}.`);
      const name = encodeURIComponent(upload.fileName);
      return reply
        .type(upload.mediaType)
        .header('content-disposition', `attachment; filename*=UTF-8''${name}`)
        .send(upload.content as never);
    },
  );
};
