import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import type { AeatService } from '../deps.ts';
import type { ClientCertificate } from '../operations/open-certificate.ts';
import { AeatClient, type HttpOutcome, slicesUntil } from './aeat-client.ts';

afterEach(() => vi.restoreAllMocks());

it('gives a message in slices, and no more of it once its time is over', () => {
  const message = new Uint8Array(150_000).map((_, at) => at % 251);
  const inTime = slicesUntil(performance.now() + 60_000, message);
  expect(Buffer.concat([...inTime]).equals(message)).toBe(true);
  const late = slicesUntil(performance.now() - 1, message);
  expect(() => late.next()).toThrow('Too late');
});

it.each([
  [119_999, 'answer', 1],
  [120_001, 'no-answer', 0],
])('sends a message that its process gets to after %i ms: %s', async (ms, kind, arrived) => {
  let messages = 0;
  const server = createServer((request, response) => {
    request.on('error', () => undefined); // It is cut short.
    request.resume().on('end', () => {
      messages += 1;
      response.end('<sobre/>');
    });
  }).listen(0);
  await once(server, 'listening');
  vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(ms);
  const outcome = await post((server.address() as AddressInfo).port);
  expect([outcome.kind, messages]).toEqual([kind, arrived]);
  server.close();
});

it('says of a message without an answer whether anything of it was sent', async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await post(port)).toMatchObject({ kind: 'no-answer', isUnsent: false });
  server.close();
  await once(server, 'close');
  expect(await post(port)).toMatchObject({ kind: 'no-answer', isUnsent: true });
  const plain = createTcpServer((socket) => socket.end('no TLS')).listen(0);
  await once(plain, 'listening');
  const { port: plainPort } = plain.address() as AddressInfo;
  expect(await post(plainPort, 'https')).toMatchObject({ kind: 'no-answer', isUnsent: true });
  plain.close();
});

async function post(port: number, scheme = 'http'): Promise<HttpOutcome> {
  const url = `${scheme}://127.0.0.1:${port}/`;
  const service: AeatService = { url, selloUrl: url, ca: null };
  const client = new AeatClient({ aeat: service, aeatOfDemos: service });
  const certificate: ClientCertificate = {
    tipo: 'representante',
    nif: '89890001K',
    huella: 'A',
    keyPem: '',
    certPem: '',
    validoHasta: new Date(0),
  };
  const who = { certificate, esDemo: true };
  const outcome = await client.post(who, Buffer.from('<mensaje/>'), new AbortController().signal);
  await client.close();
  return outcome;
}
