/** Reads a registro directly as bytes when its markup equals that of one read before. */

import type { CamposLeidos } from './leer-registro.ts';

/**
 * Where the texts of a registro are, in the order of its XML. Only for registros with all mandatory texts and a
 * previous registro; for an anulación, its `…Anulada` keys. There is a single object, overwritten by the next
 * registro.
 */
export interface TextosLlanos {
  readonly TipoRegistro: CamposLeidos['TipoRegistro'];
  readonly bytes: Uint8Array;
  /** Text `i` spans `limits[2 * i]` to `limits[2 * i + 1]`, exclusive. */
  readonly limits: Int32Array;
}

/** The start and end of a registro. */
export interface Raiz {
  readonly TipoRegistro: CamposLeidos['TipoRegistro'];
  readonly start: string;
  readonly end: string;
}

/** A place of a registro with text, and the path of its field if it is one of `TextosLlanos`. */
export interface Hueco {
  /** All the markup between the previous text and this one. */
  readonly before: string;
  readonly name: string | null;
}

/** Separates joined texts: no text of a registro can contain it, because XML does not allow it. */
export const BETWEEN = '\u0001';
const BETWEEN_BYTE = 1;

const OF_CLAVE = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'];
const OF_END = [
  ...[...OF_CLAVE, 'Huella'].map((name) => `Encadenamiento/RegistroAnterior/${name}`),
  ...['SistemaInformatico/NumeroInstalacion', 'FechaHoraHusoGenRegistro', 'TipoHuella', 'Huella'],
];
/** Their paths. Of the program only its installation: all of ours are made by one program. */
const TEXTOS: Readonly<Record<CamposLeidos['TipoRegistro'], readonly string[]>> = {
  Alta: [
    ...OF_CLAVE.map((name) => `IDFactura/${name}`),
    ...['TipoFactura', 'CuotaTotal', 'ImporteTotal'],
    ...OF_END,
  ],
  Anulacion: [...OF_CLAVE.map((name) => `IDFactura/${name}Anulada`), ...OF_END],
};

/** Which of the texts of a kind have those paths. */
export function textosAt(
  TipoRegistro: CamposLeidos['TipoRegistro'],
  paths: readonly string[],
): number[] {
  return paths.map((path) => {
    const i = TEXTOS[TipoRegistro].indexOf(path);
    if (i === -1) throw new Error(`${path} is not read.`);
    return i;
  });
}

/** Longer than any text that the AEAT admits: longer ones are left to the general reader. */
export const LONGEST_TEXTO = 255;

/** The markup of a registro that was read: what must precede each of its texts, and follow the last one. */
interface Forma {
  readonly TipoRegistro: CamposLeidos['TipoRegistro'];
  /** All of the markup, which identifies it. */
  readonly text: string;
  /** The same, one byte per character. */
  readonly markup: DataView;
  /** The position of each text in it. */
  readonly huecos: Int32Array;
  /** For each, 1 if it is one of `TextosLlanos`. */
  readonly isRead: Uint8Array;
}

/** The latest ones, newest first. Bounded: a tampered registro may have any markup. */
let formas: readonly Forma[] = [];
const MAX_FORMAS = 32;
/** Prevents registros that all differ from pushing out the ones that recur. */
const SCANS_FOR_A_PLACE = 1000;
let scansWithoutPlace = 0;

/**
 * Remembers the markup of a registro that was read in full, if it has all mandatory texts, in order.
 *
 * @param root the start and end of it
 * @param huecos all its texts
 * @param last the markup after them
 */
export function learn(
  { TipoRegistro, start, end }: Raiz,
  huecos: readonly Hueco[],
  last: string,
): void {
  const names = huecos.flatMap(({ name }) => name ?? []).join();
  if (names !== TEXTOS[TipoRegistro].join()) return;
  const text = start + huecos.map(({ before }) => before).join('') + last + end;
  if (formas.some((forma) => forma.text === text)) return;
  if (formas.length === MAX_FORMAS) {
    scansWithoutPlace += 1;
    if (scansWithoutPlace % SCANS_FOR_A_PLACE > 0) return;
  }
  let at = start.length;
  const places = huecos.map(({ before }) => {
    at += before.length;
    return at;
  });
  const forma: Forma = {
    TipoRegistro,
    text,
    markup: viewOf(new TextEncoder().encode(text)),
    huecos: Int32Array.from(places),
    isRead: Uint8Array.from(huecos, ({ name }) => (name === null ? 0 : 1)),
  };
  formas = [forma, ...formas].slice(0, MAX_FORMAS);
}

/** The registro read last. */
const read = {
  TipoRegistro: 'Alta' as CamposLeidos['TipoRegistro'],
  bytes: new Uint8Array(0) as Uint8Array,
  limits: new Int32Array(2 * TEXTOS.Alta.length),
};

/** A view of its bytes. */
let bytesView = viewOf(read.bytes);

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/**
 * Reads a registro whose markup equals, byte by byte, that of one accepted by `readOwnXml` (as most of a cadena do)
 * and whose relevant texts are plain: no entities, and no blanks around them.
 *
 * @param bytes the fragment in UTF-8, from `start` to `end`
 * @returns null when only `readOwnXml` can tell; otherwise the same texts that it would read
 */
export function readPlainXml(bytes: Uint8Array, start: number, end: number): TextosLlanos | null {
  if (bytes !== read.bytes) {
    read.bytes = bytes;
    bytesView = viewOf(bytes);
  }
  for (const forma of formas) {
    if (!hasForma(forma, bytes, start, end)) continue;
    if (forma !== formas[0]) formas = [forma, ...formas.filter((one) => one !== forma)];
    read.TipoRegistro = forma.TipoRegistro;
    return read;
  }
  return null;
}

