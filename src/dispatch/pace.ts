/** How much of the machine sending takes, beside the people who wait for their invoices. */
export interface Pace {
  /** Does a piece of work, the making of a message or the storing of an answer, when there is room for it. */
  readonly work: <T>(piece: () => Promise<T>) => Promise<T>;
  /** Somebody has registered. */
  readonly heardRegistering: () => void;
  /** The end has come: what waits begins at once, and nothing rests. */
  readonly hurry: () => void;
}

/** Pieces at a time: messages of a thousand registros would otherwise be in memory eight at once, to no end. */
const AT_ONCE = 2;
/** As many calls within a second mean that people are registering without pause. */
const CALLS = 8;
const CALLS_WITHIN_MS = 1_000;
/** Then there is one piece at a time, and behind it a rest so many times as long as it took. */
const REST = 2;
const LONGEST_REST_MS = 2_000;

/**
 * Somebody waits for an invoice to be registered, and nobody for it to be sent: both go through the same
 * database. While people register without pause, sending works a third of the time, no less: what waits goes
 * out in messages of up to a thousand, so it does not pile up for longer than they do.
 */
export function createPace(): Pace {
  const calls: number[] = [];
  const queue: (() => void)[] = [];
  let working = 0;
  let isHurried = false;

  const isBusy = () =>
    !isHurried &&
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
    work: async (piece) => {
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

/** For who sends with nobody beside: everything at once. */
export const UNPACED: Pace = {
  work: (piece) => piece(),
  heardRegistering: () => undefined,
  hurry: () => undefined,
};
