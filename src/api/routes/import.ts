import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Empty } from '../../contract/common.ts';
import {
  ColumnasLeidas,
  Correspondencia,
  Importacion,
  ImportExcelAnswer,
  RegistrarBorradoresBody,
  RegistrarTodas,
  SaveDataAnswer,
  SaveDataBody,
} from '../../contract/imports.ts';
import type { Deps } from '../../deps.ts';
import { DomainError } from '../../domain/errors.ts';
import { importTemplate } from '../../operations/import-template.ts';
import {
  commentImport,
  describeImport,
  previewImport,
  type UploadedImport,
} from '../../operations/preview-import.ts';
import { type CarriedRuns, findRun, startRun, stopRun } from '../../operations/register-all.ts';
import { findImport, saveImport } from '../../operations/save-import.ts';
import { guardReadings, sessionGuard } from '../auth.ts';
import { FileField, FORM_OR_JSON, fileOf } from '../forms.ts';
import { acceptIdempotencyKeys, keeperOf } from '../idempotency.ts';
import { errors, privateCall, security } from './schemas.ts';

const tags = ['Importar'];
const FileBody = z.object({
  File: FileField,
  /** JSON of a `Correspondencia`, for a file of another program. */
  Columnas: z.union([z.string().max(50_000), Correspondencia]).optional(),
});

const SAVED_FIELDS = Object.keys(SaveDataBody.shape);

/** 5,000 customers, 5,000 products and 20,000 lines as JSON. */
const SAVE_LIMIT = 32 * 1024 * 1024;

/**
 * `ImportExcel` answers with the same lists in lower case, which may be sent on as they are.
 *
 * @throws {DomainError} if a list is there in both spellings
 */
function spelledRight(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  const entries = Object.entries(body).map(([name, value]) => {
    const right = SAVED_FIELDS.find((field) => field.toLowerCase() === name.toLowerCase()) ?? name;
    if (right !== name && right in body) {
      throw new DomainError('BAD_REQUEST', `El campo «${right}» está dos veces. Deja uno.`);
    }
    return [right, value] as const;
  });
  return Object.fromEntries(entries);
}

/** Includes the signal that this process is ending. */
type ImportDeps = Deps & Pick<CarriedRuns, 'ending'>;

export const importRoutes: FastifyPluginAsyncZod<ImportDeps> = async (app, deps) => {
  await app.register(templateRoute, deps);
  await app.register(registerImport, deps);
};

const templateRoute: FastifyPluginAsyncZod<Deps> = async (app, deps) => {
  guardReadings(app, deps);

  app.get(
    '/api/GetData/GetTemplateExcel',
    privateCall(tags, 'Plantilla oficial, en base64, con las listas de la empresa', z.string()),
    async ({ session }, reply) => {
      const template = await importTemplate(deps, session.companyId);
      return reply.type('application/json').send(template as never);
    },
  );
};

