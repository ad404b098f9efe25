import { inflateRawSync } from 'node:zlib';
import { BadFileError } from './bad-file.ts';

const MAX_FILE = 10 * 1024 * 1024;
const MAX_CONTENT = 100 * 1024 * 1024;
const MAX_ENTRIES = 200;
const MAX_RATIO = 100;
/** Small parts compress without limit; the ratio only means something from this size on. */
const RATIO_FROM = 1024 * 1024;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

const DAMAGED = 'El archivo está dañado y no se puede leer. Guárdalo de nuevo como .xlsx.';
const TOO_BIG = 'El archivo es demasiado grande. Repártelo en varios.';

/**
 * Looks at the container of an .xlsx before anybody opens it: that it is one, what its parts say
 * they hold and what they really hold, macros, links to other files, names that leave the folder.
 *
 * @throws {BadFileError} with a sentence for the person
 */
export function checkZip(file: Uint8Array): void {
  const data = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (data.length > MAX_FILE) throw new BadFileError(TOO_BIG);
  if (data.length >= 8 && data.readUInt32BE(0) === 0xd0cf11e0) {
    throw new BadFileError(
      'El archivo es un Excel antiguo (.xls) o está protegido con contraseña. Guárdalo como .xlsx sin contraseña.',
    );
  }
  if (data.length < 22 || data.readUInt32LE(0) !== LOCAL) {
    throw new BadFileError('El archivo no es un Excel (.xlsx).');
  }
  const entries = readEntries(data);
  let declared = 0;
  for (const entry of entries) {
    assertName(entry.name);
    declared += entry.size;
    if (declared > MAX_CONTENT || isTooDense(entry.size, entry.packed)) {
      throw new BadFileError(TOO_BIG);
    }
  }
  if (!entries.some(({ name }) => name === 'xl/workbook.xml')) {
    throw new BadFileError('El archivo no es un Excel (.xlsx).');
  }
  for (const entry of entries) assertSize(data, entry);
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

/** What a part says of itself may be a lie: it is unpacked once, no further than what it declared. */
function assertSize(data: Buffer, entry: Entry): void {
  const { offset, packed, size, method } = entry;
  if (offset + 30 > data.length || data.readUInt32LE(offset) !== LOCAL) {
    throw new BadFileError(DAMAGED);
  }
  const start = offset + 30 + data.readUInt16LE(offset + 26) + data.readUInt16LE(offset + 28);
  const content = data.subarray(start, start + packed);
  if (content.length !== packed) throw new BadFileError(DAMAGED);
  if (method === 0) {
    if (packed !== size) throw new BadFileError(DAMAGED);
    return;
  }
  if (method !== 8) throw new BadFileError(DAMAGED);
  if (size === 0) return;
  try {
    const real = inflateRawSync(content, { maxOutputLength: size });
    if (real.length !== size) throw new BadFileError(DAMAGED);
  } catch (cause) {
    throw new BadFileError(DAMAGED, { cause });
  }
}

function isTooDense(size: number, packed: number): boolean {
  return size > RATIO_FROM && size > packed * MAX_RATIO;
}
