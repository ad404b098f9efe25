interface Waiting {
  readonly companyId: number;
  readonly go: () => void;
}

/** The time a company has used the reader counts half after this long. */
const HALF_LIFE_MS = 10 * 60_000;
/** Less than this is forgotten. */
const LEAST_MS = 50;

/**
 * Decides who reads next: of the companies that wait, the one that has used the reader least lately; among equals, the
 * first to arrive. A company that uploads file after file, or files that have to be given up, goes behind the others.
 */
export class Turns {
  readonly #atOnce: number;
  readonly #now: () => number;
  readonly #waiting: Waiting[] = [];
  readonly #had = new Map<number, { readonly ms: number; readonly at: number }>();
  #running = 0;

  constructor(atOnce: number, now: () => number) {
    this.#atOnce = atOnce;
    this.#now = now;
  }

  /** Runs something in the company's turn. */
  async run<T>(companyId: number, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnce) this.#running += 1;
    else await new Promise<void>((go) => this.#waiting.push({ companyId, go }));
    const since = this.#now();
    try {
      return await work();
    } finally {
      this.#note(companyId, this.#now() - since);
      this.#passOn();
    }
  }

  /** Hands the place over to the next in line. */
  #passOn(): void {
    let next = 0;
    this.#waiting.forEach(({ companyId }, i) => {
      if (this.#hadBy(companyId) < this.#hadBy(this.#waiting[next]?.companyId)) next = i;
    });
    const [one] = this.#waiting.splice(next, 1);
    if (one) one.go();
    else this.#running -= 1;
  }

  #note(companyId: number, ms: number): void {
    this.#had.set(companyId, { ms: this.#hadBy(companyId) + ms, at: this.#now() });
    for (const other of this.#had.keys()) {
      if (this.#hadBy(other) < LEAST_MS) this.#had.delete(other);
    }
  }

  #hadBy(companyId: number | undefined): number {
    const had = companyId === undefined ? undefined : this.#had.get(companyId);
    return had ? had.ms * 2 ** ((had.at - this.#now()) / HALF_LIFE_MS) : 0;
  }
}
