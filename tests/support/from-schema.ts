import fc from 'fast-check';

/** The part of JSON Schema used in our OpenAPI. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

export interface Operation {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly isPrivate: boolean;
  readonly body: Schema | null;
  /** It accepts a form with a file. */
  readonly isForm: boolean;
  readonly query: Readonly<Record<string, Schema>>;
}

interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

interface DocumentedCall {
  readonly security?: readonly object[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { schema?: Schema }>> };
  readonly parameters?: readonly { name: string; in: string; schema?: Schema }[];
}

/** Every call of the product, from its OpenAPI document. */
export function operationsOf(document: object): Operation[] {
  return Object.entries((document as Document).paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, value]) => {
      if (method !== 'get' && method !== 'post') return [];
      const call = value as DocumentedCall;
      const content = call.requestBody?.content ?? {};
      const form = content['multipart/form-data']?.schema;
      return {
        method: method === 'get' ? ('GET' as const) : ('POST' as const),
        path,
        isPrivate: (call.security?.length ?? 0) > 0,
        body: form ?? Object.values(content)[0]?.schema ?? null,
        isForm: form !== undefined,
        query: Object.fromEntries(
          (call.parameters ?? [])
            .filter((parameter) => parameter.in === 'query')
            .map(({ name, schema }) => [name, schema ?? {}]),
        ),
      };
    }),
  );
}

/** Inputs that break programs: nothing, too much, other scripts, and text with a special meaning somewhere. */
const NASTY = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  '99999999999999999999',
  '9223372036854775808',
  '0,1',
  'NaN',
  '\u0000',
  '\ud800',
  'ñ€😀\u202e',
  "' or 1=1 --",
  '%00',
  '../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  '=1+1',
  '{"__proto__":{"x":1}}',
  '0000-00-00',
  '9999-12-31',
  '2026-11-20',
  'a\r\nBcc: todos@ejemplo.es',
  'x'.repeat(5000),
];

/** Random values for a schema, most of them valid and some not, with `words` as texts. */
export function valuesOf(schema: Schema, words: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fitting(schema, words) },
    { weight: 1, arbitrary: junk },
  );
}

const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(null, [], {}, -0, 1e308, true, [[[[[[]]]]]], ...NASTY),
);

function fitting(schema: Schema, words: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, words)));
  if (schema.allOf?.[0]) return valuesOf(schema.allOf[0], words);
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type: string) => fitting({ ...schema, type }, words)));
  }
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, own]) => [
            name,
            valuesOf(own, words),
          ]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      );
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, words), { maxLength: 4 });
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer());
    case 'number':
      return fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.double());
    default:
      return text(words);
  }
}

function text(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...words) },
    { weight: 3, arbitrary: fc.constantFrom(...NASTY) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 300 }).map((b) => Buffer.from(b).toString('base64')),
    },
  );
}

/** A value in the form that the call accepts: JSON, or a form in which anything but text is JSON. */
export function payloadOf(operation: Operation, body: unknown): FormData | unknown {
  if (!operation.isForm || typeof body !== 'object' || body === null || Array.isArray(body)) {
    return body;
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    const isFile = /^(File|Certificate|file)$/.test(name);
    const written = typeof value === 'string' ? value : JSON.stringify(value ?? null);
    form.append(
      name,
      isFile ? new Blob([written]) : wellFormed(written),
      ...((isFile ? ['a.bin'] : []) as []),
    );
  }
  return form;
}

/** Text that can be sent: half a surrogate pair, which UTF-8 cannot express, becomes U+FFFD. */
export function wellFormed(text: string): string {
  return Buffer.from(text).toString();
}
