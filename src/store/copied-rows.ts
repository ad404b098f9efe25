import { finished } from 'node:stream/promises';
import { goOnBehind } from './copy-out.ts';
import type { Tx } from './sql.ts';

/** A row as PostgreSQL copies it out. One object for all, which says another thing when the next one is read. */
export interface CopiedRow {
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
  const rows = await tx.unsafe(`copy (${query}) to stdout (format binary)`).readable();
  const reader = new RowReader();
  let failure: { readonly cause: unknown } | null = null;
  try {
    // Read to its end whatever happens: the connection is of no use in the middle of a copy.
    rows.on('data', (piece: Buffer) => {
      if (failure) return;
      try {
        reader.read(piece, take);
      } catch (cause) {
        failure = { cause };
      }
    });
    await finished(rows); // Also of one that has failed already.
  } finally {
    goOnBehind(rows);
  }
  if (failure) throw (failure as { readonly cause: unknown }).cause;
}

/** `PGCOPY\n\377\r\n\0`, flags, and what a later version may add (COPY, «Binary Format»). */
const SIGNATURE_BYTES = 11;
const FLAGS_BYTES = 4;
const COLUMNS_BYTES = 2;
const LENGTH_BYTES = 4;

class RowReader {
  #isHeadRead = false;
  #row: { bytes: Buffer; limits: Int32Array } = {
    bytes: Buffer.alloc(0),
    limits: new Int32Array(0),
  };

  /** @param piece whole rows: PostgreSQL sends each as a message, which the driver does not cut */
  read(piece: Buffer, take: (row: CopiedRow) => void): void {
    let at = this.#isHeadRead ? 0 : behindHead(piece);
    this.#isHeadRead = true;
    while (at < piece.length) {
      const columns = piece.readInt16BE(at);
      at += COLUMNS_BYTES;
      if (columns === -1) return; // The end.
      if (this.#row.limits.length !== 2 * columns) this.#row.limits = new Int32Array(2 * columns);
      const { limits } = this.#row;
      for (let i = 0; i < columns; i++) {
        const length = piece.readInt32BE(at);
        at += LENGTH_BYTES;
        limits[2 * i] = at;
        at += Math.max(0, length); // -1 for null.
        limits[2 * i + 1] = at;
      }
      if (at > piece.length) throw new Error('A row came in pieces.');
      this.#row.bytes = piece;
      take(this.#row);
    }
  }
}

function behindHead(piece: Buffer): number {
  const more = piece.readInt32BE(SIGNATURE_BYTES + FLAGS_BYTES);
  return SIGNATURE_BYTES + FLAGS_BYTES + LENGTH_BYTES + more;
}
