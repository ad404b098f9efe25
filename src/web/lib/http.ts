import { clearToken, isReplaced, readToken } from './session.ts';

export interface HttpOptions {
  /** `GET`, or `POST` when there is something to send. */
  readonly method?: 'GET' | 'POST';
  readonly json?: unknown;
  /** Sent as multipart; `undefined` entries are left out. */
  readonly form?: Readonly<Record<string, string | Blob | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** What kind of answer is wanted; JSON unless it says otherwise. */
  readonly accept?: string;
  /** Makes a repeated write answer as the first one did (24 h). */
  readonly idempotencyKey?: string;
  /** It is what replaces the session's token: nothing to wait for when it is refused. */
  readonly replacesToken?: boolean;
  /** A public call: no session is sent, and a 401 says nothing of ours. */
  readonly anonymous?: boolean;
  /** The ETag of what is here already: the answer may be that it is the same. */
  readonly etag?: string | undefined;
  /** How long the server may hold the answer while it would be that it is the same. */
  readonly waitSeconds?: number;
}

/**
 * An answer that was not a success, or no answer at all.
 *
 * `status` 0 means no answer: the server was not reached. `messages` are the server's sentences
 * for the person, empty when it sent none; `codigo` is the server's code, when it has one.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly messages: readonly string[];
  readonly codigo: string | undefined;
  /** What a 429 or a 503 asks to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The invoice that the refusal is about, when it is one of the company's own. */
  readonly docNo: string | undefined;
  /** The session was refused: the sign-in page is coming, and says so itself. */
  readonly endsSession: boolean;

  constructor(
    status: number,
    messages: readonly string[],
    details: {
      codigo?: string;
      retryAfterSeconds?: number;
      docNo?: string;
      endsSession?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(messages.join(' ') || `HTTP ${status}`, { cause: details.cause });
    this.status = status;
    this.messages = messages;
    this.codigo = details.codigo;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.docNo = details.docNo;
    this.endsSession = details.endsSession ?? false;
  }
}

/** The last resort, for answers that came without a text. */
const UNEXPECTED = 'An unexpected error occurred.';

/** The same, of the calls of the profile. */
export const UNEXPECTED_IN_PROFILE = 'Ocurrió un error inesperado.';

/** The same, of recovering the password. */
export const UNEXPECTED_IN_RECOVERY = 'Error inesperado.';

/** What those three would leave unsaid: that nobody answered. */
const NO_ANSWER = 'Huella no responde. Comprueba tu conexión y vuelve a intentarlo.';
const SAY_NOTHING: readonly string[] = [UNEXPECTED, UNEXPECTED_IN_PROFILE, UNEXPECTED_IN_RECOVERY];

/**
 * The sentences to show for an error: the server's; that it did not answer; or the fallback, which
 * stays where it tells more than that. None for what ended the session, told by the sign-in page.
 */
export function errorMessages(error: unknown, fallback = UNEXPECTED): string[] {
  if (error instanceof ApiError && error.endsSession) return [];
  const { status, messages } = error instanceof ApiError ? error : { status: null, messages: [] };
  if (messages.length > 0) return [...messages];
  return [status === 0 && SAY_NOTHING.includes(fallback) ? NO_ANSWER : fallback];
}

/** The same of what may be tried again: whether it is the connection or the service, as far as can be told. */
export function retryMessage(error: unknown): string {
  const hasAnswered = error instanceof ApiError && error.status !== 0;
  return errorMessages(
    error,
    hasAnswered
      ? 'El servicio no ha podido responder. Vuelve a intentarlo en un momento.'
      : 'Comprueba tu conexión y vuelve a intentarlo.',
  ).join(' ');
}

const endListeners = new Set<() => void>();

