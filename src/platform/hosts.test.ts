import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import postgres from 'postgres';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serverOf, severalHosts, type Watch } from './hosts.ts';

/** A machine whose kernel accepts connections, and a server that may have frozen behind it. */
let server: Server;
let isFrozen = false;
/** How often it was asked whether it is there, and answered. */
let answered = 0;
const taken: Socket[] = [];

beforeEach(async () => {
  isFrozen = false;
  answered = 0;
  server = createServer((socket) => {
    taken.push(socket);
    socket.on('error', () => undefined);
    // The first byte of PostgreSQL's answer to a TLS request. Anything else takes it a while.
    socket.on('data', (said) => {
      if (isFrozen || said.length !== 8) return;
      answered += 1;
      socket.write('N');
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const socket of taken.splice(0)) socket.destroy();
  server.close();
});

const TIMES: Watch = { everyMs: 10, patienceMs: 50, silences: 2 };

function hosts(second = 1, times = TIMES): { socket: () => Promise<Socket & { port: number }> } {
  const url = `postgres://h@127.0.0.1:${portOf()},127.0.0.1:${second}/h`;
  return severalHosts(url, times) as ReturnType<typeof hosts>;
}

const portOf = () => (server.address() as AddressInfo).port;

async function connect(times = TIMES): Promise<Socket> {
  const opened = await hosts(1, times).socket();
  opened.on('error', () => undefined);
  await once(opened, 'connect');
  return opened;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('abandons a server that keeps its connections and has stopped answering', async () => {
  const socket = await connect();
  socket.write('select 1');
  socket.write(' and more'); // Makes it differ from a TLS request.
  isFrozen = true;
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('also abandons it if the pending data were sent right after the last answer', async () => {
  const socket = await connect();
  socket.once('data', () => {
    isFrozen = true;
    socket.write('select 2');
  });
  socket.write('select 1'); // As long as a TLS request, so it is answered at once.
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

it('does not abandon a slow server, nor one that nobody has asked anything', async () => {
  // Patience for a busy machine, where a late answer would count as silence.
  const busy = await connect({ ...TIMES, patienceMs: 60_000 });
  busy.write('a statement that takes long');
  while (answered < 3 * TIMES.silences) await pause(TIMES.everyMs);
  expect(busy.destroyed).toBe(false);
  busy.destroy();

  const quiet = await connect();
  isFrozen = true;
  await pause(300);
  expect(quiet.destroyed).toBe(false);
  quiet.destroy();
});

it('goes on to the next host when one ends, even after the driver has removed its listeners', async () => {
  const { socket } = hosts(2);
  const first = await socket();
  await once(first, 'connect');
  first.removeAllListeners(); // As it does to put TLS over it.
  first.destroy();
  const second = await socket();
  second.on('error', () => undefined);
  expect([first.port, second.port]).toEqual([portOf(), 2]);
  second.destroy();
});

it.each([
  ['postgres:///huella?host=/run/pg', 5432],
  ['postgres://huella:cla%40ve@/huella?host=/run/pg', 5432],
  ['postgres://huella:cla%40ve@:5433/huella?max=4&host=/run/pg', 5433],
  ['postgres://huella:cla%40ve@localhost:5434/huella?host=/run/pg', 5434],
])('uses the socket in the folder that %s names', (asked, port) => {
  const { url, options } = serverOf(asked);
  const told = postgres(url, options).options;
  expect(told).toMatchObject({ path: `/run/pg/.s.PGSQL.${port}`, database: 'huella' });
  if (asked.includes('@')) expect(told).toMatchObject({ user: 'huella', pass: 'cla@ve' });
  expect(told.connection, 'the server knows no such parameter').not.toHaveProperty('host');
});

it('has certificates compared with an address where a server has no name', async () => {
  const strict = 'postgres://h@10.0.0.5:5433/h?sslmode=verify-full';
  expect(serverOf(strict).options).toEqual({ ssl: { host: '10.0.0.5' } });
  expect(serverOf(strict.replace('10.0.0.5', 'servidor')).options).toEqual({});
  expect(serverOf(strict.replace('verify-full', 'require')).options).toEqual({});
  // With several hosts, that of each connection; Node looks for it in its socket.
  expect(await connect()).toMatchObject({ host: '127.0.0.1', _host: '127.0.0.1' });
});
