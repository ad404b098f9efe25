/**
 * What can go wrong in a way the user can act on. `api/errors.ts` gives each code its HTTP status,
 * and its type makes the compiler ask for the line a new code lacks.
 */
export type DomainErrorCode =
  | 'BAD_REQUEST'
  /** A file that may be of another program: its columns have to be told. */
  | 'NOT_THE_TEMPLATE'
  | 'UNAUTHORIZED'
  | 'REAUTHENTICATE'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  /** The document is there, and names a customer that is not. */
  | 'NO_SUCH_CUSTOMER'
  | 'CONFLICT'
  /** The first of two equal calls has not ended: neither done nor refused. */
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
  /** Number of the company's own invoice that it is about. */
  readonly docNo?: string | undefined;
  readonly cause?: unknown;
}

/** A refusal with a stable code and a text in Spanish made for the person who reads it. */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: DomainErrorCode;
  /** As it is answered in `message`: one sentence, or one per broken rule. */
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
