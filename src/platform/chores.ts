import type { Logger } from 'pino';
import type { Life } from './life.ts';

export interface Chore {
  /** What is logged when it fails. */
  readonly failure: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** However often a process starts anew, what is done by the hour gets done. */
const FIRST_MS = 60_000;

/** Does it again and again, one round at a time, the first soon. The end waits for the round under way. */
export function startChore({ failure, everyMs, run }: Chore, log: Logger, life: Life): void {
  let round: Promise<void> | null = null;
  const begin = () => {
    round ??= run()
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        round = null;
      });
  };
  const first = setTimeout(begin, Math.min(FIRST_MS, everyMs));
  const timer = setInterval(begin, everyMs);
  life.onEnding('chore', async () => {
    clearTimeout(first);
    clearInterval(timer);
    await round;
  });
}
