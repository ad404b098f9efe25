import { deflateSync } from 'node:zlib';
import PDFDocument from 'pdfkit';
import { escapeXml } from '../domain/verifactu/text.ts';
import { EmbeddedFonts } from './embedded-fonts.ts';
import { Branch, ParentTree } from './structure.ts';
import { textOf } from './syntax.ts';

/** The parts of a pdfkit object that its types do not declare. */
interface Reference {
  readonly document: PackedDocument;
  readonly id: number;
  readonly data: Record<string, unknown>;
  readonly buffer: (string | Uint8Array)[];
  readonly compress: boolean;
}

interface Internals {
  readonly _offsets: unknown[];
  readonly _id: Uint8Array;
  readonly _info: unknown;
  readonly _root: unknown;
  _refEnd(reference: Reference): void;
}

/** Higher levels save 600 bytes more in an invoice, for a tenth of a millisecond of the two that drawing takes. */
const LEVEL = { level: 3 } as const;

/** Bytes of each field in the cross-reference table: the kind of entry, and its two numbers. */
const ENTRY = [1, 4, 2] as const;
const FREE = 0;
const IN_FILE = 1;
const IN_PACK = 2;

/**
 * A pdfkit document whose file is written here. Objects without a stream of their own (pages, fonts, a leaf of the
 * structure for each text) are packed together, and so is the cross-reference table (ISO 32000-1, 7.5.7 and 7.5.8).
 * pdfkit writes them one by one, which takes a third of the file of an invoice.
 */
export class PackedDocument extends PDFDocument {
  /**
   * Kept here: V8 frees the entry of a WeakMap only when it collects the whole heap, and a value that refers to its key
   * keeps both until then.
   */
  readonly fonts = new EmbeddedFonts(this);
  readonly parentTree = new ParentTree();
  readonly #pieces: Uint8Array[] = [];
  #length = 0;
  /** The offset of each object that has a stream, by its number. */
  readonly #offsets = new Map<number, number>();
  /** The other objects, one after another, with the number and position of each. */
  #packed = '';
  readonly #index: number[] = [];

  /** The whole file, once the document has ended. */
  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  override ref(data: object): PDFKit.PDFKitReference {
    return Object.assign(super.ref(data), { write: writeToThis, finalize: finalizeThis });
  }

  /** Writes a complete object; at once if it has a stream. */
  writeObject(reference: Reference): void {
    const { id, data, buffer, compress } = reference;
    if (buffer.length > 0) {
      const bytes = Buffer.concat(buffer.map(bytesOf));
      if (compress)
        this.#writeStream(id, { ...data, Filter: 'FlateDecode' }, deflateSync(bytes, LEVEL));
      else this.#writeStream(id, data, bytes);
    } else {
      this.packObject(id, textOf(data));
    }
    (this as unknown as Internals)._refEnd(reference);
  }

  /** Reserves the number of an object that pdfkit does not know. */
  newNumber(): number {
    return (this as unknown as Internals)._offsets.push(null);
  }

  /** Writes a complete object without a stream. */
  packObject(id: number, text: string): void {
    this.#index.push(id, this.#packed.length);
    this.#packed += `${text}\n`;
  }

  /** Starts the structure of the document, before any page. */
  openStructure(type: string): Branch {
    const { id, data } = this.getStructTreeRoot() as unknown as Reference;
    const root = new Branch(this, type, id);
    data.ParentTree = this.parentTree;
    data.K = [root];
    return root;
  }

  /**
   * pdfkit copies title and author unescaped into its XML metadata, where a «&» in a name would break it. When it
   * writes that XML, the plain texts are already in the file.
   */
  override endMetadata(): void {
    this.info.Title = escapeXml(this.info.Title ?? '');
    this.info.Author = escapeXml(this.info.Author ?? '');
    super.endMetadata();
  }

  /** Discards what pdfkit would write. */
  _write(): void {}

  /** Called by pdfkit once every object has been written. */
  _finalize(): void {
    const { _offsets, _id, _info, _root } = this as unknown as Internals;
    const pack = _offsets.length + 1;
    const index = this.#index.join(' ');
    this.#writeStream(
      pack,
      { Type: 'ObjStm', N: this.#index.length / 2, First: index.length + 1, Filter: 'FlateDecode' },
      deflateSync(Buffer.from(`${index}\n${this.#packed}`, 'latin1'), LEVEL),
    );
    const table = pack + 1;
    const startsAt = this.#length;
    this.#offsets.set(table, startsAt);
    this.#writeStream(
      table,
      {
        Type: 'XRef',
        Size: table + 1,
        W: ENTRY,
        Root: _root,
        Info: _info,
        ID: [_id, _id],
      },
      this.#tableOf(table + 1, pack),
    );
    this.#write(`startxref\n${startsAt}\n%%EOF\n`);
  }

  /** @param pack number of the object that contains the packed ones */
  #tableOf(count: number, pack: number): Buffer {
    const [kindBytes, firstBytes, secondBytes] = ENTRY;
    const width = kindBytes + firstBytes + secondBytes;
    const table = Buffer.alloc(count * width);
    const write = (id: number, kind: number, first: number, second: number) => {
      table.writeUInt8(kind, id * width);
      table.writeUInt32BE(first, id * width + kindBytes);
      table.writeUInt16BE(second, id * width + kindBytes + firstBytes);
    };
    write(0, FREE, 0, 0xffff); // There is no object number 0.
    for (const [id, offset] of this.#offsets) write(id, IN_FILE, offset, 0);
    for (let at = 0; at < this.#index.length; at += 2) {
      write(this.#index[at] as number, IN_PACK, pack, at / 2);
    }
    return table;
  }

  #writeStream(id: number, data: object, bytes: Uint8Array): void {
    if (this.#length === 0) this.#write('%PDF-1.7\n%\xff\xff\xff\xff\n');
    this.#offsets.set(id, this.#length);
    this.#write(`${id} 0 obj\n${textOf({ ...data, Length: bytes.length })}\nstream\n`);
    this.#write(bytes);
    this.#write('\nendstream\nendobj\n');
  }

  #write(piece: string | Uint8Array): void {
    const bytes = bytesOf(piece);
    this.#pieces.push(bytes);
    this.#length += bytes.length;
  }
}

/**
 * Collects text as text: pdfkit would keep each operator as a separate array of bytes. One function for all objects: a
 * closure for each, kept in its object, made V8 hold drawn documents until it collected the whole heap.
 */
function writeToThis(this: Reference, chunk: string | Uint8Array): void {
  const { buffer } = this;
  const last = buffer.length - 1;
  if (typeof chunk !== 'string') buffer.push(chunk);
  else if (typeof buffer[last] === 'string') buffer[last] += `${chunk}\n`;
  else buffer.push(`${chunk}\n`);
}

function bytesOf(piece: string | Uint8Array): Uint8Array {
  return typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece;
}

function finalizeThis(this: Reference): void {
  this.document.writeObject(this);
}