const registerImport: FastifyPluginAsyncZod<ImportDeps> = async (app, deps) => {
  const runs: CarriedRuns = { ending: deps.ending, underWay: new Set() };
  app.addHook('onClose', () => Promise.all(runs.underWay));
  app.addHook('onRequest', sessionGuard(deps));
  acceptIdempotencyKeys(app, deps);

  app.post(
    '/api/PostData/ImportExcel',
    {
      schema: {
        tags,
        summary:
          'Lee la plantilla rellena, o un archivo de otro programa con sus Columnas, y dice qué haría con cada fila; no guarda nada',
        security,
        consumes: FORM_OR_JSON,
        body: FileBody,
        response: { 200: ImportExcelAnswer, ...errors(400, 401, 409, 413, 429) },
      },
    },
    async ({ session, body }, reply) => {
      const json = await previewImport(deps, session.companyId, uploadedImport(body));
      // Already serialized by the thread that read the file: megabytes that are not parsed again here.
      return reply.type('application/json').send(Buffer.from(json.buffer) as never);
    },
  );

  app.post(
    '/api/PostData/LeerColumnas',
    {
      schema: {
        tags,
        summary: 'Qué columnas tiene un archivo de otro programa (.xlsx o .csv) y qué parecen ser',
        security,
        consumes: FORM_OR_JSON,
        body: z.object({ File: FileField }),
        response: { 200: ColumnasLeidas, ...errors(400, 401, 409, 413, 429) },
      },
    },
    async ({ session, body }) => describeImport(deps, session.companyId, uploaded(body.File)),
  );

  app.post(
    '/api/PostData/ImportExcelErrores',
    {
      schema: {
        tags,
        summary: 'El mismo archivo, en base64, con las celdas erróneas comentadas',
        security,
        consumes: FORM_OR_JSON,
        body: FileBody.extend({
          /** Leaves out the correct rows. */
          SoloErrores: z.union([z.boolean(), z.literal(['true', 'false'])]).optional(),
        }),
        response: { 200: z.string(), ...errors(400, 401, 409, 413, 429) },
      },
    },
    async ({ session, body }, reply) => {
      const onlyWrong = String(body.SoloErrores ?? false) === 'true';
      const wanted = { ...uploadedImport(body), onlyWrong };
      const file = await commentImport(deps, session.companyId, wanted);
      return reply.type('application/json').send(JSON.stringify(file) as never);
    },
  );

  app.post(
    '/api/PostData/SaveData',
    {
      bodyLimit: SAVE_LIMIT,
      preValidation: async (request) => {
        request.body = spelledRight(request.body) as typeof request.body;
      },
      schema: {
        tags,
        summary: 'Guarda lo importado, todo o nada; las facturas, como borradores',
        security,
        body: SaveDataBody,
        response: { 200: SaveDataAnswer, ...errors(400, 401, 409, 413, 429) },
      },
    },
    async (request) => saveImport(deps, request.session.companyId, request.body, keeperOf(request)),
  );

  app.get(
    '/api/GetData/GetImportacion',
    privateCall(
      tags,
      'Cómo va lo que se está leyendo, y cómo va, o cómo acabó, lo último que se guardó con SaveData',
      Importacion,
    ),
    async ({ session }) => findImport(deps, session.companyId),
  );

  app.post(
    '/api/PostData/RegistrarTodas',
    {
      schema: {
        tags,
        summary: 'Registra todos los borradores por orden de fecha, en el servidor',
        security,
        response: { 200: RegistrarTodas, ...errors(401, 403) },
      },
    },
    async ({ session }) => startRun(deps, session.companyId, runs),
  );

  app.post(
    '/api/PostData/RegistrarBorradores',
    {
      schema: {
        tags,
        summary:
          'Registra varios borradores, hasta 500, por orden de fecha, en el servidor, como RegistrarTodas',
        security,
        body: RegistrarBorradoresBody,
        response: { 200: RegistrarTodas, ...errors(400, 401, 403, 409) },
      },
    },
    async ({ session, body }) => startRun(deps, session.companyId, runs, body.Nos),
  );

  app.get(
    '/api/GetData/GetRegistrarTodas',
    privateCall(
      tags,
      'Cómo va «Registrar todas», y qué facturas no se registraron y por qué',
      RegistrarTodas,
    ),
    async ({ session }) => findRun(deps, session.companyId),
  );

  app.post(
    '/api/PostData/PararRegistrarTodas',
    privateCall(tags, 'Para «Registrar todas»; lo ya registrado queda registrado', Empty),
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

function uploadedImport({ File, Columnas }: z.infer<typeof FileBody>): UploadedImport {
  const file = uploaded(File);
  if (!Columnas) return { file, correspondencia: null };
  const told = Correspondencia.safeParse(
    typeof Columnas === 'string' ? parsed(Columnas) : Columnas,
  );
  if (!told.success) {
    throw new DomainError(
      'BAD_REQUEST',
      'No se entiende qué columna es cada una. Elígelas de nuevo.',
    );
  }
  return { file, correspondencia: told.data };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
