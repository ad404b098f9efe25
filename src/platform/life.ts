import type { Logger } from 'pino';

const CLOSE_PATIENCE_MS = 9_500;

/** What has been started, to be closed in the opposite order. */
export class Life {
  readonly #log: Logger;
  readonly #closers: { readonly name: string; readonly close: () => unknown }[] = [];
  readonly #stoppers: (() => void)[] = [];
  readonly #ending = new AbortController();
  #closing: Promise<void> | null = null;
  #current = '';

  constructor(log: Logger) {
    this.#log = log;
  }

  get isClosing(): boolean {
    return this.ending.aborted;
  }

  /** Aborted as soon as the end begins: long work leaves the rest for another process. */
  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** Closes it at the end, or at once if the end has come while it was starting. */
  onClose(name: string, close: () => unknown): void {
    this.#closers.push({ name, close });
    if (this.#closing) this.#closing = this.#closing.then(() => this.#closeAll());
  }

  /**
   * The same for what can stop while others close: it is called as soon as the end begins, and awaited in its turn.
   */
  onEnding(name: string, stop: () => unknown): void {
    let stopped: Promise<unknown> | null = null;
    const begin = () => {
      stopped ??= (async () => stop())();
      stopped.catch(() => undefined); // Reported to those who await it.
      return stopped;
    };
    this.#stoppers.push(begin);
    this.onClose(name, begin);
  }

  /** May be called more than once: there is a single end. */
  close(): Promise<void> {
    if (!this.isClosing) {
      this.#ending.abort();
      for (const begin of this.#stoppers) begin();
    }
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  /**
   * Ends the process in order when asked to, with code 0. A second signal (npm passes on what the terminal has
   * already sent) changes nothing.
   */
  endOnSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (this.#closing) return;
        this.#log.info({ signal }, 'closing');
        setTimeout(() => {
          this.#log.error({ waiting: this.#current }, 'closing takes too long: leaving it there');
          process.exit(1);
        }, CLOSE_PATIENCE_MS).unref();
        void this.close().then(() => process.exit(0));
      });
    }
  }

  async #closeAll(): Promise<void> {
    for (let next = this.#closers.pop(); next; next = this.#closers.pop()) {
      const { name, close } = next;
      this.#current = name;
      try {
        await close();
      } catch (error) {
        this.#log.error({ err: error, name }, 'could not be closed in order');
      }
    }
  }
}
