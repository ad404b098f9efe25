/** Bodies that take long to arrive, on purpose: what they occupy is limited. */

import { connect, type Socket } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { untilTrue } from '../support/world.ts';
import { type AccountApp, openAccountApp } from './account-app.ts';

const MB = 1024 * 1024;
const LARGEST = 32 * MB; // Of SaveData.
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

let app: AccountApp;
let token: string;
let other: string;
let port: number;
const open = new Set<Socket>();
beforeAll(async () => {
  app = await openAccountApp();
  ({ token } = await app.signUp());
  ({ token: other } = await app.signUp());
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterEach(() => {
  for (const socket of open) socket.destroy();
  open.clear();
});
afterAll(() => app.close());

/** A call that declares a body and sends none of it, and the status of its answer: 0 while there is none. */
function begin(of: string, headers: string, path = '/api/PostData/SaveData') {
  const started = { status: 0, retryAfter: '' };
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${of}\r\n${headers}\r\n\r\n`,
    ),
  );
  open.add(socket);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    started.status ||= Number(chunk.toString().split(' ')[1]);
    started.retryAfter ||= /retry-after: (\d+)/i.exec(chunk.toString())?.[1] ?? '';
  });
  return started;
}

const json = (bytes: number) => `Content-Type: application/json\r\nContent-Length: ${bytes}`;

/** Begins three calls at once, and waits until one is answered. */
async function beginThree(headers: string) {
  const three = [begin(token, headers), begin(token, headers), begin(token, headers)];
  return untilTrue(
    async () => three.filter(({ status }) => status !== 0),
    ({ length }) => length > 0,
  );
}

it('a company may send two of the largest at once, which takes nothing from others', async () => {
  expect(await beginThree(json(LARGEST))).toEqual([{ status: 429, retryAfter: '5' }]);

  const body = { Clientes: [], x: 'x'.repeat(MB) };
  expect((await app.post('PostData/SaveData', body, other)).status).toBe(200);
  // Ordinary ones are not counted.
  expect((await app.post('PostData/SaveData', {}, token)).status).toBe(200);
});

it('what has been sent, or given up, counts no more', async () => {
  const body = { Clientes: [], x: 'x'.repeat(25 * MB) };
  for (let round = 0; round < 3; round++) {
    expect((await app.post('PostData/SaveData', body, token)).status).toBe(200);
  }
  await beginThree(json(LARGEST));
  for (const socket of open) socket.destroy();
  const again = () => app.post('PostData/SaveData', body, token);
  expect((await untilTrue(again, ({ status }) => status !== 429)).status).toBe(200);
});

it('one in pieces of unknown number counts as the largest', async () => {
  const pieces = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
  expect(await beginThree(pieces)).toMatchObject([{ status: 429 }]);
});

it('a form larger than any is refused before it is read', async () => {
  const form = `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${20 * MB}`;
  const started = begin(token, form, '/api/PostData/ExtraerFactura');
  await untilTrue(
    async () => started.status,
    (status) => status === 413,
  );
});

it.each(['/api/Auth/login', '/api/Auth/NewRegisterDemo', '/api/nada'])(
  'without a session nothing large is read: %s',
  async (path) => {
    const { status } = await app.call('POST', path, { body: { Email: 'a'.repeat(70_000) } });
    expect(status).toBe(413);
    const largest = { Email: 'a'.repeat(60_000) };
    expect((await app.call('POST', path, { body: largest })).status).not.toBe(413);
  },
);

it.each([
  ['gzip', gzipSync],
  ['br', (text: string) => brotliCompressSync(text, QUICKLY)],
  ['deflate', deflateSync],
])(
  'a body compressed with %s is refused: nobody could tell how much it is',
  async (encoding, compress) => {
    const send = (path: string, body: object) =>
      app.app.inject({
        method: 'POST',
        url: path,
        headers: {
          authorization: `Bearer ${other}`,
          'content-type': 'application/json',
          'content-encoding': encoding,
        },
        payload: compress(JSON.stringify(body)),
      });
    const calls = [
      send('/api/PostData/SaveData', { x: 'x'.repeat(25 * MB) }),
      send('/api/Auth/login', { Email: 'a@b.es', Password: 'una frase cualquiera' }),
    ];
    for (const { statusCode, body } of await Promise.all(calls)) {
      expect([statusCode, JSON.parse(body)]).toEqual([
        415,
        {
          message: 'El contenido no puede ir comprimido: envíalo sin Content-Encoding.',
          codigo: 'UNSUPPORTED_MEDIA',
        },
      ]);
    }
  },
);

it('a body that says that it is not compressed is taken', async () => {
  const answer = await app.call('POST', '/api/PostData/SaveData', {
    token: other,
    body: {},
    headers: { 'content-encoding': 'identity' },
  });
  expect(answer.status).toBe(200);
});
