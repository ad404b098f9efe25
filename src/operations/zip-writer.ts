import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib';
import { Spool } from './spool.ts';

/** A file of a ZIP: whole, or in pieces when it may not fit in memory (less than 4 GB either way). */
export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
}

/** Files of a ZIP made elsewhere, one after the other with their headers (`MemberPacker`). */
export interface PackedMembers {
  readonly members: Uint8Array<ArrayBuffer>;
  readonly files: readonly ({ readonly name: string } & Sizes)[];
}

/** Output is collected into pieces of this size: thousands of little writes would cost more than the files. */
const PIECE_BYTES = 256 * 1024;
const LEVEL = 3;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;

/**
 * Writes a ZIP piece by piece in constant memory, with no limit on files or size (ZIP64).
 *
 * The list of files comes at the end of a ZIP: 80 bytes per file, which for a million of them is more than everything
 * else here. So it is kept on disk until then, which no library that we know does. APPNOTE.TXT 6.3.10: local header
 * 4.3.7, directory 4.3.12, ZIP64 4.3.14, end 4.3.16.
 *
 * @param modified the date given to every file
 */
export async function* writeZip(
  entries: AsyncIterable<ZipEntry | PackedMembers>,
  modified: Date,
): AsyncGenerator<Buffer> {
  const stamp = dosStamp(modified);
  const directory = new Directory();
  const output = new Output();
  try {
    for await (const entry of entries) {
      if ('members' in entry) await putMembers(output, directory, entry, stamp);
      else yield* putFile(output, directory, entry, stamp);
      if (output.isFull) yield output.take();
    }
    const start = output.offset;
    for await (const piece of directory.pieces()) {
      output.put(piece);
      yield output.take();
    }
    output.put(endOf(directory.count, start, output.offset - start));
    yield output.take();
  } finally {
    await directory.remove();
  }
}

/** What has been written of a ZIP and not been taken yet. */
class Output {
  /** Of what comes next, from the beginning of the ZIP. */
  offset = 0;
  #pieces: Uint8Array[] = [];
  #size = 0;

  get isFull(): boolean {
    return this.#size >= PIECE_BYTES;
  }

  put(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#size += piece.length;
    this.offset += piece.length;
  }

  take(): Buffer {
    const [only] = this.#pieces;
    const taken = this.#pieces.length === 1 && only ? inBuffer(only) : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#size = 0;
    return taken;
  }
}

async function putMembers(
  output: Output,
  directory: Directory,
  { members, files }: PackedMembers,
  stamp: number,
): Promise<void> {
  let { offset } = output;
  for (const { name, ...sizes } of files) {
    const file = { name: Buffer.from(name), offset, stamp, isStreamed: false };
    await directory.add(file, sizes);
    offset += LOCAL_HEADER_BYTES + file.name.length + sizes.packed;
  }
  output.put(members);
}

/** Yields what is full while it puts a file that comes in pieces. */
async function* putFile(
  output: Output,
  directory: Directory,
  { name, content }: ZipEntry,
  stamp: number,
): AsyncGenerator<Buffer> {
  const file = { name: Buffer.from(name), offset: output.offset, stamp };
  if (!(Symbol.asyncIterator in content)) {
    const { deflated, sizes } = deflatedWhole(content);
    const whole = { ...file, isStreamed: false };
    output.put(localHeader(whole, sizes));
    output.put(deflated);
    return directory.add(whole, sizes);
  }
  const streamed = { ...file, isStreamed: true };
  const sizes = { crc: 0, packed: 0, unpacked: 0 };
  output.put(localHeader(streamed, sizes));
  for await (const piece of deflatedPieces(content, sizes)) {
    output.put(piece);
    if (output.isFull) yield output.take();
  }
  output.put(descriptor(sizes));
  await directory.add(streamed, sizes);
}

/**
 * Packs whole files as ZIP members with their headers. It runs in a thread, which does not know what comes before
 * them.
 */
export class MemberPacker {
  readonly #stamp: number;
  #pieces: Uint8Array[] = [];
  #files: ({ name: string } & Sizes)[] = [];

  /** @param modified the date given to every file */
  constructor(modified: Date) {
    this.#stamp = dosStamp(modified);
  }

