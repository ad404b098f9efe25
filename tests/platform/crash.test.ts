import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { isAlive } from '../../src/platform/postmaster-pid.ts';
import { customerNames, saveCustomer, signIn, signUp } from '../support/demo-company.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

let dataDir = '';
const stacks: Stack[] = [];
async function start(options: { readonly dataDir?: string } = { dataDir }): Promise<Stack> {
  const stack = await startStack({ ...options, env: { LOG_LEVEL: 'info' } });
  stacks.push(stack);
  return stack;
}

async function begin(): Promise<Stack> {
  const stack = await start({});
  dataDir = stack.dataDir;
  return stack;
}

afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.remove()));
  await removeDataDir(dataDir);
});

const postmaster = () =>
  Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);
const isWell = async ({ baseUrl }: Stack) => (await fetch(`${baseUrl}/salud`)).ok;

/** The processes of the test run's server, which works on its own cluster. */
async function pidOfAnotherServer(): Promise<number> {
  const server = openDatabase({ url: `${inject('postgresServer')}/postgres` });
  try {
    const [file] = await server<{ text: string }[]>`select pg_read_file('postmaster.pid') as text`;
    return Number.parseInt(file?.text ?? '', 10);
  } finally {
    await server.end();
  }
}

describe('kill -9', () => {
  it('of the app: the next start takes over its database and has everything that was answered', async () => {
    const first = await begin();
    const company = await signUp(first.baseUrl, 'B12345674');
    const server = postmaster();
    first.kill('app');
    await first.ended;

    const second = await start();
    expect(postmaster()).toBe(server);
    await expect(signIn(second.baseUrl, company)).resolves.toMatch(/^ey/);
    // A server that was taken over is watched like one started here.
    second.kill('postgres');
    await eventually(async () => postmaster() !== server && isWell(second));
    expect(await second.stop()).toBe(0);
  });

  it('of the database: the running app restores it automatically', async () => {
    const stack = await begin();
    const company = await signUp(stack.baseUrl, 'B12345674');
    const server = postmaster();
    stack.kill('postgres');
    await eventually(async () => postmaster() !== server && isWell(stack));
    await expect(signIn(stack.baseUrl, company)).resolves.toMatch(/^ey/);
    expect(await stack.stop()).toBe(0);
  });

  it('of the database under load: everything that was answered as saved is there', async () => {
    const stack = await begin();
    const token = await signIn(stack.baseUrl, await signUp(stack.baseUrl, 'B12345674'));
    const saved: string[] = [];
    let isLoading = true;
    const loads = Array.from({ length: 6 }, async (_, worker) => {
      for (let i = 0; isLoading; i++) {
        const name = `Cliente ${worker}-${i}`;
        if ((await saveCustomer(stack.baseUrl, token, name)) === 200) saved.push(name);
      }
    });
    for (let round = 0; round < 3; round++) {
      const before = saved.length;
      await eventually(async () => saved.length > before + 20);
      const server = postmaster();
      stack.kill('postgres');
      await eventually(async () => postmaster() !== server && isWell(stack));
    }
    isLoading = false;
    await Promise.all(loads);
    const names = new Set(await customerNames(stack.baseUrl, token));
    expect(saved.filter((name) => !names.has(name))).toEqual([]);
    expect(await stack.stop()).toBe(0);
  });

  it('of the database and the app: the next start recovers', async () => {
    const first = await begin();
    const company = await signUp(first.baseUrl, 'B12345674');
    first.kill('app');
    first.kill('postgres');
    await first.ended;
    const second = await start();
    await expect(signIn(second.baseUrl, company)).resolves.toMatch(/^ey/);
  });

  it('of everything, repeatedly', { timeout: 180_000 }, async () => {
    let stack = await begin();
    const company = await signUp(stack.baseUrl, 'B12345674');
    for (let round = 0; round < 3; round++) {
      stack.kill('postgres');
      stack.kill('simulators');
      stack.kill('app');
      await stack.ended;
      stack = await start();
    }
    await expect(signIn(stack.baseUrl, company)).resolves.toMatch(/^ey/);
  });

  it('of the simulators: they come back in their last state', async () => {
    const stack = await begin();
    const file = join(dataDir, 'simuladores/direcciones.json');
    const before = JSON.parse(readFileSync(file, 'utf8'));
    stack.kill('simulators');
    const after = await eventually(async () => {
      const found = JSON.parse(readFileSync(file, 'utf8'));
      return found.pid !== before.pid && found;
    });
    expect({ ...after, pid: 0 }).toEqual({ ...before, pid: 0 });
    const answer = await fetch(`${stack.baseUrl}/desarrollo/correo?para=nadie@obrador.test`);
    expect([answer.status, await answer.json()]).toEqual([200, []]);
  });
});

describe('what a crash leaves behind', () => {
  it.each([
    ['another program', () => process.pid],
    ['another PostgreSQL', () => pidOfAnotherServer()],
  ])(
    'a leftover note of a server whose number now belongs to %s does not stop the start',
    async (_, pid) => {
      const first = await begin();
      expect(await first.stop()).toBe(0);
      const other = await pid();
      const note = [other, '/proc/self/cwd', 1, 5432, '', '127.0.0.1', '1 1', 'ready'];
      writeFileSync(join(dataDir, 'postgres/postmaster.pid'), note.join('\n'));
      const second = await start();
      expect(await isWell(second)).toBe(true);
      expect(await second.stop()).toBe(0);
      expect(isAlive(other)).toBe(true);
    },
  );

  it('a half-made cluster is made again', async () => {
    dataDir = mkdtempSync(join(scratch, 'huella-crash-'));
    mkdirSync(join(dataDir, 'postgres.nuevo/base'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres.nuevo/PG_VERSION'), '18\n');
    expect(await isWell(await start())).toBe(true);
  });
});
