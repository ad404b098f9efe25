/** The tables of a TrueType file that a PDF needs (ISO 32000-1, 9.9), with some of its glyphs. */

/** A glyph as the file has it. */
interface Piece {
  readonly bytes: Buffer;
  /** Component glyphs, and where its bytes refer to each. */
  readonly parts: readonly { readonly at: number; readonly id: number }[];
}

/** Flags that a compound glyph has for each component (OpenType, «glyf»). */
const ARE_WORDS = 0x0001;
const HAS_SCALE = 0x0008;
const HAS_MORE = 0x0020;
const HAS_TWO_SCALES = 0x0040;
const HAS_MATRIX = 0x0080;

/** Tables that a subset copies unchanged, if the file has them. */
const COPIED = ['cvt ', 'fpgm', 'prep'] as const;

export class TrueType {
  readonly #bytes: Buffer;
  readonly #tables: ReadonlyMap<string, Buffer>;
  /** Nearly every document looks up the same glyphs: each is read once. */
  readonly #pieces = new Map<number, Piece>();
  readonly #hasLongOffsets: boolean;
  readonly #metrics: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#tables = this.#readTables();
    this.#hasLongOffsets = this.#table('head').readInt16BE(50) === 1;
    this.#metrics = this.#table('hhea').readUInt16BE(34);
  }

  /**
   * @param wanted glyphs in the order of their new numbers, beginning with .notdef (0). Components of compound glyphs
   *   are appended
   */
  subset(wanted: readonly number[]): Buffer {
    const numbers = new Map(wanted.map((id, index) => [id, index]));
    const glyphs: Buffer[] = [];
    const offsets: number[] = [0];
    const ids = [...wanted];
    for (let index = 0; index < ids.length; index++) {
      const { bytes, parts } = this.#piece(ids[index] as number);
      const own = parts.length === 0 ? bytes : Buffer.from(bytes);
      for (const { at, id } of parts) {
        if (!numbers.has(id)) numbers.set(id, ids.push(id) - 1);
        own.writeUInt16BE(numbers.get(id) as number, at);
      }
      glyphs.push(own);
      offsets.push((offsets[index] as number) + own.length);
    }

    const head = Buffer.from(this.#table('head'));
    head.writeInt16BE(1, 50); // 32-bit offsets.
    const hhea = Buffer.from(this.#table('hhea'));
    hhea.writeUInt16BE(ids.length, 34);
    const maxp = Buffer.from(this.#table('maxp'));
    maxp.writeUInt16BE(ids.length, 4);
    const loca = Buffer.alloc(offsets.length * 4);
    offsets.forEach((offset, index) => {
      loca.writeUInt32BE(offset, index * 4);
    });
    const hmtx = Buffer.alloc(ids.length * 4);
    ids.forEach((id, index) => {
      this.#copyMetric(id, hmtx, index * 4);
    });
    const copied = COPIED.flatMap((tag): [string, Buffer][] => {
      const table = this.#tables.get(tag);
      return table ? [[tag, table]] : [];
    });
    return joinTables([
      ...copied,
      ['glyf', Buffer.concat(glyphs)],
      ['head', head],
      ['hhea', hhea],
      ['hmtx', hmtx],
      ['loca', loca],
      ['maxp', maxp],
    ]);
  }

  #table(tag: string): Buffer {
    const table = this.#tables.get(tag);
    if (!table) throw new Error(`The font has no table ${tag}.`);
    return table;
  }

  #readTables(): Map<string, Buffer> {
    const count = this.#bytes.readUInt16BE(4);
    return new Map(
      Array.from({ length: count }, (_, index) => {
        const entry = 12 + index * 16;
        const offset = this.#bytes.readUInt32BE(entry + 8);
        const length = this.#bytes.readUInt32BE(entry + 12);
        const tag = this.#bytes.toString('latin1', entry, entry + 4);
        return [tag, this.#bytes.subarray(offset, offset + length)];
      }),
    );
  }

  #piece(id: number): Piece {
    const known = this.#pieces.get(id);
    if (known) return known;
    const [from, to] = [this.#offsetOf(id), this.#offsetOf(id + 1)];
    // Each begins at a multiple of four, as tables do.
    const bytes = Buffer.alloc(Math.ceil((to - from) / 4) * 4);
    this.#table('glyf').copy(bytes, 0, from, to);
    const isCompound = to > from && bytes.readInt16BE(0) < 0;
    const piece: Piece = { bytes, parts: isCompound ? partsOf(bytes) : [] };
    this.#pieces.set(id, piece);
    return piece;
  }

  #offsetOf(id: number): number {
    const loca = this.#table('loca');
    return this.#hasLongOffsets ? loca.readUInt32BE(id * 4) : loca.readUInt16BE(id * 2) * 2;
  }

  /** The last glyphs of a file may share their width, and only have a left side bearing. */
  #copyMetric(id: number, into: Buffer, at: number): void {
    const hmtx = this.#table('hmtx');
    const last = this.#metrics - 1;
    hmtx.copy(into, at, Math.min(id, last) * 4, Math.min(id, last) * 4 + 4);
    if (id > last) hmtx.copy(into, at + 2, (last + 1) * 4 + (id - last - 1) * 2, undefined);
  }
}

function partsOf(bytes: Buffer): { at: number; id: number }[] {
  const parts: { at: number; id: number }[] = [];
  let at = 10;
  for (;;) {
    const flags = bytes.readUInt16BE(at);
    parts.push({ at: at + 2, id: bytes.readUInt16BE(at + 2) });
    if (!(flags & HAS_MORE)) return parts;
    at += 4 + (flags & ARE_WORDS ? 4 : 2);
    if (flags & HAS_SCALE) at += 2;
    else if (flags & HAS_TWO_SCALES) at += 4;
    else if (flags & HAS_MATRIX) at += 8;
  }
}

/** Without checksums, which nobody checks inside a PDF. */
function joinTables(tables: readonly (readonly [tag: string, bytes: Buffer])[]): Buffer {
  const log = Math.floor(Math.log2(tables.length));
  const header = Buffer.alloc(12 + tables.length * 16);
  header.writeUInt32BE(0x00010000, 0);
  header.writeUInt16BE(tables.length, 4);
  header.writeUInt16BE(2 ** log * 16, 6);
  header.writeUInt16BE(log, 8);
  header.writeUInt16BE((tables.length - 2 ** log) * 16, 10);
  const pieces: Uint8Array[] = [header];
  let offset = header.length;
  tables.forEach(([tag, bytes], index) => {
    const entry = 12 + index * 16;
    header.write(tag, entry, 'latin1');
    header.writeUInt32BE(offset, entry + 8);
    header.writeUInt32BE(bytes.length, entry + 12);
    const rest = -bytes.length & 3;
    pieces.push(bytes, Buffer.alloc(rest));
    offset += bytes.length + rest;
  });
  return Buffer.concat(pieces);
}
