import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ANSWER_WORDS, answerWords } from '../../src/api/answer-words.ts';
import { FIELD_WORDS, fieldWords } from '../../src/api/field-words.ts';
import type { Cobros } from '../../src/contract/cobros.ts';
import { truncatedAddress } from '../../src/domain/device.ts';
import { isDraftName } from '../../src/domain/series.ts';
import { originOf } from '../../src/domain/verifactu/sistema.ts';
import {
  type CallAnswer,
  type CallName,
  type CallStage,
  openCallStage,
  type Payload,
} from './call-stage.ts';
import { CALLS, type CallCase } from './calls.ts';

const CERTIFICATE = 'Se necesita cargar el certificado digital para poder acceder.';
const EXPIRED = 'La subscripción ha caducado, renueva tu subscripcion desde el panel de perfil.';

let stage: CallStage;
beforeAll(async () => {
  stage = await openCallStage();
});
afterAll(() => stage.close());
afterEach(() => stage.forgetRates());

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly schema: object;
  }[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<
      Record<string, { schema: { properties?: Record<string, unknown> } } | undefined>
    >;
  };
}

let described: Promise<Map<string, Operation>> | null = null;

function openApi(): Promise<Map<string, Operation>> {
  described ??= readOpenApi();
  return described;
}

async function readOpenApi(): Promise<Map<string, Operation>> {
  const { body } = await stage.send('GET /api/openapi.json' as CallName);
  const { openapi, paths } = body as {
    openapi: string;
    paths: Record<string, Record<string, Operation>>;
  };
  expect(openapi).toMatch(/^3\.1\./);
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    ),
  );
}

const sentences = (body: unknown): string[] => {
  const { message, errores = [] } = body as { message?: string | string[]; errores?: string[] };
  return [message ?? [], errores].flat();
};

/** Forms; they take JSON as well. */
const SENT_AS_FORM =
  /\/(ValidacionesCreacion|NewRegisterDemo|SetFacturas|ValidarFactura|(Set|Update)Clientes|(Set|Update)Productos|sendMailSupport|UpdateCertificate|SetDatosEmpresa[123]|reiniciarContador|ImportExcel|LeerColumnas|ExtraerFactura)$/;

function refusalHasMessage(answer: unknown): boolean {
  const { content } = answer as {
    content?: Record<string, { schema: { required?: readonly string[] } }>;
  };
  return Object.values(content ?? {}).some(({ schema }) => schema.required?.includes('message'));
}

