/** What a file is read in, one after another: looking at a page, as its text or drawn, and reading its letters. */
export type Step = 'look' | 'letters';

/** Told before each of them. */
export type OnStep = (step: Step) => void;

/**
 * Time of the processor that each may take, and all together. Of honest files a look takes a second or two, with the
 * process that starts; the letters of a page, up to eight; a scan of ten pages, some thirty in all.
 */
const MOST_MS: Readonly<Record<Step, number>> = { look: 8_000, letters: 16_000 };
const MOST_IN_ALL_MS = 60_000;

/** Tells when a file has taken too much, in time of the processor: on a busy machine an honest one takes no more. */
export class Budget {
  #step: Step = 'look';
  #since = 0;

  /** @param usedMs of the processor, up to now */
  begins(step: Step, usedMs: number): void {
    this.#step = step;
    this.#since = usedMs;
  }

  isOver(usedMs: number): boolean {
    return usedMs - this.#since > MOST_MS[this.#step] || usedMs > MOST_IN_ALL_MS;
  }
}
