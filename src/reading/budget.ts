/**
 * The steps of reading a file, one after another: looking at a page, as text or as a picture, and recognising its
 * letters.
 */
export type Step = 'look' | 'letters';

/** Called before each step. */
export type OnStep = (step: Step) => void;

/**
 * Processor time that each step, and all of them together, may take. With honest files a look takes a second or two,
 * including the start of the process; the letters of a page, up to eight; a scan of ten pages, some thirty in all.
 */
const MOST_MS: Readonly<Record<Step, number>> = { look: 8_000, letters: 16_000 };
const MOST_IN_ALL_MS = 60_000;

/**
 * Tells when a file has used too much processor time. Unlike elapsed time, that of an honest file is the same on a busy
 * machine.
 */
export class Budget {
  #step: Step = 'look';
  #since = 0;

  /** @param usedMs processor time used so far */
  begins(step: Step, usedMs: number): void {
    this.#step = step;
    this.#since = usedMs;
  }

  isOver(usedMs: number): boolean {
    return usedMs - this.#since > MOST_MS[this.#step] || usedMs > MOST_IN_ALL_MS;
  }
}
