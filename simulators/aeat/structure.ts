import { Fault } from './fault.ts';
import { trimValue, type XmlNode } from './xml.ts';

/**
 * The shape of a message as a table, and the reader that checks a message against it.
 *
 * The AEAT distinguishes two kinds of error (measured): a missing, unknown or misplaced element makes the whole
 * message a Fault, and a wrong value in a registro only rejects that line. So the reader throws for the first kind
 * and returns the second.
 */
export interface Leaf {
  readonly kind: 'leaf';
  /** Code of a wrong value, which may depend on what is wrong with it. */
  readonly code: number | ((value: string) => number);
  readonly accepts: (value: string) => boolean;
}

export interface Block<F extends Fields = Fields> {
  readonly kind: 'block';
  /** Namespace of the children: the one of the file that declares the type. */
  readonly uri: string;
  readonly fields: F;
  readonly order: readonly (readonly [string, Field])[];
}

/** Content of another standard, accepted as it is: the XAdES signature. */
export interface Opaque {
  readonly kind: 'opaque';
  readonly uri: string;
}

/**
 * `either`: part of the block's choice, of which exactly one must be present. `either-checked-later`: a choice whose
 * breach has an error code of its own, so a rule checks it and not the reader.
 */
type Presence = 'one' | 'optional' | 'either' | 'either-checked-later';

export interface Field<
  D extends Leaf | Block | Opaque = Leaf | Block | Opaque,
  P extends Presence = Presence,
  M extends boolean = boolean,
> {
  readonly def: D;
  readonly presence: P;
  readonly isList: M;
  readonly max: number;
}

export type Fields = { readonly [name: string]: Field };

type DefValue<D> = D extends Leaf ? string : D extends Block<infer F> ? FieldsValue<F> : unknown;
type FieldValue<X> =
  X extends Field<infer D, Presence, infer M>
    ? M extends true
      ? readonly DefValue<D>[]
      : DefValue<D>
    : never;
type FieldsValue<F> = {
  readonly [K in keyof F as F[K] extends { presence: 'one' } ? K : never]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { presence: 'one' } ? never : K]?: FieldValue<F[K]>;
};
/** The result of reading a block: trimmed text, blocks and lists under the names of the schema. */
export type ValueOf<B> = DefValue<B>;

export interface WrongValue {
  readonly code: number;
  readonly campo: string;
}

export function block<const F extends Fields>(uri: string, fields: F): Block<F> {
  return { kind: 'block', uri, fields, order: Object.entries(fields) };
}

export const one = <D extends Leaf | Block>(def: D) =>
  ({ def, presence: 'one', isList: false, max: 1 }) as const;
export const optional = <D extends Leaf | Block | Opaque>(def: D) =>
  ({ def, presence: 'optional', isList: false, max: 1 }) as const;
export const either = <D extends Leaf | Block>(def: D) =>
  ({ def, presence: 'either', isList: false, max: 1 }) as const;
export const eitherCheckedLater = <D extends Leaf | Block>(def: D) =>
  ({ def, presence: 'either-checked-later', isList: false, max: 1 }) as const;
export const many = <D extends Block>(max: number, def: D) =>
  ({ def, presence: 'one', isList: true, max }) as const;

/**
 * Reads `node` as `table` says.
 *
 * @param wrong receives the values that break their type, in document order.
 * @throws {Fault} 4102 (element missing, unknown or misplaced) or 4113 (too many).
 */
export function readBlock<B extends Block>(
  table: B,
  node: XmlNode,
  wrong: WrongValue[],
): ValueOf<B> {
  if (trimValue(node.text) !== '') throw unexpected(node.name);
  const value: Record<string, unknown> = {};
  let position = 0;
  let eithers = 0;

  for (const child of node.children) {
    const at = findField(table, child, position);
    for (let skipped = position; skipped < at; skipped++) assertMayBeAbsent(table, skipped, value);
    const [name, field] = table.order[at] as readonly [string, Field];
    const read = readField(field, child, wrong);
    if (field.isList) {
      value[name] ??= [];
      const list = value[name] as unknown[];
      if (list.length === field.max) throw tooMany(name);
      list.push(read);
      position = at;
    } else {
      if (field.presence === 'either') eithers++;
      if (read !== undefined) value[name] = read;
      position = at + 1;
    }
  }
  for (let left = position; left < table.order.length; left++)
    assertMayBeAbsent(table, left, value);
  if (eithers !== 1) checkChoice(table, eithers);
  return value as ValueOf<B>;
}

function findField(table: Block, child: XmlNode, from: number): number {
  for (let at = from; at < table.order.length; at++) {
    const [name, { def }] = table.order[at] as readonly [string, Field];
    if (name === child.name && child.uri === (def.kind === 'opaque' ? def.uri : table.uri)) {
      return at;
    }
  }
  throw unexpected(child.name);
}

function assertMayBeAbsent(table: Block, at: number, value: Record<string, unknown>): void {
  const [name, field] = table.order[at] as readonly [string, Field];
  if (field.presence === 'one' && value[name] === undefined) throw missing(name);
}

function checkChoice(table: Block, found: number): void {
  const names = table.order.filter(([, field]) => field.presence === 'either').map(([n]) => n);
  if (names.length === 0) return;
  throw found === 0 ? missing(names.join(' o ')) : unexpected(names.join(' y '));
}

function readField({ def, presence }: Field, node: XmlNode, wrong: WrongValue[]): unknown {
  switch (def.kind) {
    case 'block':
      return readBlock(def, node, wrong);
    case 'opaque':
      return undefined;
    case 'leaf': {
      if (node.children[0]) throw unexpected(node.children[0].name);
      const text = trimValue(node.text);
      if (!def.accepts(text)) {
        const code = typeof def.code === 'number' ? def.code : def.code(text);
        wrong.push({ code, campo: node.name });
      }
      return text === '' && presence === 'optional' ? undefined : text;
    }
  }
}

const missing = (name: string) =>
  new Fault(4102, `El XML no cumple el esquema. Falta informar campo obligatorio.: ${name}`);
const unexpected = (name: string) =>
  new Fault(4102, `El XML no cumple el esquema. Elemento no esperado en esa posición: ${name}`);
const tooMany = (name: string) =>
  new Fault(4113, `El XML no cumple el esquema: demasiadas repeticiones del bloque ${name}`);
