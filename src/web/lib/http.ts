import { clearToken, isReplaced, readToken } from './session.ts';

export interface HttpOptions {
  /** By default `POST` if there is a form, otherwise `GET`. */
  readonly method?: 'GET' | 'POST';
  readonly json?: unknown;
  /** Sent as multipart; `undefined` entries are left out. */
  readonly form?: Readonly<Record<string, string | Blob | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** The accepted type of answer; JSON by default. */
  readonly accept?: string;
  /** A repeated write gets the answer of the first one (24 h). */
  readonly idempotencyKey?: string;
  /** The call replaces the session's token itself, so a refusal does not wait for another to do so. */
  readonly replacesToken?: boolean;
  /** A public call: no session is sent, and a 401 is not about ours. */
  readonly anonymous?: boolean;
  /** The ETag of what is loaded: the answer may be that it is unchanged. */
  readonly etag?: string | undefined;
  /** How long the server may hold the answer while nothing has changed. */
  readonly waitSeconds?: number;
}

/**
 * An unsuccessful answer, or none.
 *
 * `status` 0 means that the server was not reached. `messages` are the server's sentences for the user, empty when it
 * sent none; `codigo` is its code, if any.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly messages: readonly string[];
  readonly codigo: string | undefined;
  /** Seconds to wait, from a 429 or a 503. */
  readonly retryAfterSeconds: number | undefined;
  /** The company's own invoice that the refusal concerns, if any. */
  readonly docNo: string | undefined;
  /** The session was refused: the sign-in page is about to open and will say so. */
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

/** Fallback for answers without a text. */
const UNEXPECTED = 'An unexpected error occurred.';

/** The same for the calls of the profile. */
export const UNEXPECTED_IN_PROFILE = 'Ocurrió un error inesperado.';

/** The same for password recovery. */
export const UNEXPECTED_IN_RECOVERY = 'Error inesperado.';

/** Shown instead of those three when the server did not answer. */
const NO_ANSWER = 'Huella no responde. Comprueba tu conexión y vuelve a intentarlo.';
const SAY_NOTHING: readonly string[] = [UNEXPECTED, UNEXPECTED_IN_PROFILE, UNEXPECTED_IN_RECOVERY];

/**
 * The sentences to show for an error: the server's, or that it did not answer, or the fallback if that says more.
 * None if the session has ended, which the sign-in page reports.
 */
export function errorMessages(error: unknown, fallback = UNEXPECTED): string[] {
  if (error instanceof ApiError && error.endsSession) return [];
  const { status, messages } = error instanceof ApiError ? error : { status: null, messages: [] };
  if (messages.length > 0) return [...messages];
  return [status === 0 && SAY_NOTHING.includes(fallback) ? NO_ANSWER : fallback];
}

/**
 * The same for something that may be tried again: whether it is the connection or the service, as far as can be told.
 */
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

/**
 * Registers a listener for when the server says that the session has ended.
 *
 * @returns how to unregister it
 */
export function onSessionRefused(listener: () => void): () => void {
  endListeners.add(listener);
  return () => endListeners.delete(listener);
}

/**
 * Calls the API and returns its JSON.
 *
 * Sends the session's token unless `anonymous`. A 401 to that token deletes it and notifies {@link onSessionRefused}.
 *
 * @throws {ApiError} with the server's sentences; status 0 when there was no answer
 */
export async function http<T>(path: string, options: HttpOptions = {}): Promise<T> {
  const response = await answerOf(path, options);
  return (await readSuccess(response, options)) as T;
}

/** The ETags of loaded lists. A list that was changed here is a new object, and has none. */
const etags = new WeakMap<object, string>();

/**
 * The same for a list that may already be loaded: if the server's is unchanged, the same object is returned.
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

export interface FileOptions extends HttpOptions {
  /** Is given what comes, piece by piece, while it comes. */
  readonly onPiece?: (piece: Uint8Array, response: Response) => void;
}

/**
 * A file returned by the API, with its name.
 *
 * @throws {ApiError} as {@link http}
 */
export async function httpFile(
  path: string,
  { onPiece, ...options }: FileOptions = {},
): Promise<{ file: Blob; name: string | null }> {
  const answer = await answerOf(path, options);
  const response = onPiece ? watched(answer, (piece) => onPiece(piece, answer)) : answer;
  const disposition = response.headers.get('Content-Disposition') ?? '';
  try {
    return {
      file: await response.blob(),
      name: /filename="([^"]+)"/.exec(disposition)?.[1] ?? null,
    };
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0, [], { cause }); // Interrupted half-way.
  }
}

/** The same answer, whose body is looked at on its way. */
function watched(response: Response, onPiece: (piece: Uint8Array) => void): Response {
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      onPiece(piece);
      controller.enqueue(piece);
    },
  });
  return new Response(response.body?.pipeThrough(watch) ?? null, { headers: response.headers });
}

/**
 * An answer in lines (NDJSON), each passed on as it arrives.
 *
 * @throws {ApiError} as {@link http}; status 0 when it was interrupted
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

/** A successful answer whose body has not been read yet. */
async function answerOf(path: string, options: HttpOptions): Promise<Response> {
  const token = options.anonymous ? null : readToken();
  const response = await send(path, options, token);
  if (response.ok || (options.etag && response.status === 304)) return response;

  const body = await readRefusal(response);
  const endsSession = response.status === 401 && token !== null;
  if (endsSession) {
    // It was refused, so nothing was done: it is sent again with the session that replaced this one.
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
 * The JSON of a success; `undefined` when there is no body.
 *
 * An answer that is interrupted or not JSON (a proxy's page) does not say what was done. If it counted as a success,
 * its key would be discarded and the next attempt would do it again.
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

/** The body of a refusal. A page that is not our JSON only counts by its status. */
async function readRefusal(response: Response): Promise<unknown> {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
}

function messagesOf(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  const { message, errores, incidencia } = body as Readonly<Record<string, unknown>>;
  const texts = [errores, message].flatMap((value) => (Array.isArray(value) ? value : [value]));
  if (incidencia) texts.push(`Si se repite, escríbenos con esta referencia: ${incidencia}`);
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
