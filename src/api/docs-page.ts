import { MEANINGS } from './openapi.ts';

/** The parts of an OpenAPI document that this page uses. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Content };
  readonly responses?: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly description?: string;
  readonly content?: Content;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

interface Schema {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Call extends Operation {
  readonly method: string;
  readonly path: string;
}

/**
 * The API as a page: every call with its fields, its answer and its errors, generated from the same document that
 * `/api/openapi.json` returns. It needs no script and no external resource.
 */
export function apiDocsPage(document: ApiDocument, baseUrl: string): string {
  const groups = byTag(document);
  const { title, version } = document.info;
  return `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<title>API de ${html(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${STYLE}</style>
</head>
<body>
<header><h1>API de ${html(title)}</h1>
<p>Versión ${html(version)} · el mismo contrato en <a href="/api/openapi.json">OpenAPI 3.1</a></p></header>
<nav aria-label="Grupos de llamadas"><ul>
<li><a href="#empezar">Empezar</a></li>
${groups.map(([tag]) => `<li><a href="#${slug(tag)}">${html(tag)}</a></li>`).join('\n')}
</ul></nav>
<main>
${introduction(baseUrl)}
${groups.map(([tag, calls]) => group(tag, calls)).join('\n')}
</main>
</body>
</html>
`;
}

function byTag({ paths }: ApiDocument): [string, Call[]][] {
  const groups = new Map<string, Call[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? 'Servicio';
      groups.set(tag, [...(groups.get(tag) ?? []), { ...operation, method, path }]);
    }
  }
  return [...groups];
}

function introduction(baseUrl: string): string {
  return `<section id="empezar" aria-labelledby="empezar-t">
<h2 id="empezar-t">Empezar</h2>
<p>Abre una sesión con el correo y la contraseña de tu empresa y lleva su token, que dura 60 minutos, en las llamadas privadas.</p>
<pre tabindex="0">curl -X POST ${html(baseUrl)}/api/Auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"Email":"tu@empresa.es","password":"…"}'

curl ${html(baseUrl)}/api/GetData/GetClientes -H 'Authorization: Bearer TOKEN'</pre>
<ul>
<li>Las escrituras aceptan JSON y <code>multipart/form-data</code> con los mismos campos.</li>
<li>Los importes de las respuestas son números con dos decimales como mucho; las fechas, <code>AAAA-MM-DD</code>.</li>
<li>Los errores son <code>{"message": "…"}</code>, una frase o una lista de ellas, en español y para quien las lee.</li>
<li>Además de lo que dice su tabla, cualquier llamada responde 400, 413 o 415 si lo enviado no se entiende, es demasiado grande o no es de un tipo que se admita; 429 y 503, si hay que esperar; y 500, si falla algo nuestro.</li>
<li>Las llamadas que lo dicen aceptan <code>Idempotency-Key</code>: repetida en 24 horas, la llamada recibe la primera respuesta y no hace nada.</li>
<li>Lo que es de otra empresa responde 404, igual que lo que no existe. Con 429, espera los segundos de <code>Retry-After</code>.</li>
</ul>
</section>`;
}

function group(tag: string, calls: readonly Call[]): string {
  const id = slug(tag);
  return `<section id="${id}" aria-labelledby="${id}-t">
<h2 id="${id}-t">${html(tag)}</h2>
${calls.map(callBlock).join('\n')}
</section>`;
}

function callBlock(call: Call): string {
  const method = call.method.toUpperCase();
  const contents = Object.keys(call.requestBody?.content ?? {});
  return `<article>
<h3><span class="method">${method}</span> <code>${html(call.path)}</code></h3>
<p>${html(call.summary ?? '')}</p>
<p class="meta">${call.security ? 'Privada: con token' : 'Pública'}${
    contents.length > 0 ? ` · ${contents.map(html).join(' o ')}` : ''
  }</p>
${fieldsTable(call)}
${answersTable(call)}
${answerFields(call)}
${examples(call)}
</article>`;
}

function fieldsTable({ path, parameters = [], requestBody }: Call): string {
  const schema = schemaOf(requestBody?.content);
  const required = new Set(schema?.required);
  const rows = [
    ...parameters.map((parameter) => ({
      name: parameter.name,
      place: parameter.in === 'query' ? 'en la dirección' : 'en la cabecera',
      isRequired: parameter.required === true,
      words: parameter.description,
      schema: parameter.schema,
    })),
    ...Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
      name,
      place: '',
      isRequired: required.has(name) && property.default === undefined,
      words: property.description,
      schema: property,
    })),
  ];
  if (rows.length === 0) return schema ? `<p class="meta">Cuerpo: ${typeOf(schema)}.</p>` : '';
  return table(
    `Campos de ${path}`,
    ['Campo', 'Qué es', 'Se exige'],
    rows.map(({ name, place, isRequired, words = '', schema }) => [
      `<code>${html(name)}</code>${place && ` <small>${place}</small>`}`,
      `${words && `${wordsInHtml(words)}<br>`}${typeOf(schema)}${limitsOf(schema)}`,
      isRequired ? 'sí' : 'no',
    ]),
  );
}

function answersTable({ path, responses = {} }: Call): string {
  return table(
    `Respuestas de ${path}`,
    ['Respuesta', 'Significa', 'Lleva'],
    Object.entries(responses)
      .filter(([status]) => status !== 'default')
      .map(([status, { description = '', content }]) => [
        `<code>${html(status)}</code>`,
        MEANINGS[status] ?? html(description),
        typeOf(schemaOf(content)),
      ]),
  );
}

