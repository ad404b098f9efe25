import type { DraftSaver } from './draft-saver.ts';
import { type DraftState, hasContent } from './draft-state.ts';
import type { RegisterAttempt } from './register-attempt.ts';
import { removeCopy, writeCopy } from './safety-copy.ts';

const DELAY_MS = 300;

/** The safety copy of an open form: written a moment after each change, and when the page is closed. */
export class FormCopy {
  readonly #key: string;
  readonly #release: () => void;
  readonly #saver: DraftSaver;
  #state: DraftState | undefined;
  #registering: RegisterAttempt | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOpen = false;
  #isDropped = false;
  #isFinished = false;

  constructor(
    key: string,
    release: () => void,
    saver: DraftSaver,
    registering: RegisterAttempt | undefined,
  ) {
    this.#key = key;
    this.#release = release;
    this.#saver = saver;
    this.#registering = registering;
  }

  /** True from when it is sent to be registered until the outcome is known. */
  get isRegistering(): boolean {
    return this.#registering !== undefined;
  }

  /** The form is on the screen (again). */
  open(): void {
    this.#isOpen = true;
    this.#isDropped = this.#isFinished;
  }

  /** The form is closed, once its pending calls have ended: it may have been reopened by then. */
  close(underWay: Promise<unknown>): void {
    this.#isOpen = false;
    this.write();
    underWay.then(
      () => this.#isOpen || this.drop(),
      () => this.#isOpen || this.letGo(),
    );
  }

  change(state: DraftState): void {
    this.#state = state;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.write(), DELAY_MS);
  }

  /** Saved before the call is made: if there is no answer, it is repeated, even after a reload. */
  register(state: DraftState, attempt: RegisterAttempt | undefined): void {
    this.#state = state;
    this.#registering = attempt;
    this.write();
  }

  write(): void {
    clearTimeout(this.#timer);
    if (this.#isDropped || !this.#state || !hasContent(this.#state)) return;
    writeCopy(localStorage, this.#key, {
      state: this.#state,
      saved: this.#saver.saved,
      isKept: !this.#saver.isDirty,
      saving: this.#saver.unanswered,
      registering: this.#registering,
      at: Date.now(),
    });
  }

  /** Nothing in it would be missed: the server has it. */
  drop(): void {
    this.#isDropped = true;
    clearTimeout(this.#timer);
    removeCopy(localStorage, this.#key);
    this.#release();
  }

  /** Its invoice is registered: no later change in this form may bring the copy back. */
  finish(): void {
    this.#isFinished = true;
    this.drop();
  }

  /** The form is closed and the copy stays, for whoever opens the draft next. */
  letGo(): void {
    this.write();
    this.#release();
  }
}
