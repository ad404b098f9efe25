import { parentPort } from 'node:worker_threads';
import type { InThread, ThreadName, Threads } from '../operations/thread.ts';
import { openToCopy } from '../platform/database.ts';
import { within, withRowSecurity } from '../store/row-security.ts';
import type { Sql } from '../store/sql.ts';

/** Pieces made before the first of them is requested. */
const AHEAD = 2;

/**
 * Runs in a thread started by `inThread`: it gets one question, and answers in pieces, at the pace at which they are
 * taken. It reads through connections of its own, which only show that company (decision 0016).
 *
 * @param moved parts of a piece that are transferred without being copied
 */
export function answerInPieces<Name extends ThreadName>(
  work: (sql: Sql, question: Threads[Name]['question']) => AsyncIterable<Threads[Name]['piece']>,
  moved: (piece: Threads[Name]['piece']) => readonly ArrayBuffer[] = () => [],
): void {
  const port = parentPort;
  if (!port) throw new Error('This runs in a thread.');
  port.once('message', async (question: InThread<Name>) => {
    let asked = AHEAD;
    let goOn = () => {};
    port.on('message', () => {
      asked += 1;
      goOn();
    });
    const { database, companyId } = question;
    const sql = await withRowSecurity(openToCopy(database), { isPatient: true });
    await within({ companyId, sid: null, address: '', userAgent: '' }, async () => {
      for await (const piece of work(sql, question)) {
        while (asked === 0) await new Promise<void>((resolve) => (goOn = resolve));
        asked -= 1;
        port.postMessage(piece, moved(piece));
      }
    });
    port.postMessage(null);
  });
}
