import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { prepareDrain } from './drain.ts';

const server = createServer((_request, response) => response.end('hola'));
const drain = prepareDrain(server);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterEach(() => {
  agent.destroy();
  server.closeAllConnections();
});

async function ask(port: number, through?: Agent): Promise<IncomingMessage> {
  const asked = get({ port, host: '127.0.0.1', ...(through && { agent: through }) });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer;
}

it('answers once more who keeps a connection, sends them elsewhere, and lets nobody in', async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  expect((await ask(port, agent)).headers.connection).toBe('keep-alive');

  const drained = drain(60_000);
  await expect(ask(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect((await ask(port, agent)).headers.connection).toBe('close');
  await drained;
});
