import { on } from 'node:events';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Deps } from '../deps.ts';
import type { CadenaProgress, CadenaToCheck } from './check-cadena.ts';
import type { RegistrosToPack } from './pack-registros.ts';
import type { PackedMembers } from './zip-writer.ts';

/** What each thread is asked, and the pieces that it answers with: files of these names in `src/threads`. */
export interface Threads {
  readonly 'checking-worker': { readonly question: CadenaToCheck; readonly piece: CadenaProgress };
  readonly 'packing-worker': {
    readonly question: RegistrosToPack;
    readonly piece: PackedMembers;
  };
}
export type ThreadName = keyof Threads;

/** A question, and where the company's registros are. */
export type InThread<Name extends ThreadName> = Threads[Name]['question'] & Pick<Deps, 'database'>;

/**
 * Has the long work on a cadena done in a thread of its own, with connections of its own, and gives its
 * pieces on as they are read: meanwhile this thread answers whoever asks. Who stops reading ends it.
 *
 * @throws what ended the thread
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

/** Beside this code when it is built; through tsx, and with the driver mended, when it runs from its sources. */
function openThread(name: ThreadName): Worker {
  const options = {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
  };
  if (!import.meta.url.endsWith('.ts')) {
    const entry = new URL(/* @vite-ignore */ `./${name}-${BUILD}.js`, import.meta.url);
    return new Worker(entry, options);
  }
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const tsx = pathToFileURL(api).href;
  const entry = new URL(`../threads/${name}.ts`, import.meta.url).href;
  const guard = new URL(/* @vite-ignore */ '../../scripts/guard-postgres.mjs', import.meta.url)
    .href;
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => {
    register();
    require('node:module').register(${JSON.stringify(guard)});
    return import(${JSON.stringify(entry)});
  });`;
  return new Worker(code, { ...options, eval: true });
}
