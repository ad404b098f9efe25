import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import {
  type KeptAnswer,
  keepAnswers,
  nameOfKey,
  releaseKeys,
  renewKey,
  takeKeys,
} from '../store/idempotency.ts';
import type { Tx } from '../store/sql.ts';

/** A call with an `Idempotency-Key`. */
export interface KeyedCall {
  readonly companyId: number;
  readonly key: string;
  /** HMAC of the request: the same key with a different request is an error. */
  readonly requestHash: string;
}

/** What a call answered. */
export interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Keeps the answer of a call in the transaction that creates what it reports: a repeat finds both or neither,
 * whenever the process is killed (docs/decisions/0210). Does nothing for a call without a key.
 */
export type Keep<Made> = (tx: Tx, made: Made) => Promise<void>;

/** For calls without a key. */
export const keepNothing: Keep<unknown> = async () => undefined;

/**
 * Starts a call under a key.
 *
 * @returns the first answer if the call was made before; null the first time
 * @throws {DomainError} CONFLICT when the key was used for another request, or is in use now
 */
export async function startKeyedCall(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  call: KeyedCall,
): Promise<Answered | null> {
  const earlier = await sql.begin((tx) => takeKeys(tx, [call], clock()));
  const first = earlier.get(nameOfKey(call));
  return first ? answerOf(first, call) : null;
}

/** Extends the claim on the key: while the call runs, however long, no repeat is let through. */
export async function renewKeyedCall(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  call: KeyedCall,
): Promise<void> {
  await renewKey(sql, call, clock());
}

/**
 * Keeps the answer in the transaction of its work.
 *
 * @throws {DomainError} IN_PROGRESS when the process was suspended for so long that a repeat was let through and has
 *   kept its own answer: nothing is done twice
 */
export async function keepAnswer(
  tx: Tx,
  { companyId, key }: KeyedCall,
  answer: Answered,
): Promise<void> {
  if ((await keepAnswers(tx, [{ companyId, key, ...answer }])) === 0) throw underWay();
}

/**
 * Ends a call under a key. A good answer is kept for repeats; after a refusal, or without an answer, the key may be
 * used again.
 */
export async function endKeyedCall(
  { sql }: Pick<Deps, 'sql'>,
  { companyId, key }: Pick<KeyedCall, 'companyId' | 'key'>,
  answer: Answered | null,
): Promise<void> {
  if (answer && answer.status < 300) await keepAnswers(sql, [{ companyId, key, ...answer }]);
  else await releaseKeys(sql, [{ companyId, key }]);
}

function answerOf(first: KeptAnswer, { requestHash }: KeyedCall): Answered {
  if (first.requestHash !== requestHash) {
    throw new DomainError(
      'CONFLICT',
      'Esa clave de idempotencia (Idempotency-Key) ya se usó con otros datos.',
    );
  }
  if (first.status === null) {
    throw underWay();
  }
  return { status: first.status, body: first.body };
}

function underWay(): DomainError {
  return new DomainError(
    'IN_PROGRESS',
    'Esa petición todavía se está atendiendo. Vuelve a intentarlo en unos segundos.',
  );
}
