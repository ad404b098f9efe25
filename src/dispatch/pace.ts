/** How much of the machine sending may use, beside the people who wait for their invoices. */
export interface Pace {
  /**
   * Runs a piece of work (making a message or storing an answer) when there is room for it.
   *
   * @param lateMs how long the company had been due before its turn was taken
   */
  readonly work: <T>(lateMs: number, piece: () => Promise<T>) => Promise<T>;
  /** To be called when an invoice is registered. */
  readonly heardRegistering: () => void;
  /** To be called when the process ends: waiting work begins at once, and pauses end. */
  readonly hurry: () => void;
}

/** Pieces at a time. Otherwise eight messages of a thousand registros would be in memory at once, to no purpose. */
const AT_ONCE = 2;
/** This many calls within a second mean that people are registering continuously. */
const CALLS = 8;
const CALLS_WITHIN_MS = 1_000;
/** Then pieces run one at a time, each followed by a pause of this many times its duration. */
const REST = 4;
const LONGEST_REST_MS = 2_000;
/**
 * The AEAT itself asks for this interval between a company's messages, and regards a registro as late after 240 s.
 */
const PATIENCE_MS = 60_000;

/**
 * People wait for an invoice to be registered, and nobody waits for it to be sent, yet both use the same database.
 * While people register continuously, sending works a fifth of the time. Once a company has waited for a minute, as
 * happens when many companies register a little each, sending no longer gives way.
 */
export function createPace(): Pace {
  const calls: number[] = [];
  const queue: (() => void)[] = [];
  let working = 0;
  let isBehind = false;
  let isHurried = false;

  const isBusy = () =>
    !isHurried &&
    !isBehind &&
    performance.now() - (calls.at(-CALLS) ?? Number.NEGATIVE_INFINITY) < CALLS_WITHIN_MS;

  function next(): void {
    if (!isHurried && working >= (isBusy() ? 1 : AT_ONCE)) return;
    const start = queue.shift();
    if (!start) return;
    working += 1;
    start();
    next();
  }

  function leave(): void {
    working -= 1;
    next();
  }

  return {
    work: async (lateMs, piece) => {
      isBehind = lateMs >= PATIENCE_MS;
      await new Promise<void>((resolve) => {
        queue.push(resolve);
        next();
      });
      const start = performance.now();
      try {
        return await piece();
      } finally {
        const rest = isBusy() ? Math.min(REST * (performance.now() - start), LONGEST_REST_MS) : 0;
        if (rest > 0) setTimeout(leave, rest);
        else leave();
      }
    },
    heardRegistering: () => {
      calls.push(performance.now());
      if (calls.length > CALLS) calls.shift();
    },
    hurry: () => {
      isHurried = true;
      next();
    },
  };
}

/** For sending with nobody beside it: everything at once. */
export const UNPACED: Pace = {
  work: (_, piece) => piece(),
  heardRegistering: () => undefined,
  hurry: () => undefined,
};
