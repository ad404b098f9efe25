import { Readable } from 'node:stream';
import { createInflateRaw } from 'node:zlib';
import { BadFileError } from './bad-file.ts';

const MAX_CONTENT = 100 * 1024 * 1024;
const MAX_ENTRIES = 200;
const MAX_RATIO = 100;
/** Small parts may compress without limit; the ratio is only meaningful from this size on. */
const RATIO_FROM = 1024 * 1024;
const CHUNK = 64 * 1024;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const STORED = 0;
const DEFLATED = 8;

export const DAMAGED = 'El archivo está dañado y no se puede leer. Guárdalo de nuevo como .xlsx.';
const TOO_BIG = 'El archivo es demasiado grande. Repártelo en varios.';

/** The parts of an .xlsx, none of them unpacked until it is read. */
export interface Container {
  readonly has: (name: string) => boolean;
  /** Total size that its parts declare. */
  readonly size: number;
  /**
   * A part in pieces, no longer than it declared.
   *
   * @throws {BadFileError} when it is missing or not what it declared
   */
  readonly read: (name: string) => AsyncIterable<Uint8Array>;
}

/** Receives the progress of something, from 0 to 1. */
export type OnShare = (share: number) => void;

/** The same container, reporting how much of it has been read. */
export function counted(container: Container, onShare: OnShare): Container {
  let done = 0;
  return {
    ...container,
    async *read(name) {
      for await (const chunk of container.read(name)) {
        done += chunk.length;
        onShare(Math.min(1, done / container.size));
        yield chunk;
      }
    },
  };
}

/**
 * Examines the container of an .xlsx without unpacking it: whether it is one, the declared sizes of its parts,
 * macros, links to other files, names that leave the folder.
 *
 * @throws {BadFileError} with a sentence for the user
 */
export function openContainer(file: Uint8Array): Container {
  const data = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const entries = new Map(readEntries(data).map((entry) => [entry.name, entry]));
  let declared = 0;
  for (const entry of entries.values()) {
    assertName(entry.name);
    declared += entry.size;
    if (declared > MAX_CONTENT || isTooDense(entry.size, entry.packed)) {
      throw new BadFileError(TOO_BIG);
    }
  }
  if (entries.has('content.xml')) {
    throw new BadFileError('El archivo es una hoja de LibreOffice (.ods). Guárdala como .xlsx.');
  }
  if (!entries.has('xl/workbook.xml')) {
    throw new BadFileError('El archivo no es un Excel (.xlsx).');
  }
  return {
    has: (name) => entries.has(name),
    size: declared,
    read: (name) => {
      const entry = entries.get(name);
      if (!entry) throw new BadFileError(DAMAGED);
      return contentOf(data, entry);
    },
  };
}

export function isZip(file: Uint8Array): boolean {
  const data = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  return data.length >= 22 && data.readUInt32LE(0) === LOCAL;
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
}

function readEntries(data: Buffer): Entry[] {
  const end = data.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end + 22 > data.length || data.readUInt32LE(end) !== END) {
    throw new BadFileError(DAMAGED);
  }
  const count = data.readUInt16LE(end + 10);
  if (count > MAX_ENTRIES) throw new BadFileError(TOO_BIG);
  const entries: Entry[] = [];
  let at = data.readUInt32LE(end + 16);
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== CENTRAL) throw new BadFileError(DAMAGED);
    const nameLength = data.readUInt16LE(at + 28);
    entries.push({
      method: data.readUInt16LE(at + 10),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      offset: data.readUInt32LE(at + 42),
      name: data.toString('utf8', at + 46, at + 46 + nameLength),
    });
    at += 46 + nameLength + data.readUInt16LE(at + 30) + data.readUInt16LE(at + 32);
  }
  return entries;
}

function assertName(name: string): void {
  if (/(^|[\\/])\.\.([\\/]|$)|^[\\/]/.test(name)) throw new BadFileError(DAMAGED);
  if (/vbaProject|activeX|\.bin$/i.test(name) && !/printerSettings/i.test(name)) {
    throw new BadFileError('El archivo lleva macros. Guárdalo como .xlsx, sin ellas.');
  }
  if (/externalLink/i.test(name)) {
    throw new BadFileError('El archivo está enlazado con otros libros. Quita los enlaces.');
  }
}

/** The declared size of a part may be false: it is unpacked no further than that. */
async function* contentOf(data: Buffer, entry: Entry): AsyncGenerator<Uint8Array> {
  const { offset, packed, size, method } = entry;
  if (offset + 30 > data.length || data.readUInt32LE(offset) !== LOCAL) {
    throw new BadFileError(DAMAGED);
  }
  const start = offset + 30 + data.readUInt16LE(offset + 26) + data.readUInt16LE(offset + 28);
  const content = data.subarray(start, start + packed);
  const isKnown = method === STORED || method === DEFLATED;
  if (content.length !== packed || !isKnown) throw new BadFileError(DAMAGED);
  const stream =
    method === STORED
      ? [content]
      : Readable.from([content]).pipe(createInflateRaw({ chunkSize: CHUNK }));
  let read = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > size) throw new BadFileError(DAMAGED);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof BadFileError) throw cause;
    throw new BadFileError(DAMAGED, { cause });
  }
  if (read !== size) throw new BadFileError(DAMAGED);
}

function isTooDense(size: number, packed: number): boolean {
  return size > RATIO_FROM && size > packed * MAX_RATIO;
}
