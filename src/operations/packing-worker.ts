/** What runs in the thread that packs an export: registros in, files of a ZIP out. */

import { parentPort } from 'node:worker_threads';
import { packRegistros, type RegistrosToPack } from './pack-registros.ts';

parentPort?.on('message', (batch: RegistrosToPack) => {
  const packed = packRegistros(batch);
  parentPort?.postMessage(packed, [packed.members.buffer]);
});
