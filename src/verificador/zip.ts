/** Reads a ZIP in a browser: each file is read when its turn comes. */

import { type Fuente, FuenteDanada } from '../domain/verifactu/comprobar.ts';
import {
  type BytesOf,
  contentStart,
  readDirectory,
  type ZipEntry,
} from '../domain/verifactu/zip-directory.ts';

const DAMAGED = 'El archivo está dañado dentro del ZIP.';

/** The files of a ZIP. @throws {FuenteDanada} */
export async function sourcesOfZip(zip: Blob): Promise<Fuente[]> {
  const entries = await readDirectory(zip.size, bytesOf(zip));
  return entries
    .filter(({ name }) => !name.endsWith('/'))
    .map((entry) => ({ name: entry.name, read: () => readContent(zip, entry) }));
}

function bytesOf(zip: Blob): BytesOf {
  return async (from, to) => {
    const buffer = await zip.slice(from, to).arrayBuffer();
    if (buffer.byteLength < to - from) throw new FuenteDanada('El ZIP está incompleto.');
    return new DataView(buffer);
  };
}

async function readContent(zip: Blob, entry: ZipEntry): Promise<Uint8Array> {
  const start = await contentStart(entry, bytesOf(zip));
  const packed = zip.slice(start, start + entry.packed);
  const content = entry.isDeflated
    ? await inflated(packed, entry.size)
    : new Uint8Array(await packed.arrayBuffer());
  if (content.length !== entry.size || crc32(content) !== entry.crc) {
    throw new FuenteDanada(DAMAGED);
  }
  return content;
}

/** Stops at the declared size, so that a ZIP bomb is not inflated. */
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
