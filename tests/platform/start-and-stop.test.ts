import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { findRunningPostgres } from '../../src/platform/embedded-postgres.ts';
import { isAlive } from '../../src/platform/postmaster-pid.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import type { Sql } from '../../src/store/sql.ts';
import { signIn, signUp } from '../support/demo-company.ts';
import { type Company, enrol, invoiceToRegister, post } from '../support/load.ts';
import { scratch } from '../support/scratch.ts';
import {
  builtServer,
  preparedDataDir,
  removeDataDir,
  type Stack,
  StackError,
  startStack,
} from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

const stacks: Stack[] = [];
async function start(...args: Parameters<typeof startStack>): Promise<Stack> {
  const stack = await startStack(...args);
  stacks.push(stack);
  return stack;
}
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.remove()));
});

/** A start that is expected to fail: how it ended and its output. */
async function failedStart(...args: Parameters<typeof startStack>): Promise<StackError> {
  try {
    await start(...args);
  } catch (error) {
    if (error instanceof StackError) return error;
    throw error;
  }
  throw new Error('It started');
}

describe('starting for the first time', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ isFirstStart: true });
  });
  afterAll(() => stack?.remove());

  it('prints where it serves in one plain line, and serves', async () => {
    expect(stack.output()).toMatch(/^Huella está en http:\/\/127\.0\.0\.1:\d+$/m);
    const salud = await fetch(`${stack.baseUrl}/salud`);
    expect(salud.status).toBe(200);
    expect(await salud.json()).toMatchObject({ estado: 'ok', baseDatos: 'ok' });
  });

  it('analyzes a table that fills at once within seconds, as with a first import', async () => {
    await inDatabaseOf(stack, async (sql) => {
      // The second one begins to wait when the tables have just been analyzed: once a minute would not be enough.
      for (const name of ['filled', 'filled_later']) {
        await sql`create table ${sql(name)} as select generate_series(1, 5000) as n`;
        await eventually(async () => {
          const [row] = await sql<{ counted: number }[]>`
            select reltuples::int as counted from pg_class where relname = ${name}`;
          return row?.counted === 5000;
        });
      }
    });
  });

  it('keeps all its files from other accounts of the machine', () => {
    const { dataDir } = stack;
    const secrets = readdirSync(join(dataDir, 'claves')).map((name) => join('claves', name));
    expect(secrets.length).toBeGreaterThanOrEqual(3);
    for (const name of [...secrets, 'cerrojo', 'postgres', 'postgres.log', 'simuladores']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  it('lets no second one start on the same folder, naming the first', async () => {
    const { dataDir, pid, baseUrl } = stack;
    const { code, output } = await failedStart({ dataDir });
    expect(code).toBe(1);
    expect(output.trim()).toBe(
      `Huella ya está en marcha con los datos de ${dataDir} (${baseUrl}, proceso ${pid}): ciérrala antes, o indica otra carpeta en DATA_DIR.`,
    );
  });
});

describe('starting', () => {
  it('starts one of several at once', async () => {
    const dataDir = await preparedDataDir();
    const results = await Promise.allSettled([1, 2, 3].map(() => start({ dataDir })));
    const failures = results.flatMap((result) => ('reason' in result ? [result.reason] : []));
    expect(failures).toHaveLength(2);
    for (const { output } of failures) expect(output).toMatch(/^Huella ya está en marcha/);
  });

  it('works in a folder with a path too long for a socket', async () => {
    const parent = mkdtempSync(join(scratch, 'huella-'));
    const dataDir = join(parent, 'una-carpeta-de-nombre-muy-largo/'.repeat(5));
    const stack = await start({ dataDir });
    expect((await fetch(`${stack.baseUrl}/salud`)).status).toBe(200);
    await stack.stop();
    await removeDataDir(parent);
  });
});

describe('a wrong configuration', () => {
  it('stops the start with a sentence for each variable', async () => {
    const { code, output } = await failedStart({
      env: { PORT: 'tres mil', ROLE: 'jefe', AEAT_ENTORNO: 'mentira' },
    });
    expect(code).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'PORT: tiene que ser un número entero de 0 a 65535, no «tres mil».',
      'AEAT_ENTORNO: tiene que ser «simulador», «pruebas» o «produccion», no «mentira».',
      'ROLE: tiene que ser «all», «web» o «dispatcher», no «jefe».',
    ]);
  });

  it('reports that the port is taken, and leaves nothing running', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const dataDir = await preparedDataDir();
    const { code, output } = await failedStart({
      dataDir,
      env: { PORT: String(port) },
    });
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`El puerto ${port} ya está ocupado: indica otro en PORT.`);
    expect(readdirSync(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
    await removeDataDir(dataDir);
  });

  it('reports that the data folder is not writable', async () => {
    const { code, output } = await failedStart({
      dataDir: join(projectRoot, 'package.json', 'data'),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^DATA_DIR: no se puede/);
  });
});

