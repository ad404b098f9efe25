import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import type { InThread, ThreadName, Threads } from '../operations/thread.ts';
import { openDatabase } from '../platform/database.ts';
import { walled, within } from '../store/company-wall.ts';
import type { Sql } from '../store/sql.ts';

/** Pieces made before the first of them is asked for. */
const AHEAD = 2;

/**
 * Pieces after which what is left of them is collected. What the database sends lies outside of the little that a
 * thread holds itself, and V8 would let 64 MB of it pile up.
 */
const COLLECTED = 4;

/**
 * What runs in a thread that `inThread` started: it is asked once, and answers in pieces, at the pace they are
 * taken. It reads through connections of its own, which show it that one company (decision 0016).
 *
 * @param moved what of a piece goes there without being copied
 */
export function answerInPieces<Name extends ThreadName>(
  work: (sql: Sql, question: Threads[Name]['question']) => AsyncIterable<Threads[Name]['piece']>,
  moved: (piece: Threads[Name]['piece']) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (!port) throw new Error('This runs in a thread.');
  port.once('message', async (question: InThread<Name>) => {
    const collect = collector();
    let asked = AHEAD;
    let made = 0;
    let goOn = () => {};
    port.on('message', () => {
      asked += 1;
      goOn();
    });
    const { database, companyId } = question;
    const sql = await walled(openDatabase(database));
    await within({ companyId, sid: null, address: '', userAgent: '' }, async () => {
      for await (const piece of work(sql, question)) {
        while (asked === 0) await new Promise<void>((resolve) => (goOn = resolve));
        asked -= 1;
        port.postMessage(piece, moved(piece));
        made += 1;
        if (made % COLLECTED === 0) collect();
      }
    });
    port.postMessage(null);
  });
}

/** Collects what is young and dead in this thread: less than a millisecond. */
function collector(): () => void {
  setFlagsFromString('--expose-gc'); // For contexts that are made from now on, such as the next one.
  const gc = runInNewContext('gc') as (options: { readonly type: 'minor' }) => void;
  return () => gc({ type: 'minor' });
}