/** Calls back when the server says that the session is over. Returns how to stop listening. */
export function onSessionRefused(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/**
 * Calls the API and gives its JSON.
 *
 * Sends the session's token unless `anonymous`. A 401 to that token forgets it and tells
 * {@link onSessionRefused}.
 *
 * @throws {ApiError} with the server's sentences; status 0 when there was no answer.
 */
export async function http<T>(path: string, options: HttpOptions = {}): Promise<T> {
  const response = await answerOf(path, options);
  return (await readSuccess(response, options)) as T;
}

/** What the lists that were loaded came with. A list that was changed here is another one, and has none. */
const etags = new WeakMap<object, string>();

/**
 * The same of a list that may be loaded already: while the server's is the same, it is that very one.
 *
 * @throws {ApiError} as {@link http}
 */
export async function httpList<T extends object>(
  path: string,
  loaded: T | undefined,
  options: HttpOptions = {},
): Promise<T> {
  const etag = loaded && etags.get(loaded);
  const response = await answerOf(path, { ...options, etag });
  if (loaded && etag && response.status === 304) return loaded;
  const list = (await readSuccess(response, options)) as T;
  const given = response.headers.get('ETag');
  if (given) etags.set(list, given);
  return list;
}

/** A file that the API gives, with the name it gives it. @throws {ApiError} as {@link http} */
export async function httpFile(
  path: string,
  options: HttpOptions = {},
): Promise<{ file: Blob; name: string | null }> {
  const response = await answerOf(path, options);
  const disposition = response.headers.get('Content-Disposition') ?? '';
  try {
    return {
      file: await response.blob(),
      name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? null,
    };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, [], { cause }); // Cut off half way.
  }
}

/**
 * An answer that comes line by line (NDJSON), each line given as it comes.
 *
 * @throws {ApiError} as {@link http}; status 0 when it was cut off half way
 */
export async function httpLines<T>(
  path: string,
  onLine: (line: T) => void,
  options: HttpOptions,
): Promise<void> {
  const response = await answerOf(path, { ...options, accept: 'application/x-ndjson' });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new ApiError(0, []);
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(JSON.parse(line) as T);
    }
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, [], { cause });
  }
}

/** A successful answer, its body still to be read. */
async function answerOf(path: string, options: HttpOptions): Promise<Response> {
  const token = options.anonymous ? null : readToken();
  const response = await send(path, options, token);
  if (response.ok || (options.etag && response.status === 304)) return response;

  const body = await readRefusal(response);
  const endsSession = response.status === 401 && token !== null;
  if (endsSession) {
    // Refused, so nothing was done: it is asked again with the session that took this one's place.
    if (!options.replacesToken && (await isReplaced(token))) return answerOf(path, options);
    clearToken();
    for (const listener of endListeners) listener();
  }
  throw new ApiError(response.status, messagesOf(body), {
    ...detailsOf(response, body),
    endsSession,
  });
}

async function send(path: string, options: HttpOptions, token: string | null): Promise<Response> {
  const headers = new Headers({ Accept: options.accept ?? 'application/json' });
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  if (options.idempotencyKey) headers.set('Idempotency-Key', options.idempotencyKey);
  if (options.etag) headers.set('If-None-Match', options.etag);
  if (options.waitSeconds) headers.set('Prefer', `wait=${options.waitSeconds}`);
  const body = bodyOf(options, headers);
  try {
    return await fetch(path, {
      method: options.method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      credentials: 'same-origin',
      ...(body === undefined ? {} : { body }),
      ...(options.signal ? { signal: options.signal } : {}),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, [], { cause });
  }
}

function bodyOf({ json, form }: HttpOptions, headers: Headers): BodyInit | undefined {
  if (form) {
    const data = new FormData();
    for (const [name, value] of Object.entries(form)) {
      if (value !== undefined) data.append(name, value);
    }
    return data;
  }
  if (json === undefined) return undefined;
  headers.set('Content-Type', 'application/json');
  return JSON.stringify(json);
}

/**
 * The JSON of a success; `undefined` when it says no more than that.
 *
 * One that was cut off half way, or is not JSON (the page of a proxy), tells nothing of what was done:
 * taken for a success, its key would be forgotten and the next try would do it again.
 */
async function readSuccess(response: Response, { signal }: HttpOptions): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError(0, [], { cause });
  }
}

/** What came with a refusal: of a page that is not our JSON, its status says what happened, its text nothing. */
async function readRefusal(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}

function messagesOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { message, errores } = body as { message?: unknown; errores?: unknown };
  const texts = [errores, message].flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [...new Set(texts.filter((text): text is string => typeof text === 'string' && !!text))];
}

function detailsOf(response: Response, body: unknown) {
  const { codigo, DocNo } = (body ?? {}) as { codigo?: unknown; DocNo?: unknown };
  const wait = Number(response.headers.get('Retry-After'));
  return {
    ...(typeof codigo === 'string' ? { codigo } : {}),
    ...(typeof DocNo === 'string' ? { docNo: DocNo } : {}),
    ...(wait > 0 ? { retryAfterSeconds: wait } : {}),
  };
}
