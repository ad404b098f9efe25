import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/**
 * A thread of its own for the long work on a cadena, which answers one question after another in the
 * order they are asked: meanwhile this one reads the next, and answers whoever asks. It starts with the
 * first question.
 */
export class Thread<Question, Answer> {
  #worker: Worker | null = null;
  readonly #name: ThreadName;
  readonly #waiting: Waiting<Answer>[] = [];
  #failure: Error | null = null;

  constructor(name: ThreadName) {
    this.#name = name;
  }

  /**
   * @param moved what the question holds that goes there without being copied, and is no longer here
   * @throws what ended the thread, or that it was closed
   */
  ask(question: Question, moved: readonly ArrayBuffer[] = []): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage(question, moved);
    });
  }

  async close(): Promise<void> {
    this.#fail(new Error('The thread was closed.'));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = openThread(this.#name);
    worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    worker.on('error', (error: Error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('The thread ended.')));
    return worker;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** What each runs, beside this file. */
type ThreadName = 'checking-worker' | 'packing-worker';

/** Beside this code when it is built; through tsx when it runs from its sources. */
function openThread(name: ThreadName): Worker {
  const options = {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  };
  if (!import.meta.url.endsWith('.ts')) {
    const entry = new URL(/* @vite-ignore */ `./${name}-${BUILD}.js`, import.meta.url);
    return new Worker(entry, options);
  }
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const tsx = pathToFileURL(api).href;
  const entry = new URL(`./${name}.ts`, import.meta.url).href;
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => {
    register();
    return import(${JSON.stringify(entry)});
  });`;
  return new Worker(code, { ...options, eval: true });
}
