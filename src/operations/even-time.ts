import { setTimeout as sleep } from 'node:timers/promises';

/** Far longer than a lookup and a few rows take, so that almost all answers are given at the first tick. */
export const TICK_MS = 150;

/**
 * Does the work, and answers or fails at the next tick of a clock that starts with it. Within a tick, an outsider
 * cannot tell whether a row was written to disk or none was found.
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
