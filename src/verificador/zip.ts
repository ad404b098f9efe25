/** Reading a ZIP in a browser, of any size (ZIP64): a file of it is read when its turn comes. */

import { type Fuente, FuenteDanada } from '../domain/verifactu/comprobar.ts';

const END_LENGTH = 22;
const MAX_COMMENT = 0xffff;
const MAX_FILE_BYTES = 1024 * 1024 * 1024;
const DAMAGED = 'El archivo está dañado dentro del ZIP.';

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly offset: number;
  readonly isDeflated: boolean;
}

/** The files of a ZIP. @throws {FuenteDanada} */
export async function sourcesOfZip(zip: Blob): Promise<Fuente[]> {
  try {
    const entries = await readDirectory(zip);
    return entries
      .filter(({ name }) => !name.endsWith('/'))
      .map((entry) => ({ name: entry.name, read: () => readContent(zip, entry) }));
  } catch (error) {
    if (error instanceof RangeError) throw new FuenteDanada('El ZIP está dañado o incompleto.');
    throw error;
  }
}

async function viewOf(zip: Blob, from: number, to: number): Promise<DataView> {
  const buffer = await zip.slice(from, to).arrayBuffer();
  if (buffer.byteLength < to - from) throw new FuenteDanada('El ZIP está incompleto.');
  return new DataView(buffer);
}

async function readDirectory(zip: Blob): Promise<Entry[]> {
  const tail = await viewOf(zip, Math.max(0, zip.size - END_LENGTH - MAX_COMMENT), zip.size);
  let at = tail.byteLength - END_LENGTH;
  while (at >= 0 && tail.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw new FuenteDanada('No es un ZIP, o está incompleto.');
  let count = tail.getUint16(at + 10, true);
  let length = tail.getUint32(at + 12, true);
  let start = tail.getUint32(at + 16, true);
  if (at >= 20 && tail.getUint32(at - 20, true) === 0x07064b50) {
    const end64At = Number(tail.getBigUint64(at - 12, true));
    const end64 = await viewOf(zip, end64At, end64At + 56);
    count = Number(end64.getBigUint64(32, true));
    length = Number(end64.getBigUint64(40, true));
    start = Number(end64.getBigUint64(48, true));
  }
  return parseDirectory(await viewOf(zip, start, start + length), count);
}

function parseDirectory(directory: DataView, count: number): Entry[] {
  const entries: Entry[] = [];
  const decoder = new TextDecoder();
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (directory.getUint32(at, true) !== 0x02014b50) throw new FuenteDanada('El ZIP está dañado.');
    const nameLength = directory.getUint16(at + 28, true);
    const extraLength = directory.getUint16(at + 30, true);
    const wide = wideNumbers(directory, at + 46 + nameLength, extraLength);
    const number = (place: number) => {
      const value = directory.getUint32(at + place, true);
      return value === 0xffff_ffff ? (wide.shift() ?? value) : value;
    };
    const size = number(24);
    const packed = number(20);
    const offset = number(42);
    entries.push({
      name: decoder.decode(
        new Uint8Array(directory.buffer, directory.byteOffset + at + 46, nameLength),
      ),
      size,
      packed,
      offset,
      crc: directory.getUint32(at + 16, true),
      isDeflated: directory.getUint16(at + 10, true) === 8,
    });
    at += 46 + nameLength + extraLength + directory.getUint16(at + 32, true);
  }
  return entries;
}

/** The 64-bit numbers of the ZIP64 field, in order: size, packed size, offset, those that need it. */
function wideNumbers(directory: DataView, from: number, length: number): number[] {
  for (let at = from; at + 4 <= from + length; at += 4 + directory.getUint16(at + 2, true)) {
    if (directory.getUint16(at, true) !== 0x0001) continue;
    const numbers = Math.floor(directory.getUint16(at + 2, true) / 8);
    return Array.from({ length: numbers }, (_, i) =>
      Number(directory.getBigUint64(at + 4 + 8 * i, true)),
    );
  }
  return [];
}

async function readContent(zip: Blob, entry: Entry): Promise<Uint8Array> {
  if (entry.size > MAX_FILE_BYTES) throw new FuenteDanada('El archivo es demasiado grande.');
  const header = await viewOf(zip, entry.offset, entry.offset + 30);
  const start = entry.offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
  const packed = zip.slice(start, start + entry.packed);
  const content = entry.isDeflated
    ? await inflated(packed, entry.size)
    : new Uint8Array(await packed.arrayBuffer());
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    throw new FuenteDanada(DAMAGED);
  }
  return content;
}

/** Stops at the size that was told: a bomb is not blown up. */
async function inflated(packed: Blob, size: number): Promise<Uint8Array> {
  const content = new Uint8Array(size);
  let length = 0;
  try {
    const reader = packed.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      if (length + read.value.length > size) throw new FuenteDanada(DAMAGED);
      content.set(read.value, length);
      length += read.value.length;
    }
  } catch (cause) {
    throw new FuenteDanada(DAMAGED, { cause });
  }
  return content.subarray(0, length);
}

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8);
  return (crc ^ 0xffff_ffff) >>> 0;
}
