import type { DraftTarget } from './draft-payload.ts';
import { type DraftState, hasContent } from './draft-state.ts';

/** What the server answers about a draft it keeps. */
export interface SavedDraft {
  readonly docNo: string;
  readonly version: number | undefined;
}

/** One call, as it was sent: repeated whole, key included, while nobody knows how it ended. */
export interface SaveAttempt {
  readonly key: string;
  readonly state: DraftState;
  readonly target: DraftTarget;
}

export type SaveStatus =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: Date }
  | { readonly kind: 'failed' }
  /** The server will not have what was typed, and says why. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Somebody saved it meanwhile. */
  | { readonly kind: 'conflict' }
  /** It is no draft any more: registered or deleted somewhere else. */
  | { readonly kind: 'gone' };

export interface DraftSaverOptions {
  readonly send: (attempt: SaveAttempt) => Promise<SavedDraft>;
  readonly onStatus: (status: SaveStatus) => void;
  /** The version on the server and what it holds, each time it changes. */
  readonly onSaved: (saved: SavedDraft, state: DraftState) => void;
  /** A draft that exists already: what is typed goes over it. */
  readonly saved?: SavedDraft | undefined;
  /** False for what is saved only when asked: then it just knows what is saved and what is not. */
  readonly savesItself?: boolean;
  readonly newKey: () => string;
  readonly delayMs?: number;
}

const DELAY_MS = 2_000;
const RETRY_MS = 10_000;
const IN_PROGRESS_MS = 2_000;

/**
 * Keeps a draft on the server while it is being typed: one call at a time, never an older text over
 * a newer one, and never over somebody else's change, which the server answers with 409.
 */
export class DraftSaver {
  readonly #options: DraftSaverOptions;
  #saved: SavedDraft | undefined;
  #latest: DraftState | undefined;
  #kept: DraftState | undefined;
  #unanswered: SaveAttempt | undefined;
  #running: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isStopped = false;
  #isPaused = false;

  constructor(options: DraftSaverOptions) {
    this.#options = options;
    this.#saved = options.saved;
  }

  get saved(): SavedDraft | undefined {
    return this.#saved;
  }

  /** True while something typed is not on the server. */
  get isDirty(): boolean {
    return this.#latest !== undefined && this.#latest !== this.#kept;
  }

  /** Takes what the form shows when it opens, which nobody has to save. */
  open(state: DraftState): void {
    this.#latest = state;
    this.#kept = state;
  }

  /** Takes what has just been typed and saves it a little later. */
  change(state: DraftState): void {
    this.#latest = state;
    if (this.#isStopped || !this.isDirty || this.#options.savesItself === false) return;
    if (!this.#saved && !this.#unanswered && !hasContent(state)) {
      this.#options.onStatus({ kind: 'idle' }); // What was refused is not there any more.
      return;
    }
    this.#options.onStatus({ kind: 'waiting' });
    this.#schedule(this.#options.delayMs ?? DELAY_MS);
  }

  /** Saves at once, unless it is being registered. @throws what the call threw, once its status has been told. */
  async saveNow(): Promise<SavedDraft | undefined> {
    if (this.#isPaused) return this.#saved;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => {});
    while (this.isDirty || this.#unanswered) await this.#run();
    return this.#saved;
  }

  /** True while the invoice is being registered: whatever else happens, nothing is saved. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Lets the call under way end and starts no other: the invoice is about to be registered. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    this.stop();
    await this.#running?.catch(() => {});
  }

  resume(): void {
    this.#isPaused = false;
    this.#isStopped = false;
    if (this.#latest) this.change(this.#latest);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * The person has seen what happened: from now on, what is typed goes over that version, or to a
   * new draft when there is none.
   */
  settleConflict(saved: SavedDraft | undefined): void {
    this.#saved = saved;
    this.#isStopped = false;
  }

  #schedule(delayMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.isDirty || this.#unanswered) this.#run().catch(() => {});
    }, delayMs);
  }

  async #run(): Promise<void> {
    this.#running ??= this.#attempt().finally(() => {
      this.#running = undefined;
    });
    await this.#running;
    if (this.isDirty && !this.#isStopped) this.#schedule(this.#options.delayMs ?? DELAY_MS);
  }

  async #attempt(): Promise<void> {
    const { send, onSaved, onStatus } = this.#options;
    const attempt = this.#unanswered ?? this.#newAttempt();
    this.#unanswered = attempt;
    onStatus({ kind: 'saving' });
    try {
      this.#saved = await send(attempt);
      this.#unanswered = undefined;
      this.#kept = attempt.state;
      onSaved(this.#saved, attempt.state);
      onStatus(this.isDirty ? { kind: 'waiting' } : { kind: 'saved', at: new Date() });
    } catch (error) {
      this.#failed(error);
      throw error;
    }
  }

  #newAttempt(): SaveAttempt {
    const state = this.#latest;
    if (!state) throw new Error('Nothing has been typed yet');
    const target = {
      accionFactura: 0,
      draftNo: this.#saved?.docNo,
      version: this.#saved?.version,
    } as const;
    return { key: this.#options.newKey(), state, target };
  }

  #failed(error: unknown): void {
    const status = statusOf(error);
    if (isInProgress(error)) {
      // The first of two equal calls is still under way: its answer comes with the next try.
      if (!this.#isStopped) this.#schedule(IN_PROGRESS_MS);
      this.#options.onStatus({ kind: 'waiting' });
      return;
    }
    const isGone = status === 404 && codigoOf(error) !== 'NO_SUCH_CUSTOMER';
    if (status === 409 || (isGone && this.#saved)) {
      this.#unanswered = undefined;
      this.stop();
      this.#options.onStatus({ kind: status === 409 ? 'conflict' : 'gone' });
      return;
    }
    // A refusal is an answer: the next try carries what was typed since. Anything else is not.
    if (isRefusal(error)) {
      this.#unanswered = undefined;
      this.#options.onStatus({ kind: 'refused', error });
      return;
    }
    if (!this.#isStopped) this.#schedule(RETRY_MS);
    this.#options.onStatus({ kind: 'failed' });
  }
}

/** True when the server understood the call and said no: sent again as it is, it would say the same. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (isInProgress(error)) return false;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** A 409 of the very same call, which nobody has answered yet: not somebody else's change. */
export function isInProgress(error: unknown): boolean {
  return codigoOf(error) === 'IN_PROGRESS';
}

export function codigoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('codigo' in error)) return undefined;
  return typeof error.codigo === 'string' ? error.codigo : undefined;
}

export function statusOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}
