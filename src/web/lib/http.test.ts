import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, errorMessages, http, httpList, onSessionRefused, retryMessage } from './http.ts';
import { replacingToken, storedToken, storeToken } from './session.ts';

/** The last request sent, as by the browser. */
let last: Request;

/** The network: it gives one answer, as set up, to any request. */
function answer(status: number, body: unknown = {}, headers: Record<string, string> = {}): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    last = new Request(new URL(path, 'http://huella.example'), init);
    return new Response(status === 304 ? null : text, { status, headers });
  });
  return '/api/call';
}

/** A body of which only this part arrives. */
function cut(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (text) controller.enqueue(new TextEncoder().encode(text));
      controller.error(new TypeError('network error'));
    },
  });
}

const claims = { sub: '1', email: 'a@b.es', exp: Date.now() / 1000 + 600, sid: 's' };
const TOKEN = `h.${btoa(JSON.stringify(claims))}.s`;

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('the call did not fail as expected');
  return error;
}

describe('http', () => {
  it('returns the JSON of a success', async () => {
    expect(await http(answer(200, [1, 2]))).toEqual([1, 2]);
  });

  it('sends JSON with the session and the idempotency key', async () => {
    storeToken(TOKEN);
    await http(answer(200), { json: { No: 'ñ' }, idempotencyKey: 'k1' });
    expect(last.method).toBe('POST');
    expect(await last.json()).toEqual({ No: 'ñ' });
    expect(last.headers.get('Authorization')).toBe(`Bearer ${TOKEN}`);
    expect(last.headers.get('Idempotency-Key')).toBe('k1');
  });

  it('sends forms as multipart and omits what is undefined', async () => {
    await http(answer(200), { form: { Asunto: 'Hola', Body: undefined } });
    expect(last.headers.get('Content-Type')).toMatch(/^multipart\/form-data; boundary=/);
    expect([...(await last.formData()).entries()]).toEqual([['Asunto', 'Hola']]);
  });

  it('reuses an unchanged list, and requests one in full that was changed here', async () => {
    const etag = { ETag: 'W/"1"' };
    const loaded = await httpList<string[]>(answer(200, ['a'], etag), undefined);
    expect([loaded, last.headers.get('If-None-Match')]).toEqual([['a'], null]);
    expect(await httpList(answer(304, null), loaded)).toBe(loaded);
    expect(last.headers.get('If-None-Match')).toBe('W/"1"');
    expect(await httpList(answer(200, ['b']), loaded)).toEqual(['b']);
    await httpList(answer(200, ['a', 'b'], etag), [...loaded, 'b']);
    expect(last.headers.get('If-None-Match')).toBeNull();
  });

  it('sends no session with a public call', async () => {
    storeToken(TOKEN);
    await http(answer(200), { json: {}, anonymous: true });
    expect(last.headers.get('Authorization')).toBeNull();
  });

  it.each([
    [{ message: 'Una.' }, ['Una.']],
    [{ message: ['Una.', 'Dos.'] }, ['Una.', 'Dos.']],
    [{ errores: ['Una.'], message: 'Una.' }, ['Una.']],
    [{ errores: ['Una.'], message: 'Dos.' }, ['Una.', 'Dos.']],
    [
      { message: 'Una.', incidencia: '8f1d-2c' },
      ['Una.', 'Si se repite, escríbenos con esta referencia: 8f1d-2c'],
    ],
    ['<html>', []],
    ['', []],
  ])('reads the messages in %j', async (body, messages) => {
    expect((await failure(http(answer(400, body)))).messages).toEqual(messages);
  });

  it('reads the code and how long to wait', async () => {
    const error = await failure(
      http(answer(429, { message: 'Espera.', codigo: 'X' }, { 'Retry-After': '30' })),
    );
    expect(error).toMatchObject({ status: 429, codigo: 'X', retryAfterSeconds: 30 });
  });

  it('reports status 0 if nobody answers', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect((await failure(http('/api/call'))).status).toBe(0);
  });

  it.each([
    ['is cut off half way', () => cut('{"No":"00001/')],
    ['is cut off before it began', () => cut('')],
    ['is the page of a proxy', () => '<html>'],
  ])('does not accept as an answer a success whose body %s', async (_what, body) => {
    vi.stubGlobal('fetch', async () => new Response(body(), { status: 200 }));
    expect((await failure(http('/api/call', { json: {} }))).status).toBe(0);
    expect((await failure(httpList('/api/call', undefined))).status).toBe(0);
  });

  it('keeps the status of a refusal whose body is truncated', async () => {
    vi.stubGlobal('fetch', async () => new Response(cut('{"mess'), { status: 409 }));
    expect(await failure(http('/api/call'))).toMatchObject({ status: 409, messages: [] });
  });

  it('accepts a success with an empty body', async () => {
    expect(await http(answer(200, ''))).toBeUndefined();
  });

  it('deletes a session that the server refuses, and announces it', async () => {
    storeToken(TOKEN);
    const refused = vi.fn();
    const stop = onSessionRefused(refused);
    await failure(http(answer(401, { message: 'Tu sesión ha caducado.' })));
    stop();
    expect(storedToken()).toBeNull();
    expect(refused).toHaveBeenCalledTimes(1);
  });

  it('retries with the session that has replaced the refused one', async () => {
    storeToken(TOKEN);
    const next = `h.${btoa(JSON.stringify({ ...claims, sid: 'otra' }))}.s`;
    const sent: (string | null)[] = [];
    let answerChange: (answer: { tokenJWT: string }) => void = () => undefined;
    vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
      const token = new Headers(init.headers).get('Authorization');
      sent.push(token);
      // The server knows of the change, but not this tab yet.
      answerChange({ tokenJWT: next });
      return new Response('{}', { status: token === `Bearer ${TOKEN}` ? 401 : 200 });
    });
    const change = replacingToken(
      () =>
        new Promise<{ tokenJWT: string }>((resolve) => {
          answerChange = resolve;
        }),
    );
    await http('/api/call');
    await change;
    expect(sent).toEqual([`Bearer ${TOKEN}`, `Bearer ${next}`]);
    expect(storedToken()).toBe(next);
  });

  it('keeps the session when a public call answers 401', async () => {
    storeToken(TOKEN);
    await failure(http(answer(401), { anonymous: true }));
    expect(storedToken()).toBe(TOKEN);
  });
});