/**
 * Whether the bytes consist of that markup with only texts between. Leaves the positions of the relevant texts in
 * `read`.
 */
function hasForma(forma: Forma, bytes: Uint8Array, start: number, end: number): boolean {
  const { markup, huecos, isRead } = forma;
  const { limits } = read;
  let at = start;
  let done = 0;
  let limit = 0;
  for (let i = 0; i < huecos.length; i++) {
    const hueco = huecos[i] ?? 0;
    if (!isMarkup(markup, done, hueco, at)) return false;
    at += hueco - done;
    done = hueco;
    if (isRead[i] === 0) at = endOfText(bytes, at);
    else {
      limits[limit++] = at;
      at = endOfPlainText(bytes, at);
      limits[limit++] = at;
    }
    if (at === -1) return false;
  }
  return at + markup.byteLength - done === end && isMarkup(markup, done, markup.byteLength, at);
}

/**
 * Whether the markup from `from` to `to` is what stands at `start` of `bytesView`. Markup is most of a registro, so
 * it is compared eight bytes at a time, as floats. Equal floats have equal bytes except for NaN and the two zeros,
 * and ASCII markup contains neither.
 */
function isMarkup(markup: DataView, from: number, to: number, start: number): boolean {
  if (start + to - from > bytesView.byteLength) return false;
  const apart = start - from;
  let i = from;
  for (; i + 8 <= to; i += 8) {
    if (bytesView.getFloat64(i + apart, true) !== markup.getFloat64(i, true)) return false;
  }
  for (; i < to; i++) {
    if (bytesView.getUint8(i + apart) !== markup.getUint8(i)) return false;
  }
  return true;
}

/** Classes of bytes in a text. */
const END = 0;
const PLAIN = 1;
const BLANK = 2;
const OTHER = 3;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => kindOf(byte));

function kindOf(byte: number): number {
  if (byte === 0x20) return BLANK;
  const isMarkup = '<>&'.includes(String.fromCharCode(byte));
  // What XML forbids; and a sequence starting with EF may be U+FFFE or U+FFFF.
  const isForbidden = (byte < 0x20 && byte !== 0x09 && byte !== 0x0a) || byte === 0xef;
  if (isMarkup || isForbidden) return END;
  return byte > 0x20 && byte < 0x7f ? PLAIN : OTHER;
}

/** The end of an ASCII text with blanks only inside it; -1 for another kind of text, or a very long one. */
function endOfPlainText(bytes: Uint8Array, start: number): number {
  let at = start;
  let kind = KINDS[bytes[at] ?? 0];
  if (kind !== PLAIN) return -1;
  while (kind === PLAIN || kind === BLANK) {
    at += 1;
    kind = KINDS[bytes[at] ?? 0];
  }
  return bytes[at - 1] === 0x20 || at - start > LONGEST_TEXTO ? -1 : at;
}

/** The end of a text: the next `<`, or what XML forbids; -1 at an entity other than `&amp;`, `&lt;` and `&gt;`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    while (KINDS[bytes[at] ?? 0] !== END) at += 1;
    if (bytes[at] !== 0x26) return at;
    const length = entityLength(bytes, at);
    if (length === 0) return -1;
    at += length;
  }
}

/** Zero if it is not `&amp;`, `&lt;` or `&gt;`. */
function entityLength(bytes: Uint8Array, at: number): number {
  const [first, second, third] = [bytes[at + 1], bytes[at + 2], bytes[at + 3]];
  if (first === 0x61) {
    return second === 0x6d && third === 0x70 && bytes[at + 4] === 0x3b ? 5 : 0;
  }
  return (first === 0x6c || first === 0x67) && second === 0x74 && third === 0x3b ? 4 : 0;
}

/** Whether a text equals the given one, in ASCII. */
export function isTexto({ bytes, limits }: TextosLlanos, i: number, text: string): boolean {
  const start = limits[2 * i] ?? 0;
  if ((limits[2 * i + 1] ?? 0) - start !== text.length) return false;
  for (let at = 0; at < text.length; at++) {
    if (bytes[start + at] !== text.charCodeAt(at)) return false;
  }
  return true;
}

/** Whether the bytes are the given texts, joined with `BETWEEN`. */
export function areTextos(
  textos: TextosLlanos,
  which: readonly number[],
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  let at = start;
  for (let i = 0; i < which.length; i++) {
    if (i > 0 && bytes[at++] !== BETWEEN_BYTE) return false;
    const text = 2 * (which[i] ?? 0);
    const stop = textos.limits[text + 1] ?? 0;
    for (let from = textos.limits[text] ?? 0; from < stop; from++) {
      if (bytes[at++] !== textos.bytes[from]) return false;
    }
  }
  return at === end;
}

/**
 * Copies a text.
 *
 * @returns the position after it in `into`
 */
export function copyTexto(
  { bytes, limits }: TextosLlanos,
  i: number,
  into: Uint8Array,
  start: number,
): number {
  let at = start;
  const stop = limits[2 * i + 1] ?? 0;
  for (let from = limits[2 * i] ?? 0; from < stop; from++) into[at++] = bytes[from] ?? 0;
  return at;
}

/**
 * Copies several texts, joined with `BETWEEN`.
 *
 * @returns the position after them in `into`
 */
export function copyTextos(
  textos: TextosLlanos,
  which: readonly number[],
  into: Uint8Array,
): number {
  let at = 0;
  for (let i = 0; i < which.length; i++) {
    if (i > 0) into[at++] = BETWEEN_BYTE;
    at = copyTexto(textos, which[i] ?? 0, into, at);
  }
  return at;
}
