import { type FileHandle, open } from 'node:fs/promises';
import { crc32, inflateRawSync } from 'node:zlib';
import { FuenteDanada } from '../domain/verifactu/comprobar.ts';
import {
  type BytesOf,
  contentStart,
  MAX_FILE_BYTES,
  readDirectory,
  type ZipEntry,
} from '../domain/verifactu/zip-directory.ts';

/** An open ZIP: its files are read one at a time, on demand. */
export interface Zip {
  readonly files: readonly ZipEntry[];
  /** @throws {FuenteDanada} when its bytes are not what the ZIP says */
  readonly read: (file: ZipEntry) => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/**
 * Opens a ZIP, of any size (ZIP64).
 *
 * @throws {FuenteDanada}
 */
export async function openZip(path: string): Promise<Zip> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const files = await readDirectory(size, bytesOf(handle));
    return { files, read: (file) => readContent(handle, file), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readContent(handle: FileHandle, file: ZipEntry): Promise<Buffer> {
  const start = await contentStart(file, bytesOf(handle));
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

function bytesOf(handle: FileHandle): BytesOf {
  return async (from, to) => {
    const { buffer, byteOffset, byteLength } = await readAt(handle, from, to);
    return new DataView(buffer, byteOffset, byteLength);
  };
}

async function readAt(handle: FileHandle, from: number, to: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(Math.max(to - from, 0), MAX_FILE_BYTES));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
  if (bytesRead < buffer.length) throw new FuenteDanada('El ZIP está incompleto.');
  return buffer;
}