describe('errorMessages', () => {
  it('returns what the server said', () => {
    expect(errorMessages(new ApiError(400, ['Una.', 'Dos.']))).toEqual(['Una.', 'Dos.']);
  });

  it('falls back to generic texts', () => {
    expect(errorMessages(new ApiError(500, []))).toEqual(['An unexpected error occurred.']);
    expect(errorMessages(new Error('x'), 'Ocurrió un error inesperado.')).toEqual([
      'Ocurrió un error inesperado.',
    ]);
  });

  it('leaves the end of the session to the sign-in page', async () => {
    storeToken(TOKEN);
    expect(errorMessages(await failure(http(answer(401, { message: 'Caducada.' }))))).toEqual([]);
    const refused = await failure(http(answer(401, { message: 'No.' }), { anonymous: true }));
    expect(errorMessages(refused)).toEqual(['No.']);
  });

  it('says that nobody answered, unless the screen has a better text for the failure', () => {
    const unanswered = new ApiError(0, []);
    for (const fallback of [undefined, 'Ocurrió un error inesperado.', 'Error inesperado.']) {
      expect(errorMessages(unanswered, fallback)).toEqual([expect.stringMatching(/conexión/)]);
    }
    expect(errorMessages(unanswered, 'Error al subir el archivo.')).toEqual([
      'Error al subir el archivo.',
    ]);
  });
});

describe('retryMessage', () => {
  it('distinguishes a failed connection from a failed service, and returns what the service said', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    expect(retryMessage(await failure(http('/api/call')))).toMatch(/conexión/);
    expect(retryMessage(await failure(http(answer(502, '<html>Bad Gateway</html>'))))).toMatch(
      /servicio/,
    );
    expect(retryMessage(await failure(http(answer(503, { message: 'Ahora no.' }))))).toBe(
      'Ahora no.',
    );
  });
});
