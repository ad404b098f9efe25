/** Runs in the thread that opens an uploaded file: one file, one answer, and it ends. */

import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { BadFileError, OtherFileError } from './bad-file.ts';
import { describeFile } from './describe-file.ts';
import type { ImportedInvoice } from './known.ts';
import { commentFile, previewFile } from './preview.ts';
import type { ReaderAnswer, ReaderJob } from './reader.ts';

async function answer(job: ReaderJob): Promise<ReaderAnswer> {
  try {
    return await work(job);
  } catch (error) {
    if (!(error instanceof BadFileError)) throw error;
    const isOther = error instanceof OtherFileError;
    return { kind: 'refused', mensaje: error.message, isOther };
  }
}

async function work(job: ReaderJob): Promise<ReaderAnswer> {
  switch (job.kind) {
    case 'describe':
      return { kind: 'described', columnas: await describeFile(job.file, job.lists, tellOf) };
    case 'preview': {
      const preview = { ...(await previewFile(job.file, job, askImported, tellOf)), ...job.past };
      return { kind: 'previewed', json: jsonOf(preview) };
    }
    case 'comment':
      return { kind: 'commented', file: await commentFile(job.file, job, askImported, job) };
  }
}

/** Looked up by the process that started the thread: there is no database here. */
async function askImported(references: readonly string[]): Promise<readonly ImportedInvoice[]> {
  if (!parentPort) return [];
  const answered = once(parentPort, 'message');
  parentPort.postMessage({ kind: 'asks', references } satisfies ReaderAnswer);
  const [imported] = await answered;
  return imported;
}

let told = 0;

/** Reports progress, each time it has grown by a hundredth. */
function tellOf(share: number): void {
  const percent = Math.floor(100 * share);
  if (percent <= told) return;
  told = percent;
  parentPort?.postMessage({ kind: 'progress', percent } satisfies ReaderAnswer);
}

const PIECE = 500;

/** JSON as bytes, some rows at a time: as a single string it would take twice its size in memory. */
function jsonOf(preview: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> {
  const pieces: Buffer[] = [];
  const add = (text: string) => {
    pieces.push(Buffer.from(text));
  };
  for (const [index, [key, value]] of Object.entries(preview).entries()) {
    add(`${index === 0 ? '{' : ','}${JSON.stringify(key)}:`);
    const rows: readonly unknown[] = Array.isArray(value) ? value : [];
    for (let from = 0; from < rows.length; from += PIECE) {
      const piece = JSON.stringify(rows.slice(from, from + PIECE)).slice(1, -1);
      add(`${from === 0 ? '[' : ','}${piece}`);
    }
    add(rows.length > 0 ? ']' : JSON.stringify(value));
  }
  add('}');
  const json = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const piece of pieces) {
    json.set(piece, at);
    at += piece.length;
  }
  return json;
}

// Not at the top level, so that loading this file other than as a worker does nothing.
if (parentPort) {
  const answered = await answer(workerData as ReaderJob);
  parentPort.postMessage(answered, answered.kind === 'previewed' ? [answered.json.buffer] : []);
}
