/** What runs in the thread that packs the files of an export: texts in, files of a ZIP out. */

import { parentPort } from 'node:worker_threads';
import { packFiles } from './pack-files.ts';

parentPort?.on('message', (texts: readonly string[]) => {
  const packed = packFiles(texts);
  parentPort?.postMessage(packed, [packed.data.buffer]);
});
