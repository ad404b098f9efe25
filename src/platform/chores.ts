import type { Logger } from 'pino';
import type { Life } from './life.ts';

export interface Chore {
  /** What is logged when it fails. */
  readonly failure: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** Does it again and again, one round at a time. The end waits for the round under way. */
export function startChore({ failure, everyMs, run }: Chore, log: Logger, life: Life): void {
  let round: Promise<void> | null = null;
  const timer = setInterval(() => {
    round ??= run()
      .then(() => undefined)
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        round = null;
      });
  }, everyMs);
  life.onClose('chore', async () => {
    clearInterval(timer);
    await round;
  });
}
