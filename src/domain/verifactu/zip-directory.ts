/**
 * Reads the file list of a ZIP of any size (ZIP64). Shared by the command, which has a disk, and the page, which has
 * no network.
 */

import { FuenteDanada } from './comprobar.ts';

export interface ZipEntry {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly crc: number;
  readonly offset: number;
  readonly isDeflated: boolean;
}

/**
 * The bytes between two positions of the ZIP.
 *
 * @throws {FuenteDanada} when they are not all there
 */
export type BytesOf = (from: number, to: number) => Promise<DataView>;

/** Larger than any file we write: a ZIP that claims more is no export. */
export const MAX_FILE_BYTES = 1024 * 1024 * 1024;

const MAX_COMMENT = 0xffff;
const END_LENGTH = 22;

/**
 * @param size of the whole ZIP
 * @throws {FuenteDanada}
 */
export async function readDirectory(size: number, bytesOf: BytesOf): Promise<ZipEntry[]> {
  try {
    return await findDirectory(size, bytesOf);
  } catch (error) {
    if (error instanceof RangeError) throw new FuenteDanada('El ZIP está dañado o incompleto.');
    throw error;
  }
}

/**
 * Where the packed bytes of a file begin.
 *
 * @throws {FuenteDanada} when it is too large, or missing
 */
export async function contentStart({ size, offset }: ZipEntry, bytesOf: BytesOf): Promise<number> {
  if (size > MAX_FILE_BYTES) throw new FuenteDanada('El archivo es demasiado grande.');
  const header = await bytesOf(offset, offset + 30);
  return offset + 30 + header.getUint16(26, true) + header.getUint16(28, true);
}

async function findDirectory(size: number, bytesOf: BytesOf): Promise<ZipEntry[]> {
  const tail = await bytesOf(Math.max(0, size - END_LENGTH - MAX_COMMENT), size);
  let at = tail.byteLength - END_LENGTH;
  while (at >= 0 && tail.getUint32(at, true) !== 0x06054b50) at -= 1;
  if (at < 0) throw new FuenteDanada('No es un ZIP, o está incompleto.');
  let count = tail.getUint16(at + 10, true);
  let length = tail.getUint32(at + 12, true);
  let start = tail.getUint32(at + 16, true);
  if (at >= 20 && tail.getUint32(at - 20, true) === 0x07064b50) {
    const end64At = Number(tail.getBigUint64(at - 12, true));
    const end64 = await bytesOf(end64At, end64At + 56);
    count = Number(end64.getBigUint64(32, true));
    length = Number(end64.getBigUint64(40, true));
    start = Number(end64.getBigUint64(48, true));
  }
  return parseDirectory(await bytesOf(start, start + length), count);
}

function parseDirectory(directory: DataView, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
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

/** The 64-bit numbers of the ZIP64 field, in order: size, packed size and offset, as far as they are needed. */
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
