import type { Tx } from './sql.ts';

/** A row as PostgreSQL copies it out. One object for all, which says another thing when the next one is read. */
export interface CopiedRow {
  /** Read over by the next ones (`openToCopy`): what is to stay is copied. */
  readonly bytes: Buffer;
  /**
   * The column `i` stands from `limits[2 * i]` to `limits[2 * i + 1]`, not included, in the binary form of its
   * type: a text in UTF-8, an `int8` as such. Null takes no bytes, like an empty text.
   */
  readonly limits: Int32Array;
}

/**
 * Goes through the rows of a query, each as its bytes: half of what PostgreSQL takes for rows of a `select` that
 * join as much, and a third of what the driver and the memory that it asks for take.
 *
 * @param query without parameters: a copy takes none
 * @param take called with each row, in their order; what it throws is thrown once all have gone by
 */
export async function eachCopied(
  tx: Tx,
  query: string,
  take: (row: CopiedRow) => void,
): Promise<void> {
  const reader = new RowReader();
  let failure: { readonly cause: unknown } | null = null;
  const copy = tx.unsafe(`copy (${query}) to stdout (format binary)`) as unknown as CopyQuery;
  copy.onCopied = (bytes, start, end) => {
    try {
      // Gone through to its end whatever happens: the connection is of no use in the middle of a copy.
      if (!failure) reader.read(bytes, start, end, take);
    } catch (cause) {
      failure = { cause };
    }
  };
  await copy;
  if (failure) throw (failure as { readonly cause: unknown }).cause;
  if (!reader.isAtEnd) throw new Error('The copy has no end.');
}

/**
 * Takes messages with copied rows, whole and one behind the other, from `start` to `end`, not included. The bytes may
 * say another thing when it has returned.
 */
export type TakeCopied = (bytes: Buffer, start: number, end: number) => void;

/** A query of the driver, as `guard-postgres.mjs` mends it: what it copies is given as it comes, not by a stream. */
interface CopyQuery extends PromiseLike<unknown> {
  onCopied?: TakeCopied;
}

/** Before what is copied, and before each column. */
const LENGTH_BYTES = 4;
/** Of a message (PostgreSQL, «Message Formats»). */
const TYPE_BYTES = 1;
/** `PGCOPY\n\377\r\n\0`, flags, and what a later version may add (COPY, «Binary Format»). */
const SIGNATURE_BYTES = 11;
const FLAGS_BYTES = 4;
const COLUMNS_BYTES = 2;

class RowReader {
  /** Whether what ends a copy was read. */
  isAtEnd = false;
  #isHeadRead = false;
  #row: { bytes: Buffer; limits: Int32Array } = {
    bytes: Buffer.alloc(0),
    limits: new Int32Array(0),
  };

  /** Reads whole messages (`CopyData`), each with whole rows, as PostgreSQL sends them. */
  read(bytes: Buffer, start: number, end: number, take: (row: CopiedRow) => void): void {
    this.#row.bytes = bytes;
    for (let at = start; at < end; ) {
      const message = at + TYPE_BYTES;
      at = message + bytes.readUInt32BE(message);
      this.#readRows(message + LENGTH_BYTES, at, take);
    }
  }

  #readRows(start: number, end: number, take: (row: CopiedRow) => void): void {
    const { bytes } = this.#row;
    let at = start;
    if (!this.#isHeadRead) at += headLength(bytes, start);
    this.#isHeadRead = true;
    while (at < end) {
      const columns = bytes.readInt16BE(at);
      at += COLUMNS_BYTES;
      if (columns === -1) {
        this.isAtEnd = true;
        return;
      }
      if (this.#row.limits.length !== 2 * columns) this.#row.limits = new Int32Array(2 * columns);
      const { limits } = this.#row;
      for (let i = 0; i < columns; i++) {
        const length = bytes.readInt32BE(at);
        at += LENGTH_BYTES;
        limits[2 * i] = at;
        at += Math.max(0, length); // -1 for null.
        limits[2 * i + 1] = at;
      }
      if (at > end) throw new Error('A row came in pieces.');
      take(this.#row);
    }
  }
}

function headLength(bytes: Buffer, start: number): number {
  const more = bytes.readInt32BE(start + SIGNATURE_BYTES + FLAGS_BYTES);
  return SIGNATURE_BYTES + FLAGS_BYTES + LENGTH_BYTES + more;
}
