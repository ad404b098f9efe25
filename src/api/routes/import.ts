import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Empty, ErrorBody } from '../../contract/common.ts';
import {
  ImportExcelAnswer,
  RegistrarTodas,
  SaveDataAnswer,
  SaveDataBody,
} from '../../contract/imports.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { importTemplate } from '../../operations/import-template.ts';
import { commentImport, previewImport } from '../../operations/preview-import.ts';
import { findRun, startRun, stopRun } from '../../operations/register-all.ts';
import { saveImport } from '../../operations/save-import.ts';
import { sessionGuard } from '../auth.ts';
import { FileField, fileOf } from '../forms.ts';
import { acceptIdempotencyKeys } from '../idempotency.ts';

const security = [{ sesion: [] }];
const tags = ['Importar'];
const FileBody = z.object({ File: FileField });

/** 5,000 customers, 5,000 products and 20,000 lines as JSON. */
const SAVE_LIMIT = 32 * 1024 * 1024;

export const importRoutes: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.get(
    '/api/GetData/GetTemplateExcel',
    {
      schema: {
        tags,
        summary: 'Plantilla oficial, en base64, con las listas de la empresa',
        security,
        response: { 200: z.string(), 401: ErrorBody },
      },
    },
    async ({ session }, reply) => {
      const template = await importTemplate(deps, session.companyId);
      // A bare string would go out as text.
      return reply.type('application/json').send(JSON.stringify(template) as never);
    },
  );

  app.post(
    '/api/PostData/ImportExcel',
    {
      schema: {
        tags,
        summary: 'Lee la plantilla rellena y dice qué haría con cada fila; no guarda nada',
        security,
        consumes: ['multipart/form-data', 'application/json'],
        body: FileBody,
        response: {
          200: ImportExcelAnswer,
          400: ErrorBody,
          401: ErrorBody,
          409: ErrorBody,
          429: ErrorBody,
        },
      },
    },
    async ({ session, body }) => previewImport(deps, session.companyId, uploaded(body.File)),
  );

  app.post(
    '/api/PostData/ImportExcelErrores',
    {
      schema: {
        tags,
        summary: 'El mismo archivo, en base64, con las celdas erróneas comentadas',
        security,
        consumes: ['multipart/form-data', 'application/json'],
        body: FileBody,
        response: { 200: z.string(), 400: ErrorBody, 401: ErrorBody, 409: ErrorBody },
      },
    },
    async ({ session, body }, reply) => {
      const file = await commentImport(deps, session.companyId, uploaded(body.File));
      return reply.type('application/json').send(JSON.stringify(file) as never);
    },
  );

  app.post(
    '/api/PostData/SaveData',
    {
      bodyLimit: SAVE_LIMIT,
      schema: {
        tags,
        summary: 'Guarda lo importado, todo o nada; las facturas, como borradores',
        security,
        body: SaveDataBody,
        response: { 200: SaveDataAnswer, 400: ErrorBody, 401: ErrorBody, 409: ErrorBody },
      },
    },
    async ({ session, body }) => saveImport(deps, session.companyId, body),
  );

  app.post(
    '/api/PostData/RegistrarTodas',
    {
      schema: {
        tags,
        summary: 'Registra todos los borradores por orden de fecha, en el servidor',
        security,
        response: { 200: RegistrarTodas, 401: ErrorBody, 403: ErrorBody },
      },
    },
    async ({ session }) => startRun(deps, session.companyId),
  );

  app.get(
    '/api/GetData/GetRegistrarTodas',
    {
      schema: {
        tags,
        summary: 'Cómo va «Registrar todas», y qué facturas no se registraron y por qué',
        security,
        response: { 200: RegistrarTodas, 401: ErrorBody },
      },
    },
    async ({ session }) => findRun(deps, session.companyId),
  );

  app.post(
    '/api/PostData/PararRegistrarTodas',
    {
      schema: {
        tags,
        summary: 'Para «Registrar todas»; lo ya registrado queda registrado',
        security,
        response: { 200: Empty, 401: ErrorBody },
      },
    },
    async ({ session }) => {
      await stopRun(deps, session.companyId);
      return {};
    },
  );
};

function uploaded(value: unknown): Uint8Array {
  const file = fileOf(value);
  if (!file) throw new DomainError('BAD_REQUEST', 'Elige el archivo de la plantilla rellena.');
  return file.data;
}