describe.each(CALLS)('$call', (given: CallCase) => {
  const { call, fields, isPublic, send, as, answers, byNo, isGated, refuses = [] } = given;
  const payload = async (make = send) => (await make?.(stage)) ?? {};

  /** Checks that the status of any answer is one of those in the OpenAPI. */
  async function ask(sent: Payload, token?: string): Promise<CallAnswer> {
    const answer = await stage.send(call, sent, token);
    expect(Object.keys((await openApi()).get(call)?.responses ?? {})).toContain(
      String(answer.status),
    );
    return answer;
  }

  it('answers as the contract says', async () => {
    const token = isPublic ? undefined : ((await as?.(stage)) ?? stage.company.token);
    const answer = await ask(await payload(), token);
    expect([answer.status, answer.status === 200 ? '' : answer.body]).toEqual([200, '']);
    if (answers) expect(answers.parse(answer.body)).toEqual(answer.body);
    else {
      expect((answer.body as Buffer).length).toBeGreaterThan(100);
      const described = (await openApi()).get(call)?.responses['200'] as { content?: object };
      expect(Object.keys(described.content ?? {})).toContain(answer.type.replace(/;.*/, ''));
    }
  });

  it('is in the OpenAPI with its fields, and requires a session as it says', async () => {
    const operation = (await openApi()).get(call);
    expect(operation).toBeDefined();
    expect(Boolean(operation?.security)).toBe(!isPublic);
    const [body] = Object.values(operation?.requestBody?.content ?? {});
    const properties = Object.keys(body?.schema.properties ?? {});
    expect(properties).toEqual(expect.arrayContaining([...(fields ?? [])]));
  });

  if (fields) {
    it('is called here with exactly those fields', async () => {
      const { json, form } = await payload();
      expect(Object.keys((form ?? json) as object).sort()).toEqual([...(fields ?? [])].sort());
    });
  }

  if (!isPublic) {
    it('answers 401 without a session', async () => {
      for (const token of [undefined, 'no.es.un-token']) {
        const { status, body } = await ask(await payload(), token);
        expect([status, sentences(body)]).toEqual([
          401,
          ['Tu sesión ha caducado. Vuelve a iniciar sesión.'],
        ]);
      }
    });
  }

  if (byNo) {
    it('answers 404 to what does not exist and to what is another company’s', async () => {
      const { json, form } = await payload();
      const mine = (json ?? form) as { No: string };
      const others = async (): Promise<string> => {
        if (byNo === 'customer') return stage.newCustomer(stage.stranger);
        if (byNo === 'product') return stage.newProduct(stage.stranger);
        return stage.newDraft(stage.stranger);
      };
      // Numbers are per company: another company's number is chosen far from those of this one.
      let theirs = await others();
      while (await isMine(theirs)) theirs = await others();
      for (const No of ['NADA-1', theirs]) {
        const fieldsOf = { ...mine, No } as Record<string, string>;
        const sent = form ? { form: fieldsOf } : { json: fieldsOf };
        const { status, body } = await ask(sent, stage.company.token);
        expect([No, status]).toEqual([No, 404]);
        expect(sentences(body)[0]).toMatch(/no existe/i);
      }
    });
  }

  async function isMine(No: string): Promise<boolean> {
    const lists = {
      customer: 'GET /api/GetData/GetClientes',
      product: 'GET /api/GetData/GetProductos',
      invoice: 'GET /api/GetData/GetPendingInvoices',
    } as const;
    const { body } = await stage.send(lists[byNo ?? 'invoice'], {}, stage.company.token);
    return (body as { No?: string; DocNo?: string }[]).some((row) =>
      [row.No, row.DocNo].includes(No),
    );
  }

  if (byNo) {
    it('answers 400 without No', async () => {
      const { form } = await payload();
      const sent = form ? { form: { ...form, No: 'x'.repeat(81) } } : { json: {} };
      const { status, body } = await ask(sent, stage.company.token);
      expect([status, sentences(body).join(' ')]).toEqual([400, expect.stringContaining('No')]);
    });
  }

  if (isGated) {
    it('answers 403 without a certificate, and with an expired subscription', async () => {
      const { token, id } = await stage.newcomer();
      expect(await refusal(await payload(), token)).toEqual([403, CERTIFICATE]);
      await stage.world.sql`
      update companies set subscription_ends_at = now() - interval '1 day' where id = ${id}`;
      expect(await refusal(await payload(), token)).toEqual([403, EXPIRED]);
    });

    async function refusal(sent: object, token: string) {
      const { status, body } = await ask(sent, token);
      return [status, ...sentences(body)];
    }
  }

  it.each(refuses)('refuses $what: $status', async (refused) => {
    const token = isPublic ? undefined : ((await refused.as?.(stage)) ?? stage.company.token);
    const { status, body } = await ask(await payload(refused.send), token);
    expect([status, sentences(body)]).toEqual([
      refused.status,
      expect.arrayContaining([
        typeof refused.says === 'string' ? refused.says : expect.stringMatching(refused.says),
      ]),
    ]);
  });
});

it('documents a 400 for every call that has parameters or a body', async () => {
  const silent = [...(await openApi())].filter(
    ([, { requestBody, parameters = [], responses }]) => {
      const isGiven = requestBody !== undefined || parameters.some((one) => one.in === 'query');
      return isGiven && !('400' in responses);
    },
  );
  expect(silent.map(([call]) => call)).toEqual([]);
});

