import type { Deps } from '../deps.ts';
import { nextSeqAfter } from '../store/registros.ts';

/** Registros read at a time: less than half a megabyte, whatever the length of the cadena. */
const BATCH = 150;
/** Reads under way, each on a connection of its own, so that none waits for what is done with these. */
const AHEAD = 3;

/**
 * Goes through the places `(afterSeq, lastSeq]` of a cadena, some after others, while the next ones are read.
 *
 * @param read those of `(afterSeq, toSeq]`, in pieces: none when there are none
 */
export async function* readAhead<Batch extends readonly unknown[]>(
  sql: Deps['sql'],
  companyId: number,
  { afterSeq, lastSeq }: { readonly afterSeq: number; readonly lastSeq: number },
  read: (afterSeq: number, toSeq: number) => Promise<Batch>,
): AsyncGenerator<Batch> {
  let reads: Promise<Batch>[] = [];
  let asked = afterSeq;
  for (let from = afterSeq; from < lastSeq; ) {
    for (; reads.length < AHEAD && asked < lastSeq; asked += BATCH) {
      const next = read(asked, Math.min(asked + BATCH, lastSeq));
      next.catch(() => undefined); // Awaited in its turn, which says so.
      reads.push(next);
    }
    const batch = await reads.shift();
    from += BATCH;
    if (batch && batch.length > 0) yield batch;
    else {
      // A gap of any length, which is not walked through: nobody left it there in good faith.
      from = ((await nextSeqAfter(sql, companyId, from)) ?? lastSeq + 1) - 1;
      asked = from;
      reads = [];
    }
  }
}
