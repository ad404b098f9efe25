/** A drawing that takes no longer is not felt by who types. */
const QUICK_MS = 50;
/** Longer than most keep a key from the next one. */
const PAUSE_MS = 300;
/** What is typed without a pause is drawn all the same. */
const AT_MOST_MS = 2_000;

/**
 * When the form is drawn of what is typed in its lines: at once where that is quick; where it takes long, as with
 * a hundred lines on a slow device, in the pauses of the typing, so that no key waits behind it.
 */
export class DrawingPace {
  readonly #draw: () => void;
  /** Since when something waits to be drawn; null while nothing does. */
  #waitingSince: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begunAt: number | null = performance.now();
  #tookMs = 0;

  /** Its first drawing, which has just begun, tells how quick it is. */
  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Something was typed. */
  typed(): void {
    const now = performance.now();
    this.#waitingSince ??= now;
    clearTimeout(this.#timer);
    if (this.#tookMs <= QUICK_MS) {
      this.#begin();
      return;
    }
    const left = this.#waitingSince + AT_MOST_MS - now;
    this.#timer = setTimeout(() => this.#begin(), Math.max(0, Math.min(PAUSE_MS, left)));
  }

  /** It is drawn by somebody else right now: nothing waits any more. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
  }

  /** All that was typed is on the page. */
  drawn(): void {
    if (this.#begunAt === null) return;
    this.#tookMs = performance.now() - this.#begunAt;
    this.#begunAt = null;
  }

  #begin(): void {
    this.skip();
    this.#begunAt ??= performance.now();
    this.#draw();
  }
}