it('documents what is answered to a key that is too long, or used for something else', async () => {
  const keyed = [...(await openApi())].filter(([, { parameters = [] }]) =>
    parameters.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(keyed.length).toBeGreaterThan(30);
  const silent = keyed.filter(([, { responses }]) => !('400' in responses && '409' in responses));
  expect(silent.map(([call]) => call)).toEqual([]);
});

it('documents how each body is sent, and which may be omitted', async () => {
  const api = await openApi();
  const forms = [...api].filter(([call]) => SENT_AS_FORM.test(call));
  expect(forms).toHaveLength(17);
  for (const [call, { requestBody }] of forms) {
    const contents = Object.keys(requestBody?.content ?? {});
    expect([call, contents]).toEqual([call, ['multipart/form-data', 'application/json']]);
  }
  const optional = [...api].filter(([, { requestBody }]) => requestBody?.required === false);
  expect(optional.map(([call]) => call.replace(/^POST \/api\/\w+\//, '')).sort()).toEqual([
    ...['CerrarSesiones', 'DeleteAccount', 'DesactivarSegundoFactor', 'EnlaceCopiaDatos'],
    ...['PrepararCopiaDatos', 'PrepararSegundoFactor', 'RefreshToken', 'RenovarCodigos'],
    'logout',
  ]);
  expect(Object.keys(api.get('POST /api/Redsys/Notification')?.requestBody?.content ?? {})).toEqual(
    ['application/x-www-form-urlencoded', 'application/json'],
  );
});

it('documents which values each parameter of an address takes', async () => {
  const given = [...(await openApi())].flatMap(([call, { parameters = [] }]) =>
    parameters
      .filter((one) => one.in === 'query')
      .map(({ name, schema }) => ({ call, name, schema: schema as Record<string, unknown> })),
  );
  const isBounded = ({ type, ...rules }: Record<string, unknown>) =>
    type !== 'string' || ['enum', 'format', 'pattern', 'maxLength'].some((rule) => rule in rules);
  expect(given.filter(({ schema }) => !isBounded(schema))).toEqual([]);
  const flags = given.filter(({ schema }) => schema.type === 'boolean').map(({ name }) => name);
  expect(flags).toEqual(['sumas', 'sumas', 'canjeables', 'completas']);
});

it('says in words what every field that is sent is, and describes none that is not', async () => {
  const fields = [...(await openApi())].flatMap(([call, { parameters = [], requestBody }]) => {
    const name = call.slice(call.lastIndexOf('/') + 1);
    const bodies = Object.values(requestBody?.content ?? {}).flatMap((body) =>
      fieldsIn(body?.schema as FieldSchema | undefined),
    );
    return [...(parameters as unknown as Field[]), ...bodies].map((field) => ({
      ...field,
      call: name,
    }));
  });
  expect(fields.length).toBeGreaterThan(400);
  expect(fields.filter(({ description = '' }) => !/^[\p{Lu}\d`]/u.test(description))).toEqual([]);
  const sent = new Set(fields.flatMap(({ call, name }) => [name, `${call}.${name}`]));
  expect(Object.keys(FIELD_WORDS).filter((name) => !sent.has(name))).toEqual([]);
});

it('says in words what every field that is answered is, and describes none that is not', async () => {
  const fields = [...(await openApi())].flatMap(([call, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, answer]) => Object.values((answer as { content?: object }).content ?? {}))
      .flatMap(({ schema }) => fieldsWithin(call.slice(call.lastIndexOf('/') + 1), schema)),
  );
  expect(fields.length).toBeGreaterThan(1000);
  expect(fields.filter(({ description = '' }) => !/^[\p{Lu}\d`]/u.test(description))).toEqual([]);
  const answered = new Set(fields.flatMap(({ name, holder }) => [name, `${holder}.${name}`]));
  const ofErrors = /^Error\./;
  expect(
    Object.keys(ANSWER_WORDS).filter((name) => !answered.has(name) && !ofErrors.test(name)),
  ).toEqual([]);
});

it('gives a valid example of all that is sent and answered as JSON', async () => {
  const given = [...(await openApi())].flatMap(([call, { requestBody, responses }]) => {
    const { content } = responses['200'] as { content?: Record<string, Exemplified> };
    const body = requestBody?.content['application/json'] as Exemplified | undefined;
    return [
      { what: `${call} is sent`, ...body },
      { what: `${call} answers`, ...content?.['application/json'] },
    ].filter(({ schema = {} }) => Object.keys(schema).some((name) => name !== 'description'));
  });
  expect(given.length).toBeGreaterThan(150);
  const wrong = given.flatMap(({ what, schema = {}, example }) => {
    const read = z.fromJSONSchema(withoutMore(schema) as z.core.JSONSchema.JSONSchema);
    const { error } = read.safeParse(example);
    return error ? [[what, example, error.issues]] : [];
  });
  expect(wrong).toEqual([]);
});

it('writes addresses, codes, names and amounts in its examples as calls do', async () => {
  const calls = await openApi();
  const answerOf = (call: CallName) => {
    const answer = calls.get(call)?.responses['200'] as
      | { content?: Record<string, Exemplified> }
      | undefined;
    return answer?.content?.['application/json']?.example;
  };
  expect(answerOf('GET /api/GetData/GetSesiones')).toMatchObject([
    { direccion: truncatedAddress('192.0.2.7') },
  ]);
  expect(answerOf('GET /api/GetData/GetEventosSeguridad')).toMatchObject({
    rows: [{ direccion: truncatedAddress('192.0.2.7') }],
  });
  const { codigos } = answerOf('POST /api/PostData/ActivarSegundoFactor') as { codigos: string[] };
  for (const code of codigos) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/);
  const { numeroInstalacion } = answerOf('GET /api/GetData/GetInstalacion') as {
    numeroInstalacion: string;
  };
  expect(originOf(numeroInstalacion)).toBe(numeroInstalacion);
  for (const call of ['AnotarCobro', 'EliminarCobro']) {
    const owed = answerOf(`POST /api/PostData/${call}` as CallName) as Cobros;
    const noted = owed.lista.reduce((sum, { Importe }) => sum + Importe, 0);
    expect([call, owed.cobrado, owed.pendiente]).toEqual([call, noted, owed.aCobrar - noted]);
  }
  const { fallos } = answerOf('GET /api/GetData/GetRegistrarTodas') as {
    fallos: { DocNo: string }[];
  };
  expect(fallos.map(({ DocNo }) => isDraftName(DocNo))).toEqual([true]);
});

interface Exemplified {
  readonly schema: object;
  readonly example?: unknown;
}

/** A schema whose objects take no field but theirs: a misspelt one of an example is not let through. */
function withoutMore(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutMore);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, ...rest } = schema as Record<string, unknown>;
  const inner = Object.fromEntries(
    Object.entries(rest).map(([name, held]) => [name, withoutMore(held)]),
  );
  if (typeof properties !== 'object' || properties === null) return inner;
  const fields = Object.entries(properties).map(([name, field]) => [name, withoutMore(field)]);
  return { additionalProperties: false, ...inner, properties: Object.fromEntries(fields) };
}

