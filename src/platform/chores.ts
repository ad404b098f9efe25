import type { Logger } from 'pino';
import type { Life } from './life.ts';

export interface Chore {
  /** The log message for a failure. */
  readonly failure: string;
  readonly everyMs: number;
  readonly run: () => Promise<unknown>;
}

/** The first round comes soon, so that hourly jobs are done even if a process restarts often. */
const FIRST_MS = 60_000;

/** Repeats a job, one round at a time, starting soon. Ending waits for the round under way. */
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
