import { ApiError } from '../../lib/http.ts';

/** Processes one invoice; under the same key, only once. Returns what is to be reported about it. */
export type InvoiceAction<Answer> = (docNo: string, idempotencyKey: string) => Promise<Answer>;

/** The outcome for one invoice. With `unknown`, nobody knows whether it was done, but its key will tell. */
export type TickedOutcome<Answer> =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused' | 'unknown'; readonly error: unknown };

export interface TickedRun<Answer> {
  readonly outcomes: ReadonlyMap<string, TickedOutcome<Answer>>;
  /** Why it stopped early, unless the user asked it to. */
  readonly cut?: unknown;
}

export interface TickedRunOptions<Answer> {
  readonly act: InvoiceAction<Answer>;
  readonly keyOf: (docNo: string) => string;
  readonly onDone: (done: number) => void;
  readonly isStopped: () => boolean;
  readonly wait: (ms: number) => Promise<void>;
}

/** The server writes requests that arrive together in one go; more of them would keep others waiting. */
const AT_ONCE = 4;
const WAITS_MS = [1_000, 3_000];
const LONGEST_WAIT_MS = 10_000;

/**
 * Copies or mails the selected invoices, a few at a time. If one is refused, its reason is recorded and the rest goes
 * on; without a connection, or a session, it stops.
 */
export async function runTicked<Answer>(
  docNos: readonly string[],
  options: TickedRunOptions<Answer>,
): Promise<TickedRun<Answer>> {
  const { onDone, isStopped } = options;
  const outcomes = new Map<string, TickedOutcome<Answer>>();
  let cut: { readonly error: unknown } | undefined;
  const waiting = docNos.values();

  const actInTurn = async () => {
    for (const docNo of waiting) {
      const outcome = await outcomeOf(docNo, options);
      outcomes.set(docNo, outcome);
      onDone(outcomes.size);
      if (outcome.kind === 'unknown' && isCut(outcome.error)) cut ??= outcome;
      if (cut || isStopped()) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, actInTurn));
  return { outcomes, ...(cut && { cut: cut.error }) };
}

async function outcomeOf<Answer>(
  docNo: string,
  options: TickedRunOptions<Answer>,
): Promise<TickedOutcome<Answer>> {
  const { act, keyOf, wait } = options;
  for (let tries = 0; ; tries += 1) {
    try {
      return { kind: 'done', answer: await act(docNo, keyOf(docNo)) };
    } catch (error) {
      if (!isUnknown(error)) return { kind: 'refused', error };
      const pause = isPassing(error) && !isFar(error) ? WAITS_MS[tries] : undefined;
      if (pause === undefined || options.isStopped()) return { kind: 'unknown', error };
      await wait(Math.max(pause, askedWaitMs(error)));
    }
  }
}

/** Whether it may have been done, or may still be: it is repeated under the same key. */
function isUnknown(error: unknown): boolean {
  return isCut(error) || (error instanceof ApiError && error.status >= 500);
}

const PASSING: readonly number[] = [0, 408, 429, 502, 503, 504];

/** A failure that resolves itself. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof ApiError && (PASSING.includes(error.status) || error.codigo === 'IN_PROGRESS')
  );
}

/** A limit that lasts longer than is waited for here. */
function isFar(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    error.status === 429 &&
    (error.retryAfterSeconds ?? 0) * 1_000 > LONGEST_WAIT_MS
  );
}

/** A failure that the other invoices would meet as well: there is no answer, or the session has ended. */
function isCut(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 401 || isPassing(error);
}

function askedWaitMs(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1_000, LONGEST_WAIT_MS);
}
