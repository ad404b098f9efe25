import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ErrorBody } from '../contract/common.ts';
import { idempotencyKeyHeader } from './idempotency.ts';

/** What each status means, wherever the schema of an answer does not describe it. */
export const MEANINGS: Readonly<Record<string, string>> = {
  200: 'Hecho',
  400: 'Datos que no valen',
  401: 'Sin sesión',
  403: 'Falta el certificado o la suscripción ha caducado',
  404: 'No existe',
  409: 'El estado no lo permite',
  413: 'Demasiado grande',
  415: 'Contenido que no se admite',
  429: 'Demasiadas veces',
  503: 'No disponible ahora',
};

/** Description that @fastify/swagger gives to an answer without one. */
const NO_DESCRIPTION = 'Default Response';

/**
 * What any call may answer besides the answers of its own, because it is refused before anybody looks at what it asks
 * for: an unreadable or too large body, a content type that is not taken, a database that is away.
 */
const OTHER_ERROR = 'Error';

/** Describes a call by its schemas, and whether it takes `Idempotency-Key`. */
export const describeCall: typeof jsonSchemaTransform = (call) => {
  const { schema, url } = jsonSchemaTransform(call);
  const { keepsAnswers } = call.route.config ?? {};
  return { url, schema: keepsAnswers ? { ...schema, headers: idempotencyKeyHeader } : schema };
};

/** Marks optional bodies as not required although they have a schema, and completes the answers of every call. */
export const describeDocument: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  const { $schema, ...schema } = z.toJSONSchema(ErrorBody);
  openapiObject.components = {
    ...openapiObject.components,
    responses: {
      [OTHER_ERROR]: {
        description: 'Cualquier otro error',
        content: { 'application/json': { schema: schema as object } },
      },
    },
  };
  const operations = Object.values(openapiObject.paths ?? {}).flatMap((path) =>
    [path?.get, path?.post].filter((operation) => operation !== undefined),
  );
  for (const { requestBody, responses = {} } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      if (!answer || !('description' in answer) || answer.description !== NO_DESCRIPTION) continue;
      answer.description = MEANINGS[status] ?? '';
    }
    responses.default = { $ref: `#/components/responses/${OTHER_ERROR}` };
    if (!requestBody || !('content' in requestBody)) continue;
    const [{ schema: body } = {}] = Object.values(requestBody.content);
    requestBody.required = !isOptional(body as BodySchema | undefined);
  }
  return openapiObject;
};

interface BodySchema {
  readonly anyOf?: readonly { readonly type?: string }[];
}

/** A schema that admits null, or anything at all, also admits no body. */
function isOptional(schema: BodySchema = {}): boolean {
  const isAnything = Object.keys(schema).length === 0;
  return isAnything || (schema.anyOf?.some(({ type }) => type === 'null') ?? false);
}
