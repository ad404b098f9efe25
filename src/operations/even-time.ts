import { setTimeout as sleep } from 'node:timers/promises';

/** Far above what a lookup and a few rows take, so that almost all answers come with the first stroke. */
export const TICK_MS = 150;

/**
 * Does the work, and answers or fails at the next tick of a clock that starts with it. So nobody outside can tell,
 * within a tick, whether a row was written to disk or none was found.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - start;
    await sleep(Math.ceil(took / TICK_MS) * TICK_MS - took);
  }
}
