import type { DraftAction, DraftState } from './draft-state.ts';
import type { DraftLine } from './lines.ts';

/** The lines as they are typed. Each notifies whoever shows it. */
export interface LiveLines {
  readonly lines: readonly DraftLine[];
  readonly line: (id: string) => DraftLine | undefined;
  /**
   * Calls `told` when that line changes, not for others.
   *
   * @returns how to unsubscribe
   */
  readonly subscribe: (id: string, told: () => void) => () => void;
}

/**
 * What is typed in one open form, available at once and independently of rendering. A key press notifies the row of its
 * line, which renders itself; the rest of the form is rendered when there is time.
 */
export class DraftStore implements LiveLines {
  #state: DraftState;
  #byId: ReadonlyMap<string, DraftLine>;
  readonly #told = new Map<string, Set<() => void>>();

  constructor(state: DraftState) {
    this.#state = state;
    this.#byId = byId(state);
  }

  get state(): DraftState {
    return this.#state;
  }

  get lines(): readonly DraftLine[] {
    return this.#state.lines;
  }

  readonly line = (id: string): DraftLine | undefined => this.#byId.get(id);

  readonly subscribe = (id: string, told: () => void): (() => void) => {
    const others = this.#told.get(id) ?? new Set();
    this.#told.set(id, others.add(told));
    return () => {
      others.delete(told);
      if (others.size === 0 && this.#told.get(id) === others) this.#told.delete(id);
    };
  };

  /** @returns false when the action changes nothing */
  apply(reduce: (state: DraftState, action: DraftAction) => DraftState, action: DraftAction) {
    const before = this.#byId;
    const next = reduce(this.#state, action);
    if (next === this.#state) return false;
    this.#state = next;
    this.#byId = byId(next);
    for (const [id, told] of this.#told) {
      if (before.get(id) !== this.#byId.get(id)) for (const tell of told) tell();
    }
    return true;
  }
}

function byId({ lines }: DraftState): ReadonlyMap<string, DraftLine> {
  return new Map(lines.map((line) => [line.id, line]));
}
