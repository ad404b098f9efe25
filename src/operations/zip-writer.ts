import { crc32, createDeflateRaw, deflateRawSync, inflateRawSync } from 'node:zlib';

/**
 * A file of a ZIP: whole, or in pieces when it may not fit in memory (less than 4 GB either way), or deflated
 * already.
 */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array> | DeflatedContent;
}

export interface DeflatedContent {
  readonly deflated: Uint8Array;
  readonly crc: number;
  /** Bytes before deflating. */
  readonly size: number;
}

/** Pieces of this size or more go out: thousands of little writes would cost more than the files. */
const PIECE_BYTES = 256 * 1024;
const LEVEL = 3;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

/**
 * Writes a ZIP piece by piece, with files and size without limit (ZIP64), in flat memory.
 *
 * The list of files at the end of a ZIP must wait until then: 80 bytes per file, which for a million
 * of them is more than everything else here. It waits deflated, which no library we know of does.
 * APPNOTE.TXT 6.3.10: local header 4.3.7, directory 4.3.12, ZIP64 4.3.14, end 4.3.16.
 *
 * @param modified what every file says as its date
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry>,
  modified: Date,
): AsyncGenerator<Buffer> {
  const stamp = dosStamp(modified);
  const directory = new Directory();
  let offset = 0;
  let pieces: Uint8Array[] = [];
  let size = 0;
  const put = (piece: Uint8Array) => {
    pieces.push(piece);
    size += piece.length;
    offset += piece.length;
  };
  const take = () => {
    const taken = Buffer.concat(pieces);
    pieces = [];
    size = 0;
    return taken;
  };

  for await (const { name, content } of entries) {
    const isStreamed = Symbol.asyncIterator in content;
    const file = { name: Buffer.from(name), offset, stamp, isStreamed };
    if (!isStreamed) {
      const { deflated, crc, size: unpacked } = isWhole(content) ? deflate(content) : content;
      const sizes = { crc, packed: deflated.length, unpacked };
      put(localHeader(file, sizes));
      put(deflated);
      directory.add(directoryEntry(file, sizes));
    } else {
      put(localHeader(file, { crc: 0, packed: 0, unpacked: 0 }));
      const sizes = { crc: 0, packed: 0, unpacked: 0 };
      for await (const piece of deflated(content, sizes)) {
        put(piece);
        if (size >= PIECE_BYTES) yield take();
      }
      put(descriptor(sizes));
      directory.add(directoryEntry(file, sizes));
    }
    if (size >= PIECE_BYTES) yield take();
  }

  const start = offset;
  for (const piece of directory.pieces()) {
    put(piece);
    yield take();
  }
  put(endOf(directory.count, start, offset - start));
  yield take();
}

interface Sizes {
  crc: number;
  packed: number;
  unpacked: number;
}

interface File {
  readonly name: Buffer;
  /** Where its local header begins. */
  readonly offset: number;
  readonly stamp: number;
  /** Its sizes come behind it. */
  readonly isStreamed: boolean;
}

function isWhole(content: ZipEntry['content']): content is Uint8Array {
  return content instanceof Uint8Array;
}

function deflate(content: Uint8Array): DeflatedContent {
  const deflated = deflateRawSync(content, { level: LEVEL });
  return { deflated, crc: crc32(content), size: content.length };
}

/** Deflates piece by piece, counting into `sizes`. */
async function* deflated(
  content: AsyncIterable<Uint8Array>,
  sizes: Sizes,
): AsyncGenerator<Uint8Array> {
  const deflate = createDeflateRaw({ level: LEVEL });
  const fed = (async () => {
    for await (const piece of content) {
      sizes.crc = crc32(piece, sizes.crc);
      sizes.unpacked += piece.length;
      if (!deflate.write(piece)) await new Promise((resolve) => deflate.once('drain', resolve));
    }
    deflate.end();
  })();
  fed.catch((error: Error) => deflate.destroy(error));
  for await (const piece of deflate) {
    sizes.packed += piece.length;
    yield piece;
  }
  await fed;
  if (sizes.unpacked > MAX_32 || sizes.packed > MAX_32) throw new Error('A file is over 4 GB.');
}

/** The list of files, waiting deflated until the end. */
class Directory {
  count = 0;
  readonly #packed: Buffer[] = [];
  #waiting: Buffer[] = [];
  #size = 0;

  add(entry: Buffer): void {
    this.count += 1;
    this.#waiting.push(entry);
    this.#size += entry.length;
    if (this.#size >= PIECE_BYTES) this.#pack();
  }

  *pieces(): Generator<Buffer> {
    for (const piece of this.#packed) yield inflateRawSync(piece);
    yield Buffer.concat(this.#waiting);
  }

  #pack(): void {
    this.#packed.push(deflateRawSync(Buffer.concat(this.#waiting), { level: LEVEL }));
    this.#waiting = [];
    this.#size = 0;
  }
}

/** Names in UTF-8 (bit 11); sizes behind the content (bit 3). */
const flags = ({ isStreamed }: File) => 0x0800 | (isStreamed ? 0x0008 : 0);
const DEFLATE = 8;

function localHeader(file: File, sizes: Sizes): Buffer {
  const header = Buffer.alloc(30 + file.name.length);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeCommon(header, 6, file, sizes);
  file.name.copy(header, 30);
  return header;
}

/** Flags, method, date, CRC, sizes and lengths: the same in both headers. */
function writeCommon(
  header: Buffer,
  at: number,
  file: File,
  { crc, packed, unpacked }: Sizes,
): void {
  header.writeUInt16LE(flags(file), at);
  header.writeUInt16LE(DEFLATE, at + 2);
  header.writeUInt32LE(file.stamp, at + 4);
  header.writeUInt32LE(crc, at + 8);
  header.writeUInt32LE(packed, at + 12);
  header.writeUInt32LE(unpacked, at + 16);
  header.writeUInt16LE(file.name.length, at + 20);
}

function descriptor({ crc, packed, unpacked }: Sizes): Buffer {
  const data = Buffer.alloc(16);
  data.writeUInt32LE(0x08074b50, 0);
  data.writeUInt32LE(crc, 4);
  data.writeUInt32LE(packed, 8);
  data.writeUInt32LE(unpacked, 12);
  return data;
}

function directoryEntry(file: File, sizes: Sizes): Buffer {
  const isFar = file.offset >= MAX_32;
  const extra = Buffer.alloc(isFar ? 12 : 0);
  if (isFar) {
    extra.writeUInt16LE(0x0001, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(file.offset), 4);
  }
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(45, 4);
  header.writeUInt16LE(isFar ? 45 : 20, 6);
  writeCommon(header, 8, file, sizes);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(isFar ? MAX_32 : file.offset, 42);
  return Buffer.concat([header, file.name, extra]);
}

/** End of the ZIP, behind its ZIP64 twin when a number does not fit. */
function endOf(count: number, start: number, length: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(length, MAX_32), 12);
  end.writeUInt32LE(Math.min(start, MAX_32), 16);
  if (count < MAX_16 && start < MAX_32 && length < MAX_32) return end;

  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(length), 40);
  end64.writeBigUInt64LE(BigInt(start), 48);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(start + length), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

/** MS-DOS time in the low half and date in the high one; two seconds is its finest. */
function dosStamp(date: Date): number {
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return ((day << 16) | time) >>> 0;
}