describe('npm start', () => {
  it('runs the build, without its sources, and passes on the signals', async () => {
    const app = mkdtempSync(join(scratch, 'huella-app-'));
    for (const name of ['package.json', 'scripts', 'migrations']) {
      cpSync(join(projectRoot, name), join(app, name), { recursive: true });
    }
    symlinkSync(join(projectRoot, 'node_modules'), join(app, 'node_modules'));
    const dataDir = await preparedDataDir();
    const built = await builtServer();
    for (const name of readdirSync(built).filter((file) => file !== 'datos')) {
      cpSync(join(built, name), join(app, 'dist/server', name), { recursive: true });
    }
    writeFileSync(join(app, 'dist/fuentes.sha256'), '');

    const stack = await start({ command: ['npm', 'start'], cwd: app, dataDir });
    expect((await fetch(`${stack.baseUrl}/salud`)).status).toBe(200);
    expect(await stack.stop()).toBe(0);
    rmSync(app, { recursive: true });
  });
});

describe('stopping', () => {
  it('ends in order, with 0, on SIGTERM and SIGINT, and continues with its existing data', async () => {
    const endInOrder = async ({ dataDir, stop }: Stack, signal: NodeJS.Signals) => {
      const postgres = postmasterOf(dataDir);
      const simulators = readFileSync(join(dataDir, 'simuladores/direcciones.json'), 'utf8');
      const { pid } = JSON.parse(simulators);
      expect([postgres, pid].map(isAlive)).toEqual([true, true]);
      expect(await stop(signal)).toBe(0); // On its own: after 9.5 s it would be cut off, with 1.
      expect([postgres, pid].map(isAlive)).toEqual([false, false]);
    };
    const first = await start();
    const company = await signUp(first.baseUrl, 'B12345674');
    await endInOrder(first, 'SIGTERM');
    const second = await start({ dataDir: first.dataDir });
    await expect(signIn(second.baseUrl, company)).resolves.toMatch(/^ey/);
    await endInOrder(second, 'SIGINT');
  });

  it('interrupts «Registrar todas» after a batch, whoever started it, and the next start continues it', async () => {
    const COUNT = 800;
    const first = await start();
    const company = await withDrafts(first, COUNT);
    // Each batch takes at least a second, so neither run ends before it is asked about, on any machine.
    await inDatabaseOf(first, (sql) =>
      sql.unsafe(`
        create function take_a_while() returns trigger language plpgsql as $$
        begin perform pg_sleep(1); return null; end $$;
        create trigger take_a_while after insert on registros
          for each statement execute function take_a_while()`),
    );
    await post(first.baseUrl, company.token, 'RegistrarTodas', {});
    const registered = async ({ baseUrl }: Stack) => {
      const answer = await fetch(`${baseUrl}/api/GetData/GetRegistrarTodas`, {
        headers: { authorization: `Bearer ${company.token}` },
      });
      return ((await answer.json()) as { registradas: number }).registradas;
    };
    let running = first;
    let left = 0;
    // The first process runs what its own call started; the second, what the first one left.
    for (let round = 0; round < 2; round++) {
      await eventually(async () => (await registered(running)) > left);
      expect(await running.stop()).toBe(0); // On its own: after 9.5 s it would be cut off, with 1.
      running = await start({ dataDir: first.dataDir });
      left = await registered(running);
      expect(left).toBeLessThan(COUNT);
    }
    await inDatabaseOf(running, (sql) => sql`drop function take_a_while cascade`);
    await eventually(async () => (await registered(running)) === COUNT, 60);
  }, 180_000);

  it('ends with 0 while it creates its database, ending that as well', async () => {
    const dataDir = mkdtempSync(join(scratch, 'huella-'));
    const { code } = await failedStart({
      dataDir,
      env: { LOG_LEVEL: 'info' },
      stopOn: () => existsSync(join(dataDir, 'postgres.nuevo/PG_VERSION')),
    });
    expect(code).toBe(0);
    expect(workingIn(dataDir)).toEqual([]);
    await removeDataDir(dataDir);
  });

  it('ends with 0 while its database starts, ending the database as well', async () => {
    const dataDir = await preparedDataDir();
    let postgres = 0;
    const { code } = await failedStart({
      dataDir,
      stopOn: () => {
        postgres = postmasterOf(dataDir);
        return postgres > 0;
      },
    });
    expect([code, isAlive(postgres)]).toEqual([0, false]);
    expect(readdirSync(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
    await removeDataDir(dataDir);
  });

  it('answers requests that it has begun to receive before it ends, and accepts no others', async () => {
    const stack = await start();
    const { hostname, port } = new URL(stack.baseUrl);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
    });
    // The start of a second request travels with the first, so whoever answers one has begun to receive the other.
    socket.write(
      'GET /salud HTTP/1.1\r\nHost: huella\r\n\r\nPOST /api/Auth/login HTTP/1.1\r\nHost: huella\r\n',
    );
    await eventually(async () => heard.includes('"estado":"ok"'));
    const ended = stack.stop();
    await eventually(() => refusesConnections(Number(port), hostname));
    heard = '';
    const body = JSON.stringify({ Email: 'nadie@ejemplo.es', Password: 'no la sabe nadie' });
    socket.write(
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await once(socket, 'close');
    expect(heard).toMatch(/^HTTP\/1\.1 401 /);
    expect(heard).toContain('El correo o la contraseña no son correctos.');
    expect(await ended).toBe(0);
  });
});

/** Zero while there is none. */
function postmasterOf(dataDir: string): number {
  const file = join(dataDir, 'postgres/postmaster.pid');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) || 0 : 0;
}

/** The processes that work in a folder, as far as this one may see them. Linux only. */
function workingIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false; // No process, or one that has ended.
    }
  });
}

async function inDatabaseOf<T>({ dataDir }: Stack, run: (sql: Sql) => Promise<T>): Promise<T> {
  const address = await findRunningPostgres(dataDir);
  if (!address) throw new Error('It has no database.');
  const sql = openDatabase(address);
  try {
    return await run(sql);
  } finally {
    await sql.end();
  }
}

async function withDrafts(stack: Stack, count: number): Promise<Company> {
  const { baseUrl } = stack;
  const company = await inDatabaseOf(stack, (sql) => enrol(baseUrl, sql, 'B12345674'));
  const { accionFactura: _, ...draft } = invoiceToRegister();
  const Facturas = Array.from({ length: count }, (_one, index) => ({
    ...draft,
    referencia: `R-${index}`,
  }));
  const saved = await post(baseUrl, company.token, 'SaveData', { Facturas });
  if (!saved.ok) throw new Error(`Drafts: ${saved.status} ${await saved.text()}`);
  return company;
}

function refusesConnections(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host, () => {
      socket.destroy();
      resolve(false);
    }).on('error', () => resolve(true));
  });
}
