import { Worker } from 'node:worker_threads';
import type { ColumnasLeidas } from '../contract/imports.ts';
import { findPart } from '../part.ts';
import { BadFileError, OtherFileError } from './bad-file.ts';
import type { FindImported, Judging } from './preview.ts';

export type ReaderJob = { readonly file: Uint8Array } & (
  | { readonly kind: 'describe'; readonly lists: Judging['lists'] }
  /** `past` is copied to the answer unchanged. */
  | ({ readonly kind: 'preview'; readonly past: object } & Judging)
  | ({ readonly kind: 'comment'; readonly onlyWrong: boolean } & Judging)
);

export type ReaderAnswer =
  | { readonly kind: 'described'; readonly columnas: ColumnasLeidas }
  /** JSON of an `ImportExcelAnswer`, serialized in the thread, because it is megabytes. */
  | { readonly kind: 'previewed'; readonly json: Uint8Array<ArrayBuffer> }
  | { readonly kind: 'commented'; readonly file: Uint8Array }
  /** Sent before the answer itself. */
  | { readonly kind: 'progress'; readonly percent: number }
  /** Asks which of these references earlier files imported, before validating them. */
  | { readonly kind: 'asks'; readonly references: readonly string[] }
  | { readonly kind: 'refused'; readonly mensaje: string; readonly isOther: boolean };

/** Marking a file means writing it as a whole, which reading never needs. */
const MEMORY_MB = { describe: 128, preview: 128, comment: 320 } as const;
const PATIENCE_MS = 30_000;
/** Concurrent threads: others wait, so that uploads never crowd out invoices. */
const MAX_THREADS = 2;

const TOO_HARD = 'El archivo es demasiado grande o complejo para leerlo. Repártelo en varios.';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Opens an uploaded file in a thread of its own, with limits on time and memory: whatever the file does, the server
 * goes on.
 *
 * @param findImported called when the thread has read the file
 * @param onProgress receives the percentage read and validated
 * @throws {BadFileError} with a sentence for the user
 */
export async function runReader(
  job: ReaderJob,
  findImported: FindImported,
  onProgress: (percent: number) => void = () => {},
): Promise<ReaderAnswer> {
  if (running >= MAX_THREADS) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await inThread(job, findImported, onProgress);
  } finally {
    // The slot is passed on to the next one waiting.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function inThread(
  job: ReaderJob,
  findImported: FindImported,
  onProgress: (percent: number) => void,
): Promise<ReaderAnswer> {
  return new Promise((resolve, reject) => {
    const worker = openThread(job);
    const timer = setTimeout(() => settle(() => reject(new BadFileError(TOO_HARD))), PATIENCE_MS);
    let isSettled = false;
    const settle = (how: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      void worker.terminate();
      how();
    };
    worker.on('message', (answer: ReaderAnswer) => {
      if (answer.kind === 'progress') return onProgress(answer.percent);
      if (answer.kind === 'asks') {
        const found = findImported(answer.references);
        const failed = (error: unknown) => settle(() => reject(error));
        return void found.then((imported) => worker.postMessage(imported), failed);
      }
      settle(() => {
        if (answer.kind !== 'refused') resolve(answer);
        else reject(answer.isOther ? new OtherFileError() : new BadFileError(answer.mensaje));
      });
    });
    worker.once('error', (error: NodeJS.ErrnoException) =>
      settle(() => {
        const isTooBig = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isTooBig ? new BadFileError(TOO_HARD, { cause: error }) : error);
      }),
    );
    worker.once('exit', () => settle(() => reject(new BadFileError(TOO_HARD))));
  });
}

function openThread(workerData: ReaderJob): Worker {
  const { file, argv } = findPart('import-worker');
  return new Worker(file, {
    workerData,
    argv: [...argv],
    env: {},
    execArgv: [],
    resourceLimits: {
      maxOldGenerationSizeMb: MEMORY_MB[workerData.kind],
      maxYoungGenerationSizeMb: 8,
    },
  });
}
