/**
 * What can go wrong in a way that the user can act on. `api/errors.ts` gives each code its HTTP status, and its type
 * makes the compiler demand the line for a new code.
 */
export type DomainErrorCode =
  | 'BAD_REQUEST'
  /** A file that may be another program's: the user has to map its columns. */
  | 'NOT_THE_TEMPLATE'
  | 'UNAUTHORIZED'
  | 'REAUTHENTICATE'
  /** A code to recover the password that is not good, or not any more. */
  | 'CODE_REFUSED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  /** The document exists, but names a customer that does not. */
  | 'NO_SUCH_CUSTOMER'
  | 'CONFLICT'
  /** The first of two equal calls has not finished: neither done nor refused. */
  | 'IN_PROGRESS'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA'
  | 'TOO_MANY_REQUESTS'
  | 'UNAVAILABLE'
  | 'RULES_BROKEN';

export interface DomainErrorOptions {
  /** One sentence per broken rule, for the answers that carry `errores`. */
  readonly errores?: readonly string[];
  /** Seconds the caller should wait: becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Number of the company's own invoice that it concerns. */
  readonly docNo?: string | undefined;
  readonly cause?: unknown;
}

/** A refusal with a stable code and a Spanish text for its reader. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  /** The `message` of the answer: one sentence, or one per broken rule. */
  readonly sentences: string | readonly string[];
  readonly errores: readonly string[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly docNo: string | undefined;

  constructor(
    code: DomainErrorCode,
    sentences: string | readonly string[],
    { errores, retryAfterSeconds, docNo, cause }: DomainErrorOptions = {},
  ) {
    super(typeof sentences === 'string' ? sentences : sentences.join(' '), { cause });
    this.code = code;
    this.sentences = sentences;
    this.errores = errores;
    this.retryAfterSeconds = retryAfterSeconds;
    this.docNo = docNo;
  }
}
