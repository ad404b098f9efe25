import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { freePort } from '../../src/platform/free-port.ts';
import { openListener } from '../../src/platform/listener.ts';
import { pipelined, type Sql, type Tx } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let sql: Sql;
afterEach(async () => {
  await sql.end(); // Without a time limit: it must not wait for answers that cannot come.
  await database.drop();
});

/** An empty database, and our own pool with the address that `addressOf` derives from its address. */
async function open(addressOf = (url: string) => url): Promise<void> {
  database = await createTestDatabase({ isEmpty: true });
  sql = openDatabase({ url: addressOf(database.url) });
}

/** Through the socket that the test run's server has in its folder. */
const bySocket = (url: string) =>
  `${url}?max=1&host=${join(dirname(inject('postgresLog')), 'postgres')}`;

const withOneConnection = (url: string) => `${url}?max=1`;

it('takes the free connection that was used last, in which statements are already prepared', async () => {
  await open();
  const backend = async (tx: Tx, seconds = 0) => {
    const [row] = await tx<{ pid: number }[]>`
      select pg_backend_pid() as pid, pg_sleep(${seconds})`;
    return row?.pid;
  };
  const all = await Promise.all(Array.from({ length: 4 }, () => backend(sql, 0.05)));
  expect(new Set(all).size).toBe(4);
  const last = await backend(sql);
  for (let time = 0; time < 8; time++) {
    expect(await backend(sql)).toBe(last);
    const own = await sql.reserve();
    expect(await backend(own)).toBe(last);
    // While one is reserved, the others are used, and none is left out or handed out twice.
    const rest = await Promise.all([backend(sql, 0.01), backend(sql, 0.01), backend(sql, 0.01)]);
    expect(new Set([last, ...rest])).toEqual(new Set(all));
    own.release();
  }
});

it('goes through the Unix socket in its address, as does the listener', async () => {
  await open(bySocket);
  // PostgreSQL reports -1 for a connection through a socket, and the port for any other.
  const [own] = await sql`
    select client_port as port from pg_stat_activity where pid = pg_backend_pid()`;
  expect(own?.port).toBe(-1);

  let onMessage: (payload: string) => void = () => {};
  const said = new Promise<string>((resolve) => {
    onMessage = resolve;
  });
  const onReconnect = () => void sql`select pg_notify('prueba', 'hola')`.catch(() => undefined);
  const listener = openListener(
    { url: bySocket(database.url) },
    { prueba: { onMessage, onReconnect } },
  );
  try {
    expect(await said).toBe('hola');
    const [listening] = await database.sql`
      select client_port as port from pg_stat_activity
       where datname = ${database.name} and application_name = 'huella-oyente'`;
    expect(listening?.port).toBe(-1);
  } finally {
    await listener.close();
  }
});

it('switches JIT compilation off, whatever the server’s setting', async () => {
  database = await createTestDatabase({ isEmpty: true });
  await database.sql`alter database ${database.sql(database.name)} set jit = on`;
  sql = openDatabase({ url: database.url });
  expect(await sql`show jit`).toEqual([{ jit: 'off' }]);
});

/** A last limit: starting a process can take long on a machine with more to do. */
const PATIENCE = { timeout: 60_000 };