  /** @param content no longer needed when this returns */
  add(name: string, content: Uint8Array): void {
    const { deflated, sizes } = deflatedWhole(content);
    const file = { name: Buffer.from(name), offset: 0, stamp: this.#stamp, isStreamed: false };
    this.#pieces.push(localHeader(file, sizes), deflated);
    this.#files.push({ name, ...sizes });
  }

  /** The members added since the last call. */
  take(): PackedMembers {
    const taken = { members: joined(this.#pieces), files: this.#files };
    this.#pieces = [];
    this.#files = [];
    return taken;
  }
}

/** In memory of its own, which can be transferred to another thread. */
function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

interface Sizes {
  crc: number;
  packed: number;
  unpacked: number;
}

interface File {
  readonly name: Buffer;
  /** Offset of its local header. */
  readonly offset: number;
  readonly stamp: number;
  /** Its sizes follow its content. */
  readonly isStreamed: boolean;
}

/** The same bytes as a Buffer, without copying. */
function inBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function deflatedWhole(content: Uint8Array): { deflated: Uint8Array; sizes: Sizes } {
  const deflated = deflateRawSync(content, { level: LEVEL });
  const sizes = { crc: crc32(content), packed: deflated.length, unpacked: content.length };
  return { deflated, sizes };
}

/** Deflates piece by piece, counting into `sizes`. */
async function* deflatedPieces(
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

/** The list of files, kept until the end: on disk, except for its last page. */
class Directory {
  count = 0;
  /** Entries are written one after the other: an object for each would take more memory than its content. */
  readonly #page = Buffer.allocUnsafe(PIECE_BYTES);
  #size = 0;
  #before: Spool | null = null;

  async add(file: File, sizes: Sizes): Promise<void> {
    if (this.#size + DIRECTORY_ENTRY_BYTES + file.name.length > PIECE_BYTES) await this.#turn();
    this.#size = writeDirectoryEntry(this.#page, this.#size, file, sizes);
    this.count += 1;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    if (this.#before) yield* await this.#before.read();
    yield this.#page.subarray(0, this.#size);
  }

  async remove(): Promise<void> {
    await this.#before?.remove();
  }

  async #turn(): Promise<void> {
    const page = this.#page.subarray(0, this.#size);
    if (this.#before) await this.#before.add(page);
    else this.#before = await Spool.open(page);
    this.#size = 0;
  }
}

/** Names in UTF-8 (bit 11); sizes after the content (bit 3). */
const flags = ({ isStreamed }: File) => 0x0800 | (isStreamed ? 0x0008 : 0);
const DEFLATE = 8;

const LOCAL_HEADER_BYTES = 30;

function localHeader(file: File, sizes: Sizes): Buffer {
  const header = Buffer.alloc(LOCAL_HEADER_BYTES + file.name.length);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  writeCommon(header, 6, file, sizes);
  file.name.copy(header, LOCAL_HEADER_BYTES);
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

/** Upper bound, without the name. */
const DIRECTORY_ENTRY_BYTES = 46 + 12;

/** @returns the position after it */
function writeDirectoryEntry(page: Buffer, at: number, file: File, sizes: Sizes): number {
  const isFar = file.offset >= MAX_32;
  const nameAt = at + 46;
  const extraAt = nameAt + file.name.length;
  const end = extraAt + (isFar ? 12 : 0);
  page.fill(0, at, nameAt);
  page.writeUInt32LE(0x02014b50, at);
  page.writeUInt16LE(45, at + 4);
  page.writeUInt16LE(isFar ? 45 : 20, at + 6);
  writeCommon(page, at + 8, file, sizes);
  page.writeUInt16LE(end - extraAt, at + 30);
  page.writeUInt32LE(isFar ? MAX_32 : file.offset, at + 42);
  file.name.copy(page, nameAt);
  if (isFar) {
    page.writeUInt16LE(0x0001, extraAt);
    page.writeUInt16LE(8, extraAt + 2);
    page.writeBigUInt64LE(BigInt(file.offset), extraAt + 4);
  }
  return end;
}

/** End of the ZIP, preceded by its ZIP64 twin when a number does not fit. */
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

/** MS-DOS time in the low half and date in the high one, to the nearest two seconds. */
function dosStamp(date: Date): number {
  const time =
    (date.getUTCHours() << 11) | (date.getUTCMinutes() << 5) | (date.getUTCSeconds() >> 1);
  const day =
    ((date.getUTCFullYear() - 1980) << 9) | ((date.getUTCMonth() + 1) << 5) | date.getUTCDate();
  return ((day << 16) | time) >>> 0;
}
