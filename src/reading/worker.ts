/** Runs in the process that reads an uploaded invoice: one file, one answer, and it ends. */

import { Socket } from 'node:net';
import { BadDocumentError } from './bad-document.ts';
import type { Step } from './budget.ts';
import { drawPagePictures } from './page-pictures.ts';
import { readDocument } from './read-document.ts';
import type { ReadingAnswer, ReadingJob, ReadingNews } from './reader.ts';

const onStep = (step: Step) => {
  process.send?.({ kind: 'step', step } satisfies ReadingNews);
};

async function answer({ file, context }: ReadingJob): Promise<ReadingAnswer> {
  try {
    const reading = await readDocument(file, context, onStep);
    return { kind: 'read', reading, pages: await drawPagePictures(file, onStep) };
  } catch (error) {
    if (error instanceof BadDocumentError) return { kind: 'refused', mensaje: error.message };
    throw error;
  }
}

// Whatever a document asks for, nothing is fetched.
Socket.prototype.connect = () => {
  throw new Error('Reading has no network.');
};

process.once('message', async (job: ReadingJob) => {
  const said = await answer(job);
  process.send?.(said, () => process.exit(0));
});
// The parent has gone: nobody waits for the answer.
process.once('disconnect', () => process.exit(0));
