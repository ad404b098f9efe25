/** What none of our programs sends: bytes that are no HTTP, and truncated forms. */

import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApp, openAccountApp } from './account-app.ts';

const UNREADABLE = { message: 'La petición no se entiende: revisa su contenido.' };

let app: AccountApp;
let token: string;
let port: number;
beforeAll(async () => {
  app = await openAccountApp();
  ({ token } = await app.signUp());
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => app.close());

/** The answer to those bytes: the status and the body. */
async function answerTo(bytes: string): Promise<readonly [status: number, body: unknown]> {
  const text = await textAnswering(bytes);
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return [Number(text.split(' ')[1]), JSON.parse(body)];
}

function textAnswering(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(text));
  });
}

describe('bytes that are no call', () => {
  it.each([
    ['another protocol', 'hola\r\n\r\n', 400, UNREADABLE],
    [
      'a length that is none',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
      400,
      UNREADABLE,
    ],
    [
      'an address that is none',
      'GET /api/%zz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      UNREADABLE,
    ],
    [
      'an address without end',
      `GET /?search=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      { message: 'La dirección o las cabeceras de la petición son demasiado largas.' },
    ],
  ])('%s is refused in Spanish', async (_, bytes, status, body) => {
    expect(await answerTo(bytes)).toEqual([status, body]);
  });
});

describe('a body that is too large', () => {
  const MB = 1024 * 1024;
  const TOO_LARGE = [413, { message: 'El archivo o el texto es demasiado grande.' }];

  /** Sends that many bytes in pieces, and reads the answer only afterwards, as browsers do. */
  function sent(head: string, bytes: number): Promise<readonly [status: number, body: unknown]> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      const piece = Buffer.alloc(64 * 1024, 'a');
      const isChunked = head.includes('chunked');
      let left = bytes;
      let text = '';
      const go = () => {
        while (left > 0) {
          left -= piece.length;
          if (isChunked) socket.write(`${piece.length.toString(16)}\r\n`);
          const goesOn = socket.write(piece);
          if (isChunked) socket.write('\r\n');
          if (!goesOn) return socket.once('drain', go);
        }
        if (isChunked) socket.write('0\r\n\r\n');
        socket.on('data', (chunk) => {
          text += chunk.toString('utf8');
        });
      };
      socket.on('error', reject);
      socket.on('close', () => {
        if (text === '') return reject(new Error('No answer.'));
        const body = text.slice(text.indexOf('\r\n\r\n') + 4);
        resolve([Number(text.split(' ')[1]), JSON.parse(body)]);
      });
      socket.write(
        `POST /api/PostData/SetProductos HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
      );
      go();
    });
  }

  it.each([
    ['which says so first', `Content-Length: ${8 * MB}`],
    ['in pieces', 'Transfer-Encoding: chunked'],
  ])('is refused so that the caller can read it, %s', async (_, head) => {
    for (let time = 0; time < 5; time++) expect(await sent(head, 8 * MB)).toEqual(TOO_LARGE);
  });

  it('is not read for ever', async () => {
    // Whoever sends a body without end is cut off.
    const end = await sent('Transfer-Encoding: chunked', 512 * MB).catch(
      (error: { readonly code?: string }) => error.code,
    );
    expect([TOO_LARGE, 'ECONNRESET', 'EPIPE']).toContainEqual(end);
  });
});

it('an address with its host, as for a proxy, is treated like its path', async () => {
  const ask = (address: string) =>
    textAnswering(`GET ${address} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  for (const host of ['', 'http://ejemplo.es', 'HTTPS://usuario@ejemplo.es:8443']) {
    const text = await ask(`${host}/api/GetData/GetConfiguracion`);
    expect([host, text.split('\r\n')[0]]).toEqual([host, 'HTTP/1.1 200 OK']);
    expect(text).toContain('\r\ncache-control: no-store\r\n');
    expect(text).toContain('\r\nx-robots-tag: noindex\r\n');
  }
  expect(await ask('http://ejemplo.es')).toMatch(/^HTTP\/1\.1 404 /);
  expect(await ask('*')).toMatch(/^HTTP\/1\.1 404 /);
});

describe('a text of a form that is too large', () => {
  const post = async (call: string, fields: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const answer = await app.app.inject({
      method: 'POST',
      url: `/api/PostData/${call}`,
      headers: { authorization: `Bearer ${token}` },
      payload: form,
    });
    return [answer.statusCode, answer.json()];
  };
  const TOO_LARGE = [
    413,
    { message: 'El archivo o el texto es demasiado grande.', codigo: 'PAYLOAD_TOO_LARGE' },
  ];

  it('is said to be so, though what is left of it would be no list, or end in half a letter', async () => {
    const line = { description: 'a'.repeat(1000), quantity: '1', price: '1', tax: 'IVA21' };
    const invoiceItems = JSON.stringify(Array.from({ length: 1000 }, () => line));
    for (const call of ['SetFacturas', 'ValidarFactura']) {
      expect(await post(call, { type: 'factura', invoiceItems })).toEqual(TOO_LARGE);
    }
    const Body = `a${'ñ'.repeat(600_000)}`;
    expect(await post('sendMailSupport', { Asunto: 'Duda', Body })).toEqual(TOO_LARGE);
  });

  it('is not one that has its largest size', async () => {
    const Body = 'a'.repeat(1_048_575);
    expect(await post('sendMailSupport', { Asunto: 'Duda', Body })).toEqual([
      400,
      { message: ['El campo «Body»: tiene que tener 10000 caracteres como mucho.'] },
    ]);
  });
});

it('a form with several files is told that it takes one', async () => {
  for (const call of ['ExtraerFactura', 'ImportExcel', 'UpdateCertificate']) {
    const form = new FormData();
    for (const name of ['a.pdf', 'b.pdf']) form.append('File', new File(['x'], name));
    const answer = await app.app.inject({
      method: 'POST',
      url: `/api/PostData/${call}`,
      headers: { authorization: `Bearer ${token}` },
      payload: form,
    });
    expect([call, answer.statusCode, answer.json()]).toEqual([
      call,
      400,
      { message: 'Cada petición lleva un solo archivo: envíalos de uno en uno.' },
    ]);
  }
});

describe('a broken form', () => {
  const part = '--x\r\nContent-Disposition: form-data; name="Name"\r\n\r\nPan\r\n';
  const file = part.replace('name="Name"', 'name="File"; filename="a.xlsx"');

  it.each([
    ['without its boundary', 'multipart/form-data', `${part}--x--\r\n`],
    ['with an empty one', 'multipart/form-data; boundary=', `${part}--x--\r\n`],
    ['without its end', 'multipart/form-data; boundary=x', part],
    ['cut in a file', 'multipart/form-data; boundary=x', file.slice(0, -4)],
    ['cut in the name of a field', 'multipart/form-data; boundary=x', part.slice(0, 40)],
    ['that is none', 'multipart/form-data; boundary=x', 'Name=Pan'],
  ])('is reported as the caller’s mistake, not as ours: %s', async (_, type, payload) => {
    const { statusCode, body } = await app.app.inject({
      method: 'POST',
      url: '/api/PostData/SetProductos',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      payload,
    });
    expect([statusCode, JSON.parse(body)]).toEqual([400, UNREADABLE]);
  });
});
