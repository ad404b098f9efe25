import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { crc32, deflateRawSync } from 'node:zlib';

/** Files ready for a ZIP, in the order they were given. It travels between threads without being copied. */
export interface PackedFiles {
  /** All of them deflated, one behind the other. */
  readonly data: Uint8Array<ArrayBuffer>;
  /** Where each one ends in `data`. */
  readonly ends: readonly number[];
  readonly crcs: readonly number[];
  /** Bytes before deflating. */
  readonly sizes: readonly number[];
  /** Hexadecimal, of the content. */
  readonly sha256s: readonly string[];
}

/** For files of a few kilobytes: what zlib sets up for big ones costs more than they do. */
const DEFLATE = { level: 3, windowBits: 13, memLevel: 7, chunkSize: 4096 };

export function packFiles(texts: readonly string[]): PackedFiles {
  const pieces: Buffer[] = [];
  const [ends, crcs, sizes]: [number[], number[], number[]] = [[], [], []];
  const sha256s: string[] = [];
  let end = 0;
  for (const text of texts) {
    const content = Buffer.from(text);
    const deflated = deflateRawSync(content, DEFLATE);
    end += deflated.length;
    pieces.push(deflated);
    ends.push(end);
    crcs.push(crc32(content));
    sizes.push(content.length);
    sha256s.push(hash('sha256', content, 'hex'));
  }
  const data = new Uint8Array(end);
  let at = 0;
  for (const piece of pieces) {
    data.set(piece, at);
    at += piece.length;
  }
  return { data, ends, crcs, sizes, sha256s };
}

/** Packs files in a thread of its own: meanwhile this one reads the next, and answers whoever asks. */
export class Packer {
  #worker: Worker | null = null;
  readonly #waiting: PromiseWithResolvers[] = [];
  #failure: Error | null = null;

  /** @throws what ended the thread, or that the packer was closed */
  pack(texts: readonly string[]): Promise<PackedFiles> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#waiting.push({ resolve, reject }); // Answered in the order they were asked for.
      this.#worker ??= this.#start();
      this.#worker.postMessage(texts);
    });
  }

  async close(): Promise<void> {
    this.#fail(new Error('The packer was closed.'));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = openThread();
    worker.on('message', (packed: PackedFiles) => this.#waiting.shift()?.resolve(packed));
    worker.on('error', (error: Error) => this.#fail(error));
    worker.on('exit', () => this.#fail(new Error('The packing thread ended.')));
    return worker;
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }
}

interface PromiseWithResolvers {
  readonly resolve: (packed: PackedFiles) => void;
  readonly reject: (error: Error) => void;
}

/** Beside this code when it is built; through tsx when it runs from its sources. */
function openThread(): Worker {
  const options = {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
  };
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(/* @vite-ignore */ './packing-worker.js', import.meta.url), options);
  }
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const tsx = pathToFileURL(api).href;
  const entry = new URL('./packing-worker.ts', import.meta.url).href;
  const code = `import(${JSON.stringify(tsx)}).then(({ register }) => {
    register();
    return import(${JSON.stringify(entry)});
  });`;
  return new Worker(code, { ...options, eval: true });
}
