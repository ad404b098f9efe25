import type { SwaggerTransformObject } from '@fastify/swagger';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { UnexpectedErrorBody } from '../contract/common.ts';
import { answerWords } from './answer-words.ts';
import { type ExampleSchema, exampleAnswer, exampleRequest } from './examples.ts';
import { fieldWords } from './field-words.ts';
import { idempotencyKeyHeader } from './idempotency.ts';
import { errors } from './routes/schemas.ts';

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

const JSON_TYPE = 'application/json';

/** Description that @fastify/swagger gives to an answer without one. */
const NO_DESCRIPTION = 'Default Response';

/**
 * What any call may answer besides the answers of its own, because it is refused before anybody looks at what it asks
 * for: an unreadable or too large body, a content type that is not taken, a database that is away.
 */
const OTHER_ERROR = 'Error';

/**
 * Describes a call by its schemas, and whether it takes `Idempotency-Key`: it then also refuses a key that is too long,
 * in use, or used before for something else.
 */
export const describeCall: typeof jsonSchemaTransform = (call) => {
  if (!call.route.config?.keepsAnswers) return jsonSchemaTransform(call);
  const response = { ...errors(400, 409), ...(call.schema.response as object) };
  const { schema, url } = jsonSchemaTransform({ ...call, schema: { ...call.schema, response } });
  return { url, schema: { ...schema, headers: idempotencyKeyHeader } };
};

/**
 * Marks optional bodies as not required although they have a schema, describes the fields that are sent and answered,
 * gives an example of both, and completes the answers of every call.
 */
export const describeDocument: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  const { $schema, ...schema } = z.toJSONSchema(UnexpectedErrorBody);
  describeAnswer(OTHER_ERROR, schema as BodySchema);
  openapiObject.components = {
    ...openapiObject.components,
    responses: {
      [OTHER_ERROR]: {
        description: 'Cualquier otro error',
        content: { 'application/json': { schema: schema as object } },
      },
    },
  };
  const operations = Object.entries(openapiObject.paths ?? {}).flatMap(([path, methods]) =>
    [methods?.get, methods?.post].flatMap((operation) =>
      operation ? [{ ...operation, call: path.slice(path.lastIndexOf('/') + 1) }] : [],
    ),
  );
  for (const { call, parameters = [], requestBody, responses = {} } of operations) {
    for (const parameter of parameters) {
      if ('name' in parameter) describe(parameter, call, parameter.name);
    }
    describeAnswers(call, responses);
    describeRequest(call, requestBody);
  }
  return openapiObject;
};

type Described = Extract<Parameters<SwaggerTransformObject>[0], { openapiObject: unknown }>;
type Paths = NonNullable<Described['openapiObject']['paths']>;
type Operation = NonNullable<NonNullable<Paths[string]>['post']>;

function describeAnswers(call: string, responses: NonNullable<Operation['responses']>): void {
  for (const [status, answer] of Object.entries(responses)) {
    if (!answer || !('description' in answer)) continue;
    if (answer.description === NO_DESCRIPTION) answer.description = MEANINGS[status] ?? '';
    if (!status.startsWith('2')) continue;
    for (const { schema } of Object.values(answer.content ?? {})) {
      describeAnswer(call, schema as BodySchema | undefined);
    }
    exemplify(answer.content?.[JSON_TYPE], (schema) => exampleAnswer(call, schema));
  }
  responses.default = { $ref: `#/components/responses/${OTHER_ERROR}` };
}

function describeRequest(call: string, requestBody: Operation['requestBody']): void {
  if (!requestBody || !('content' in requestBody)) return;
  for (const { schema } of Object.values(requestBody.content)) {
    describeFields(call, schema as BodySchema | undefined);
  }
  exemplify(requestBody.content[JSON_TYPE], (schema) => exampleRequest(call, schema));
  const [{ schema: body } = {}] = Object.values(requestBody.content);
  requestBody.required = !isOptional(body as BodySchema | undefined);
}

interface BodySchema {
  description?: string;
  readonly type?: string;
  readonly anyOf?: readonly BodySchema[];
  readonly items?: BodySchema;
  readonly additionalProperties?: BodySchema | boolean;
  readonly properties?: Readonly<Record<string, BodySchema>>;
}

interface Content {
  schema?: unknown;
  example?: unknown;
}

function exemplify(content: Content | undefined, make: (schema: ExampleSchema) => unknown): void {
  if (!content?.schema) return;
  const example = make(content.schema as ExampleSchema);
  if (example !== undefined) content.example = example;
}

/** Describes the fields of a body, at any depth. */
function describeFields(call: string, schema: BodySchema = {}): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    describe(field, call, name);
    describeFields(call, field);
  }
  for (const inner of [schema.items ?? [], schema.anyOf ?? []].flat()) describeFields(call, inner);
}

/** Describes the fields of an answer, at any depth: by what they are in. */
function describeAnswer(holder: string, schema: BodySchema = {}): void {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const words = answerWords(holder, name);
    if (words !== undefined) field.description = words;
    describeAnswer(name, field);
  }
  for (const inner of answersWithin(schema)) describeAnswer(holder, inner);
}

function answersWithin({ items, anyOf = [], additionalProperties }: BodySchema): BodySchema[] {
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return [...(items ? [items] : []), ...anyOf, ...values];
}

function describe(field: { description?: string }, call: string, name: string): void {
  const words = fieldWords(call, name);
  if (words !== undefined) field.description = words;
}

/** A schema that admits null, or anything at all, also admits no body. */
function isOptional(schema: BodySchema = {}): boolean {
  const isAnything = Object.keys(schema).length === 0;
  return isAnything || (schema.anyOf?.some(({ type }) => type === 'null') ?? false);
}