it('tells a field of an answer from one of the same name that is sent, or is elsewhere', () => {
  expect(answerWords('GetClientes', 'Email')).toBe(fieldWords('SetClientes', 'Email'));
  expect(answerWords('GetDatosEmpresa', 'Email')).toBe(fieldWords('login', 'Email'));
  expect(answerWords('rows', 'DocNo')).toBe('Número de la factura o del borrador');
  expect(answerWords('problemas', 'DocNo')).toMatch(/se hizo de él/);
  expect(answerWords('rows', 'constructor')).toBeUndefined();
});

/** The fields of an answer, each with the field or the call that it is in. */
function fieldsWithin(
  holder: string,
  { properties = {}, items, anyOf = [], additionalProperties }: AnswerSchema = {},
): (Field & { readonly holder: string })[] {
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { ...field, name, holder },
    ...fieldsWithin(name, field),
  ]);
  const inner = [items ?? [], anyOf, additionalProperties ?? []].flat();
  return [...own, ...inner.flatMap((schema) => fieldsWithin(holder, schema))];
}

interface AnswerSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly items?: AnswerSchema;
  readonly anyOf?: readonly AnswerSchema[];
  readonly additionalProperties?: AnswerSchema;
}

interface Field {
  readonly name: string;
  readonly description?: string;
}

interface FieldSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, FieldSchema>>;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
}

function fieldsIn({ properties = {}, items, anyOf = [] }: FieldSchema = {}): Field[] {
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { name, ...field },
    ...fieldsIn(field),
  ]);
  return [...own, ...[items ?? [], anyOf].flat().flatMap((inner) => fieldsIn(inner))];
}

it('documents a message in every refusal', async () => {
  const silent = [...(await openApi())].filter(([, { responses }]) =>
    Object.entries(responses).some(
      ([status, answer]) => status.startsWith('4') && !refusalHasMessage(answer),
    ),
  );
  expect(silent.map(([call]) => call)).toEqual([]);
});

it('documents the errors that any call may answer, and describes every answer in Spanish', async () => {
  const { body } = await stage.send('GET /api/openapi.json' as CallName);
  const { components } = body as { components: { responses: Record<string, unknown> } };
  expect(refusalHasMessage(components.responses.Error)).toBe(true);
  const { content } = components.responses.Error as { content: Record<string, Exemplified> };
  const fields = Object.values(content).flatMap(({ schema }) => fieldsWithin('Error', schema));
  expect(fields.map(({ name, description }) => [name, description])).toEqual(
    ['message', 'errores', 'codigo', 'DocNo', 'incidencia'].map((name) => [
      name,
      ANSWER_WORDS[`Error.${name}`],
    ]),
  );
  for (const [call, { responses }] of await openApi()) {
    expect([call, responses.default]).toEqual([call, { $ref: '#/components/responses/Error' }]);
    const { default: _, ...own } = responses as Record<string, { description: string }>;
    for (const [status, { description }] of Object.entries(own)) {
      expect([call, status, description]).toEqual([call, status, expect.stringMatching(/^[A-Z]/)]);
      expect(description).not.toBe('Default Response');
    }
  }
});

it('names every call of the product in some test', async () => {
  const tested = new Set<string>(CALLS.map(({ call }) => call));
  const folders = ['contract', 'flow'].map((name) => join(import.meta.dirname, '..', name));
  const texts = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  const untested = [...(await openApi()).keys()]
    .filter((call) => call.includes('/api/') && !tested.has(call))
    .filter((call) => !texts.some((text) => text.includes(call.slice(call.lastIndexOf('/') + 1))));
  expect(untested).toEqual([]);
});
