import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { findPart } from '../part.ts';
import { BadDocumentError } from './bad-document.ts';
import { kindOf } from './kind.ts';
import type { PagePicture } from './page-pictures.ts';
import type { ReadingContext } from './read-document.ts';
import type { DocumentReading } from './shapes.ts';

export interface ReadingJob {
  readonly file: Uint8Array;
  readonly context: ReadingContext;
}

export type ReadingAnswer =
  | {
      readonly kind: 'read';
      readonly reading: DocumentReading;
      readonly pages: readonly PagePicture[];
    }
  | { readonly kind: 'refused'; readonly mensaje: string };

/** Ten scanned pages take some twenty seconds; a busy machine, several times that. */
const PATIENCE_MS = 90_000;
const HEAP_MB = 512;
/** Everything it holds, pictures and OCR included: one that passes it is ended. */
const MAX_RSS_BYTES = 1_500 * 1024 * 1024;
const LOOK_EVERY_MS = 500;
/** At once: each one takes a core and some 500 MB. The rest wait their turn. */
const MAX_PROCESSES = 1;

/** A document that was read, with its pages to be looked at. */
export type ReadDocument = Omit<Extract<ReadingAnswer, { kind: 'read' }>, 'kind'>;

const TOO_HARD =
  'La factura es demasiado grande o compleja para leerla. Súbela con menos páginas o escríbela a mano.';

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads an uploaded invoice in a process of its own, with bounds on time and memory and without the
 * application's environment: whatever the file does, the server goes on.
 *
 * @throws {BadDocumentError} with the sentence for who uploaded it
 */
export async function runReading(job: ReadingJob): Promise<ReadDocument> {
  kindOf(job.file); // What is not an invoice costs no process.
  if (running >= MAX_PROCESSES) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await inProcess(job);
  } finally {
    // The place passes on to who waits.
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

function inProcess(job: ReadingJob): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const child = openProcess();
    const tooHard = () => settle(() => reject(new BadDocumentError(TOO_HARD)));
    const timer = setTimeout(tooHard, PATIENCE_MS);
    const watch = setInterval(() => {
      void residentBytes(child).then((bytes) => bytes > MAX_RSS_BYTES && tooHard());
    }, LOOK_EVERY_MS);
    let isSettled = false;
    const settle = (how: () => void) => {
      if (isSettled) return;
      isSettled = true;
      clearTimeout(timer);
      clearInterval(watch);
      child.kill('SIGKILL');
      how();
    };
    child.once('message', (answer: ReadingAnswer) =>
      settle(() => {
        if (answer.kind === 'refused') reject(new BadDocumentError(answer.mensaje));
        else resolve(answer);
      }),
    );
    child.once('error', (error) => settle(() => reject(error)));
    child.once('exit', tooHard);
    child.send(job, (error) => error && settle(() => reject(error)));
  });
}

function openProcess(): ChildProcess {
  const { file, argv } = findPart('reading-worker');
  return fork(file, argv, {
    serialization: 'advanced',
    env: {},
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Zero where the system does not tell. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  try {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8');
    return Number(statm.split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}