/** Ends whatever sleeps in the database, as soon as something does. */
async function cutSleeper(): Promise<void> {
  const cutting = async () =>
    database.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = ${database.name} and wait_event = 'PgSleep'`;
  await expect.poll(cutting, { interval: 5, ...PATIENCE }).toHaveLength(1);
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => null,
    (error: { code: string }) => error.code,
  );

it('rejects the first query on a connection that is cut, even with another host to try', async () => {
  await open((url) => withOneConnection(url.replace(/(?<=@)([^/]+)/, '$1,$1')));
  expect(sql.options.host).toHaveLength(2);
  for (let time = 0; time < 3; time++) {
    const cut = codeOf(sql`select pg_sleep(20), 'cut'`);
    await cutSleeper();
    expect(await cut).toBe('CONNECTION_CLOSED');
  }
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
});

it('rejects everything asked on a reserved connection that is cut, and hands it out to nobody twice', async () => {
  await open(withOneConnection);
  for (let time = 0; time < 3; time++) {
    const own = await sql.reserve();
    // A statement with values is described first when it is new: those after it wait in the driver.
    const asked = [20, 0, 1].map((seconds) =>
      codeOf(own`select pg_sleep(${seconds}), ${time}::int`),
    );
    await cutSleeper();
    expect(await Promise.all(asked)).toEqual(asked.map(() => 'CONNECTION_CLOSED'));
    const another = await sql.reserve();
    // Whoever had reserved it no longer has it, whatever they still do with it.
    expect(await codeOf(own`select 'late'`)).toBe('CONNECTION_CLOSED');
    own.release();
    expect(await another`select 1 as one`).toEqual([{ one: 1 }]);
    another.release();
    expect(await sql`select 2 as two`).toEqual([{ two: 2 }]);
  }
});

it('drops a connection that the server has ended, even if its socket stays open', async () => {
  // A proxy between pool and server, where the end of a connection never arrives.
  const clients: Socket[] = [];
  const between = createServer((client) => {
    const { hostname, port } = new URL(database.url);
    const server = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    clients.push(client);
    server.on('data', (data) => client.write(data)).on('error', () => {});
    client.on('data', (data) => server.write(data)).on('error', () => {});
    client.on('close', () => server.destroy());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  try {
    await open((url) => {
      const through = new URL(withOneConnection(url));
      through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
      return through.href;
    });
    const backend = async () => (await sql`select pg_backend_pid() as pid`)[0]?.pid;
    const first = await backend();
    await database.sql`select pg_terminate_backend(${first}::int)`;
    const hasEnded = () => clients[0]?.readableEnded || clients[0]?.destroyed;
    await expect.poll(hasEnded, PATIENCE).toBe(true);
    expect(await backend()).not.toBe(first);
  } finally {
    for (const client of clients) client.destroy();
    between.close();
  }
});

describe('a request for a reserved connection', () => {
  /** A proxy in front of the server that cuts the first connections when they ask for the array types. */
  async function cutting(first: number, run: (address: (url: string) => string) => Promise<void>) {
    let cut = 0;
    const clients: Socket[] = [];
    const between = createServer((client) => {
      const { hostname, port } = new URL(database.url);
      const server = connect({ host: hostname, port: Number(port) });
      clients.push(client);
      client.on('error', () => {}).on('close', () => server.destroy());
      server.on('error', () => {}).on('data', (data) => client.write(data));
      client.on('data', (data) => {
        if (cut >= first || !data.includes('pg_catalog.pg_type')) return server.write(data);
        cut += 1;
        client.destroy();
      });
    });
    await once(between.listen(0, '127.0.0.1'), 'listening');
    try {
      await run((url) => {
        const through = new URL(withOneConnection(url));
        through.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
        return through.href;
      });
      expect(cut).toBe(first);
    } finally {
      for (const client of clients) client.destroy();
      between.close();
    }
  }

  it('is served although the connection being opened for it is lost', async () => {
    database = await createTestDatabase({ isEmpty: true });
    await cutting(1, async (address) => {
      sql = openDatabase({ url: address(database.url) });
      const own = await sql.reserve();
      expect(await own`select 1 as one`).toEqual([{ one: 1 }]);
      own.release();
    });
  });

  it('takes no connection from the others after being refused', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const address = new URL(withOneConnection(database.url));
    const { port } = address;
    address.port = String(await freePort());
    sql = openDatabase({ url: address.href });
    await expect(sql.reserve()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const clients: Socket[] = [];
    const between = createServer((client) => {
      const server = connect({ host: address.hostname, port: Number(port) });
      clients.push(client);
      client.pipe(server).pipe(client);
      client.on('error', () => {});
      server.on('error', () => {});
    });
    await once(between.listen(Number(address.port), '127.0.0.1'), 'listening');
    try {
      for (let time = 0; time < 2; time++) {
        const own = await sql.reserve();
        expect(await own`select 1 as one`).toEqual([{ one: 1 }]);
        own.release();
      }
    } finally {
      for (const client of clients) client.destroy();
      between.close();
    }
  });
});

it('handles a lost connection also in code run from its sources, like the commands', async () => {
  await open();
  const script = ['scripts/run.mjs', 'tests/support/lose-connection.ts', database.url];
  const running = promisify(execFile)(process.execPath, script, PATIENCE);
  await cutSleeper();
  expect((await running).stdout).toBe('CONNECTION_CLOSED CONNECTION_CLOSED answered\n');
});

it('refuses a transaction’s query if its connection has been replaced', async () => {
  await open(withOneConnection);
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let late: Promise<unknown> = Promise.resolve('not asked');
  const begun = codeOf(
    sql.begin(async (tx) => {
      late = gate.then(() => codeOf(tx`select 'late'`));
      await tx`select pg_sleep(20)`;
    }),
  );
  await cutSleeper();
  expect(await begun).toBe('CONNECTION_CLOSED');
  await sql.begin(async (tx) => {
    await tx`create table own (id int)`;
    goOn();
    expect(await late).toBe('CONNECTION_CLOSED');
  });
  expect(await sql`select * from own`).toEqual([]);
});

it('forgets the query on a connection that was cut, and its error', async () => {
  await open(withOneConnection);
  for (let time = 0; time < 3; time++) {
    const cut = codeOf(sql`select pg_sleep(20), 'cut'`);
    await cutSleeper();
    expect(await cut).toBe('CONNECTION_CLOSED');
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  }
});

it('reports why a transaction was rolled back, and not what came after', async () => {
  await open();
  await sql`select 1`;
  const undone = pipelined(sql, async (tx, commit) => {
    // It takes a while and then divides by the length of nothing, deep inside functions that wait for each other.
    const refused = async (depth: number): Promise<void> => {
      if (depth > 0) await refused(depth - 1);
      else await tx`select 1 / length(pg_sleep(0.1)::text)`;
    };
    // This process is busy meanwhile, so that all answers arrive at once.
    setTimeout(() => {
      for (const until = Date.now() + 300; Date.now() < until; );
    }, 30);
    const after = async () => {
      await tx`select 1`;
    };
    await commit([refused(9), after()]);
  });
  await expect(undone).rejects.toMatchObject({ code: '22012' });
});
