import type { DraftTarget } from './draft-payload.ts';
import { type DraftState, hasContent } from './draft-state.ts';

/** The server's answer about a draft that it stores. */
export interface SavedDraft {
  readonly docNo: string;
  readonly version: number | undefined;
}

/** One call, as it was sent: repeated whole, including its key, while nobody knows how it ended. */
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
  /** The server refuses what was typed, with its reason. */
  | { readonly kind: 'refused'; readonly error: unknown }
  /** Somebody else saved it meanwhile. */
  | { readonly kind: 'conflict' }
  /** It is not a draft any more: it was registered or deleted elsewhere. */
  | { readonly kind: 'gone' };

export interface DraftSaverOptions {
  readonly send: (attempt: SaveAttempt) => Promise<SavedDraft>;
  readonly onStatus: (status: SaveStatus) => void;
  /** The version on the server and its contents, each time they change. */
  readonly onSaved: (saved: SavedDraft, state: DraftState) => void;
  /** An existing draft, which what is typed overwrites. */
  readonly saved?: SavedDraft | undefined;
  /** The last call before a reload, if nobody knows how it ended. */
  readonly unanswered?: SaveAttempt | undefined;
  /** False if it is saved only on request: then the class merely tracks what is saved and what is not. */
  readonly savesItself?: boolean;
  readonly newKey: () => string;
  readonly delayMs?: number;
}

const DELAY_MS = 2_000;
const RETRY_MS = 10_000;
const IN_PROGRESS_MS = 2_000;

/**
 * Saves a draft to the server while it is being typed: one call at a time, never an older text over a newer one, and
 * never over somebody else's change, which the server answers with 409.
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
    this.#unanswered = options.unanswered;
  }

  /** The call that may have saved something, while nobody knows. */
  get unanswered(): SaveAttempt | undefined {
    return this.#unanswered;
  }

  get saved(): SavedDraft | undefined {
    return this.#saved;
  }

  /** True while the server lacks something that was typed. */
  get isDirty(): boolean {
    return this.#latest !== undefined && this.#latest !== this.#kept;
  }

  /** Takes the initial contents of the form, which need not be saved. */
  open(state: DraftState): void {
    this.#latest = state;
    this.#kept = state;
  }

  /** Takes what has just been typed and saves it a little later. */
  change(state: DraftState): void {
    this.#latest = state;
    if (this.#isStopped || !this.isDirty || this.#options.savesItself === false) return;
    if (!this.#saved && !this.#unanswered && !hasContent(state)) {
      this.#options.onStatus({ kind: 'idle' }); // What was refused is no longer there.
      return;
    }
    this.#options.onStatus({ kind: 'waiting' });
    this.#schedule(this.#options.delayMs ?? DELAY_MS);
  }

  /**
   * Saves at once, unless it is being registered.
   *
   * @throws what the call threw, after reporting its status
   */
  async saveNow(): Promise<SavedDraft | undefined> {
    if (this.#isPaused) return this.#saved;
    clearTimeout(this.#timer);
    await this.#running?.catch(() => {});
    while (!this.#isPaused && (this.isDirty || this.#unanswered)) await this.#run();
    return this.#saved;
  }

  /** True while the invoice is being registered: whatever else happens, nothing is saved. */
  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Lets the current call finish and starts no other: the invoice is about to be registered. */
  async pause(): Promise<void> {
    this.#isPaused = true;
    this.stop();
    await this.#running?.catch(() => {});
  }

  resume(): void {
    this.#isPaused = false;
    this.#isStopped = false;
    if (this.#latest) this.change(this.#latest);
    if (this.#unanswered && this.#options.savesItself !== false) this.#schedule(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /**
   * The user has seen what happened: from now on, what is typed overwrites that version, or goes to a new draft when
   * there is none.
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
      // The first of two equal calls is still under way: the next try gets its answer.
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
    // A refusal is an answer, so the next try can carry later changes. Anything else is not.
    if (isRefusal(error)) {
      this.#unanswered = undefined;
      this.#options.onStatus({ kind: 'refused', error });
      return;
    }
    if (!this.#isStopped) this.#schedule(RETRY_MS);
    this.#options.onStatus({ kind: 'failed' });
  }
}

/** True when the server understood the call and refused it: repeating it would give the same result. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (isInProgress(error)) return false;
  return status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** A 409 because the same call is still under way, not because of somebody else's change. */
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
