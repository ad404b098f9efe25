import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { FuenteDanada } from '../domain/verifactu/comprobar.ts';

export interface ZipFile {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly offset: number;
  readonly isDeflated: boolean;
}

/** An open ZIP: its files are read one at a time, when asked for. */
export interface Zip {
  readonly files: readonly ZipFile[];
  /** @throws {FuenteDanada} when its bytes are not what the ZIP says of them */
  readonly read: (file: ZipFile) => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

const MAX_COMMENT = 0xffff;
const END_LENGTH = 22;
/** More than any file we write; what says it holds more is no export of anybody. */
const MAX_FILE_BYTES = 1024 * 1024 * 1024;

/**
 * Opens a ZIP, of any size (ZIP64).
 *
 * @throws {FuenteDanada}
 */
export async function openZip(path: string): Promise<Zip> {
  const handle = await open(path, 'r');
  try {
    const files = await readDirectory(handle);
    return { files, read: (file) => readContent(handle, file), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    if (error instanceof RangeError) throw new FuenteDanada('El ZIP está dañado o incompleto.');
    throw error;
  }
}

async function readDirectory(handle: FileHandle): Promise<ZipFile[]> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - END_LENGTH - MAX_COMMENT), size);
  const at = tail.lastIndexOf(Buffer.from('PK\x05\x06'));
  if (at === -1) throw new FuenteDanada('No es un ZIP, o está incompleto.');
  let count = tail.readUInt16LE(at + 10);
  let length = tail.readUInt32LE(at + 12);
  let start = tail.readUInt32LE(at + 16);
  if (at >= 20 && tail.readUInt32LE(at - 20) === 0x07064b50) {
    const end64At = Number(tail.readBigUInt64LE(at - 12));
    const end64 = await readAt(handle, end64At, end64At + 56);
    count = Number(end64.readBigUInt64LE(32));
    length = Number(end64.readBigUInt64LE(40));
    start = Number(end64.readBigUInt64LE(48));
  }
  return parseDirectory(await readAt(handle, start, start + length), count);
}

function parseDirectory(directory: Buffer, count: number): ZipFile[] {
  const files: ZipFile[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (directory.readUInt32LE(at) !== 0x02014b50) throw new FuenteDanada('El ZIP está dañado.');
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const wide = wideNumbers(extra);
    const number = (position: number) => {
      const value = directory.readUInt32LE(position);
      return value === 0xffff_ffff ? (wide.shift() ?? value) : value;
    };
    const size = number(at + 24);
    const packed = number(at + 20);
    const offset = number(at + 42);
    files.push({
      name: directory.toString('utf8', at + 46, at + 46 + nameLength),
      size,
      packed,
      offset,
      crc: directory.readUInt32LE(at + 16),
      isDeflated: directory.readUInt16LE(at + 10) === 8,
    });
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return files;
}

/** The 64-bit numbers of the ZIP64 field, in order: size, packed size, offset, those that need it. */
function wideNumbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 0x0001) continue;
    const numbers = Math.floor(extra.readUInt16LE(at + 2) / 8);
    return Array.from({ length: numbers }, (_, i) => Number(extra.readBigUInt64LE(at + 4 + 8 * i)));
  }
  return [];
}

async function readContent(handle: FileHandle, file: ZipFile): Promise<Buffer> {
  if (file.size > MAX_FILE_BYTES) throw new FuenteDanada('El archivo es demasiado grande.');
  const header = await readAt(handle, file.offset, file.offset + 30);
  const start = file.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(handle, start, start + file.packed);
  const content = file.isDeflated ? inflated(packed, file.size) : packed;
  if (content.length !== file.size || crc32(content) !== file.crc) {
    throw new FuenteDanada('El archivo está dañado dentro del ZIP.');
  }
  return content;
}

function inflated(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(size, 1) });
  } catch (cause) {
    throw new FuenteDanada('El archivo está dañado dentro del ZIP.', { cause });
  }
}

async function readAt(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(Math.max(to - from, 0), MAX_FILE_BYTES));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  if (bytesRead < buffer.length) throw new FuenteDanada('El ZIP está incompleto.');
  return buffer;
}