/** What each field of the answer is, at any depth: its name behind those that it is in. */
function answerFields({ path, responses = {} }: Call): string {
  const fields = fieldsWithin(schemaOf(responses['200']?.content), '');
  if (fields.length === 0) return '';
  return folded(
    'Campos de la respuesta',
    table(
      `Campos de la respuesta de ${path}`,
      ['Campo', 'Qué es'],
      fields.map(({ name, schema }) => [
        `<code>${html(name)}</code>`,
        `${wordsInHtml(schema.description ?? '')}<br>${typeOf(schema)}`,
      ]),
    ),
  );
}

interface NamedSchema {
  readonly name: string;
  readonly schema: Schema;
}

function fieldsWithin(schema: Schema = {}, before: string): NamedSchema[] {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, field]) => [
    { name: `${before}${name}`, schema: field },
    ...fieldsWithin(field, `${before}${name}.`),
  ]);
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  const inner = [...(items ? [items] : []), ...anyOf, ...values];
  return [...own, ...inner.flatMap((one) => fieldsWithin(one, before))];
}

function examples({ requestBody, responses = {} }: Call): string {
  const sent = exampleIn(requestBody?.content);
  const answered = exampleIn(responses['200']?.content);
  if (sent === null && answered === null) return '';
  return folded(
    'Ejemplo',
    `${sent ?? ''}${sent !== null && answered !== null ? '<p>Responde:</p>' : ''}${answered ?? ''}`,
  );
}

function exampleIn(content: Content | undefined): string | null {
  const example = content?.['application/json']?.example;
  if (example === undefined) return null;
  return `<pre tabindex="0">${html(JSON.stringify(example, null, 2))}</pre>`;
}

function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>${content}</details>`;
}

function table(
  label: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`)
    .join('\n');
  return `<div class="scroll" tabindex="0" role="group" aria-label="${html(label)}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function schemaOf(content: Content | undefined): Schema | undefined {
  return content && Object.values(content)[0]?.schema;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'texto',
  number: 'número',
  integer: 'entero',
  boolean: 'sí o no',
  null: 'nada',
};

/** A schema in words, including the fields of nested objects. */
function typeOf(schema: Schema | undefined, depth = 0): string {
  if (!schema) return 'nada';
  if (schema.const !== undefined) return `<code>${html(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) {
    return schema.enum
      .map((value) => (value === '' ? 'vacío' : `<code>${html(String(value))}</code>`))
      .join(' · ');
  }
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((option) => typeOf(option, depth)))].join(' o ');
  }
  if (schema.type === 'array') return `lista de ${typeOf(schema.items, depth)}`;
  if (schema.properties) return fieldsInWords(schema.properties, depth);
  if (schema.format === 'binary') return 'archivo';
  if (schema.format === 'date') return 'fecha';
  const types = [schema.type ?? []].flat();
  return types.map((type) => TYPES[type] ?? 'objeto').join(' o ') || 'cualquier valor';
}

function fieldsInWords(properties: Readonly<Record<string, Schema>>, depth: number): string {
  const names = Object.keys(properties);
  if (names.length === 0) return '<code>{}</code>';
  const list = names.map((name) => `<code>${html(name)}</code>`).join(', ');
  return depth > 2 ? 'objeto' : `{ ${list} }`;
}

function limitsOf({ maxLength, minimum, maximum, default: initial }: Schema = {}): string {
  const parts = [
    maxLength !== undefined && `hasta ${maxLength} caracteres`,
    minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER && `desde ${minimum}`,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `hasta ${maximum}`,
    initial !== undefined &&
      initial !== '' &&
      `si falta, <code>${html(JSON.stringify(initial))}</code>`,
  ].filter(Boolean);
  return parts.length > 0 ? ` <small>${parts.join(', ')}</small>` : '';
}

/** Names and values are between backticks. */
function wordsInHtml(words: string): string {
  return html(words).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function slug(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

function html(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** The product's colours, repeated here because its tokens are in the web's bundle, which this page does not load. */
const STYLE = `
:root{--ink:#1b1f1d;--paper:#faf9f6;--card:#fff;--line:#e4e2dc;--muted:#5c6661;--accent:#0f7b5f}
@media (prefers-color-scheme:dark){:root{--ink:#e8ecea;--paper:#121514;--card:#1a1e1c;--line:#343b38;--muted:#9aa5a0;--accent:#52ac8e}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
header,nav,main{max-width:960px;margin-inline:auto;padding-inline:20px}
header{padding-top:32px}
h1{margin:0;font-size:1.6rem}
h2{margin:48px 0 12px;font-size:1.25rem}
h3{margin:0;font-size:.95rem;overflow-wrap:anywhere}
p{margin:6px 0}
a{color:var(--accent)}
nav ul{display:flex;flex-wrap:wrap;gap:4px 16px;padding:12px 0;margin:0;list-style:none;border-bottom:1px solid var(--line)}
nav a{display:inline-block;padding-block:4px}
article{margin:0 0 16px;padding:16px;border:1px solid var(--line);border-radius:12px;background:var(--card)}
.method{color:var(--accent);font-size:.8rem;letter-spacing:.04em}
.meta,small,header p{color:var(--muted);font-size:.85rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.85em}
pre{padding:16px;overflow-x:auto;border:1px solid var(--line);border-radius:12px;background:var(--card)}
summary{padding-block:6px;color:var(--accent);cursor:pointer}
.scroll{overflow-x:auto;margin-top:12px}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th,td{padding:6px 12px 6px 0;border-top:1px solid var(--line);text-align:left;vertical-align:top}
th{border:0;color:var(--muted);font-weight:500}
:target{scroll-margin-top:16px}
`;
