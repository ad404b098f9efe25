import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prepareDrain } from './drain.ts';

let server: Server;
let drain: ReturnType<typeof prepareDrain>;
let agent: Agent;

beforeEach(() => {
  server = createServer((_request, response) => response.end('hola'));
  drain = prepareDrain(server);
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
});
afterEach(() => {
  agent.destroy();
  server.close();
  server.closeAllConnections();
});

async function ask(port: number, through?: Agent): Promise<IncomingMessage> {
  const asked = get({ port, host: '127.0.0.1', ...(through && { agent: through }) });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

it('keeps a connection for longer than it says, for proxies that do not read what it says', async () => {
  const { headers } = await ask(await listen(), agent);
  expect(headers['keep-alive']).toBe('timeout=5');
  // Theirs is 60 s, if they are not told otherwise.
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
});

it('answers a kept connection once more, tells it to close, and accepts no others', async () => {
  const port = await listen();
  expect((await ask(port, agent)).headers.connection).toBe('keep-alive');

  const drained = drain({ listenMs: 0, patienceMs: 60_000 });
  while (server.listening) await sleep(5); // It waits for a quiet moment, however long that takes on this machine.
  await expect(ask(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  const { headers } = await ask(port, agent);
  expect(headers).toMatchObject({ connection: 'close' });
  expect(headers).not.toHaveProperty('keep-alive');
  await drained;
});

it('still accepts connections for a while, answering each once', async () => {
  const port = await listen();
  void drain({ listenMs: 60_000, patienceMs: 60_000 }); // Longer than all of this may take.
  expect((await ask(port, agent)).headers.connection).toBe('close');
  expect((await ask(port)).headers.connection).toBe('close');
});

it('accepts no connections once that time is over', async () => {
  const port = await listen();
  await drain({ listenMs: 10, patienceMs: 60_000 });
  await expect(ask(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

async function listen(): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
