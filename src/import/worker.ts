/** What runs in the thread that opens an uploaded file: one file, one answer, and it ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { BadFileError } from './bad-file.ts';
import { commentFile, previewFile } from './preview.ts';
import type { ReaderAnswer, ReaderJob } from './reader.ts';

async function answer({ kind, file, lists, known }: ReaderJob): Promise<ReaderAnswer> {
  try {
    return kind === 'preview'
      ? { kind: 'preview', preview: await previewFile(file, lists, known) }
      : { kind: 'comment', file: await commentFile(file, lists, known) };
  } catch (error) {
    if (error instanceof BadFileError) return { kind: 'refused', mensaje: error.message };
    throw error;
  }
}

// Not at the top level: whoever loads this file other than as a worker gets nothing.
parentPort?.postMessage(await answer(workerData as ReaderJob));
