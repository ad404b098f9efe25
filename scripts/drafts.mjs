import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A build under way, or what it is replacing (replace.mjs). */
const DRAFT = /^huella-(\d+)(?:\.old)?$/;

/** Where this process makes its build until it is complete. */
export function draftIn(cache) {
  return join(cache, `huella-${process.pid}`);
}

/** Deletes what killed builds left in `cache`. Those of running processes stay. */
export function dropDeadDrafts(cache) {
  for (const name of namesIn(cache)) {
    const pid = Number(DRAFT.exec(name)?.[1]);
    if (pid && (pid === process.pid || !isAlive(pid)))
      rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function namesIn(folder) {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return [];
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM'; // It belongs to another account.
  }
}
