import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { findPart } from '../part.ts';
import { BadDocumentError } from './bad-document.ts';
import { Budget, type Step } from './budget.ts';
import { kindOf } from './kind.ts';
import type { PagePicture } from './page-pictures.ts';
import type { ReadingContext } from './read-document.ts';
import type { DocumentReading } from './shapes.ts';
import { Turns } from './turns.ts';

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

/** What the process sends while it reads. */
export type ReadingNews = ReadingAnswer | { readonly kind: 'step'; readonly step: Step };

/**
 * Limit on elapsed time: nobody waits longer than the proxies do (`deploy/nginx.conf`). Ten scanned pages take half a
 * minute of processor time, and several times that on a busy machine; it is the budget that detects excess.
 */
const PATIENCE_MS = 240_000;
const HEAP_MB = 512;
/** Everything the process holds, including pictures and OCR. Above this it is stopped. */
const MAX_RSS_BYTES = 1_500 * 1024 * 1024;
const LOOK_EVERY_MS = 250;
/**
 * Processor time after which the system itself ends the process, well above its budget. One that is drawing a page
 * hears nothing, not even that this server has died, and some pages are never drawn to the end.
 */
const LAST_SECONDS = 120;
/** At the same time: each takes a core and some 500 MB. The rest wait their turn. */
const MAX_PROCESSES = 1;

/** A document that has been read, with pictures of its pages. */
export type ReadDocument = Omit<Extract<ReadingAnswer, { kind: 'read' }>, 'kind'>;

const TOO_HARD =
  'La factura es demasiado grande o compleja para leerla. Súbela como foto (JPG o PNG) o con menos páginas, o escríbela a mano.';

const TOO_BUSY =
  'Ahora mismo hay mucho trabajo y no hemos podido leer la factura a tiempo. Súbela de nuevo dentro de unos minutos o escríbela a mano.';

const turns = new Turns(MAX_PROCESSES, () => performance.now());

/**
 * Reads an uploaded invoice in a separate process, in its company's turn, with limits on time and memory and without
 * the environment of the application: whatever the file does, the server keeps running.
 *
 * @throws {BadDocumentError} with the sentence for the user who uploaded it
 */
export async function runReading(companyId: number, job: ReadingJob): Promise<ReadDocument> {
  kindOf(job.file); // What is not an invoice starts no process.
  return turns.run(companyId, () => inProcess(job));
}

function inProcess(job: ReadingJob): Promise<ReadDocument> {
  return new Promise((resolve, reject) => {
    const child = openProcess();
    const giveUp = (why: string) => settle(() => reject(new BadDocumentError(why)));
    const tooHard = () => giveUp(TOO_HARD);
    const timer = setTimeout(() => giveUp(TOO_BUSY), PATIENCE_MS);
    const budget = new Budget();
    const watch = setInterval(async () => {
      const [bytes, usedMs] = await Promise.all([residentBytes(child), processorMs(child)]);
      if (bytes > MAX_RSS_BYTES || budget.isOver(usedMs)) tooHard();
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
    child.on('message', (news: ReadingNews) => {
      if (news.kind === 'step') {
        void processorMs(child).then((usedMs) => budget.begins(news.step, usedMs));
        return;
      }
      settle(() => {
        if (news.kind === 'refused') reject(new BadDocumentError(news.mensaje));
        else resolve(news);
      });
    });
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
    execPath: '/bin/sh',
    execArgv: [
      '-c',
      `ulimit -t ${LAST_SECONDS}; exec "$0" "$@"`,
      process.execPath,
      `--max-old-space-size=${HEAP_MB}`,
    ],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Zero where the system does not report it. */
async function residentBytes({ pid }: ChildProcess): Promise<number> {
  try {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8');
    return Number(statm.split(' ')[1]) * 4096;
  } catch {
    return 0;
  }
}

/** Of the process with its threads. Zero where the system does not report it. */
async function processorMs({ pid }: ChildProcess): Promise<number> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // They come after the name, which may contain anything: utime and stime, in hundredths of a second (proc(5)).
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return (Number(user) + Number(system)) * 10;
  } catch {
    return 0;
  }
}
