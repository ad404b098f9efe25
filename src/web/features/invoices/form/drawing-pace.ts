/** A shorter rendering time is not noticed while typing. */
const QUICK_MS = 50;
/** Longer than most people wait between two keys. */
const PAUSE_MS = 300;
/** What is typed without a pause is rendered after this time anyway. */
const AT_MOST_MS = 2_000;

/**
 * Decides when the form is rendered with what is typed in its lines: at once where that is quick. Where it takes long,
 * as with a hundred lines on a slow device, in the pauses of the typing, so that no key has to wait.
 */
export class DrawingPace {
  readonly #draw: () => void;
  /** Since when something waits to be rendered; null while nothing does. */
  #waitingSince: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #begunAt: number | null = performance.now();
  #tookMs = 0;

  /** Its first rendering, which has just begun, tells how quick it is. */
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

  /** Something else is rendering the form right now: nothing waits any more. */
  skip(): void {
    clearTimeout(this.#timer);
    this.#waitingSince = null;
  }

  /** Everything that was typed is on the page. */
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
