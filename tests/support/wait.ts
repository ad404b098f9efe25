import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Repeats `look` until it returns something, for changes in another process that are not announced.
 *
 * @throws {Error} after `seconds`, with the last failure of `look` as its cause
 */
export async function eventually<T>(
  look: () => Promise<T | null | undefined | false>,
  seconds = 60,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const found = await look();
      if (found) return found;
    } catch (error) {
      cause = error;
    }
    await sleep(50);
  }
  throw new Error(`It did not happen in ${seconds} s`, { cause });
}
