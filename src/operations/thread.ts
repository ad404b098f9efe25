import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Deps } from '../deps.ts';
import { findPart } from '../part.ts';
import type { CadenaProgress, CadenaToCheck } from './check-cadena.ts';
import type { RegistrosToPack } from './pack-registros.ts';
import type { PackedMembers } from './zip-writer.ts';

/** For each thread, its question and the pieces that it answers with: files of these names in `src/threads`. */
export interface Threads {
  readonly 'checking-worker': { readonly question: CadenaToCheck; readonly piece: CadenaProgress };
  readonly 'packing-worker': {
    readonly question: RegistrosToPack;
    readonly piece: PackedMembers;
  };
}
export type ThreadName = keyof Threads;

/** A question, and how to reach the company's registros. */
export type InThread<Name extends ThreadName> = Threads[Name]['question'] & Pick<Deps, 'database'>;

/**
 * Does the long work on a cadena in another thread, with connections of its own, and passes its pieces on as they are
 * read. Meanwhile this thread serves other calls. When the caller stops reading, the work ends.
 *
 * @throws the error that ended the thread
 */
export async function* inThread<Name extends ThreadName>(
  name: Name,
  question: InThread<Name>,
): AsyncGenerator<Threads[Name]['piece']> {
  const worker = openThread(name);
  try {
    worker.postMessage(question);
    for await (const [piece] of on(worker, 'message', { close: ['exit'] })) {
      if (piece === null) return;
      yield piece;
      worker.postMessage('next');
    }
    throw new Error('The thread ended.');
  } finally {
    await worker.terminate();
  }
}

function openThread(name: ThreadName): Worker {
  const { file, argv } = findPart(name);
  return new Worker(file, {
    argv: [...argv],
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
  });
}
