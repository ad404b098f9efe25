import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { isAlive } from '../../src/platform/postmaster-pid.ts';
import { customerNames, saveCustomer, signIn, signUp } from '../support/demo-company.ts';
import { scratch } from '../support/scratch.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

/** One installation for all of them: each begins with what the one before has left, as after a real crash. */
let running: Stack;
let dataDir = '';
const start = (folder = dataDir) =>
  startStack({ ...(folder && { dataDir: folder }), env: { LOG_LEVEL: 'info' } });
const startAgain = async () => {
  running = await start();
};

beforeAll(async () => {
  await startAgain();
  ({ dataDir } = running);
});
afterAll(() => running?.remove());

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
  it('of the database under load: the running app restores it, and everything that was answered as saved is there', async () => {
    const token = await signIn(running.baseUrl, await signUp(running.baseUrl, 'A58818501'));
    const saved: string[] = [];
    let isLoading = true;
    const loads = Array.from({ length: 6 }, async (_, worker) => {
      for (let i = 0; isLoading; i++) {
        const name = `Cliente ${worker}-${i}`;
        if ((await saveCustomer(running.baseUrl, token, name)) === 200) saved.push(name);
      }
    });
    for (let round = 0; round < 3; round++) {
      const before = saved.length;
      await eventually(async () => saved.length > before + 20);
      const server = postmaster();
      running.kill('postgres');
      await eventually(async () => postmaster() !== server && isWell(running));
    }
    isLoading = false;
    await Promise.all(loads);
    const names = new Set(await customerNames(running.baseUrl, token));
    expect(saved.filter((name) => !names.has(name))).toEqual([]);
  });

  it('of the simulators: they come back in their last state', async () => {
    const file = join(dataDir, 'simuladores/direcciones.json');
    const before = JSON.parse(readFileSync(file, 'utf8'));
    running.kill('simulators');
    const after = await eventually(async () => {
      const found = JSON.parse(readFileSync(file, 'utf8'));
      return found.pid !== before.pid && found;
    });
    expect({ ...after, pid: 0 }).toEqual({ ...before, pid: 0 });
    const answer = await fetch(`${running.baseUrl}/desarrollo/correo?para=nadie@obrador.test`);
    expect([answer.status, await answer.json()]).toEqual([200, []]);
  });

  it('of the database and the app: the next start recovers', async () => {
    const company = await signUp(running.baseUrl, 'J99216582');
    running.kill('app');
    running.kill('postgres');
    await running.ended;
    await startAgain();
    await expect(signIn(running.baseUrl, company)).resolves.toMatch(/^ey/);
  });

  it('of everything, repeatedly', { timeout: 180_000 }, async () => {
    const company = await signUp(running.baseUrl, 'B76543214');
    for (let round = 0; round < 2; round++) {
      running.kill('postgres');
      running.kill('simulators');
      running.kill('app');
      await running.ended;
      await startAgain();
    }
    await expect(signIn(running.baseUrl, company)).resolves.toMatch(/^ey/);
  });

  it('of the app: the next start takes over its database and has everything that was answered', async () => {
    const company = await signUp(running.baseUrl, 'B12345674');
    const server = postmaster();
    running.kill('app');
    await running.ended;

    await startAgain();
    expect(postmaster()).toBe(server);
    await expect(signIn(running.baseUrl, company)).resolves.toMatch(/^ey/);
    // A server that was taken over is watched like one started here.
    running.kill('postgres');
    await eventually(async () => postmaster() !== server && isWell(running));
    expect(await running.stop()).toBe(0);
  });
});

describe('what a crash leaves behind', () => {
  it.each([
    ['another program', () => process.pid],
    ['another PostgreSQL', () => pidOfAnotherServer()],
  ])(
    'a leftover note of a server whose number now belongs to %s does not stop the start',
    async (_, pid) => {
      expect(await running.stop()).toBe(0); // Or it has ended already, with the same.
      const other = await pid();
      const note = [other, '/proc/self/cwd', 1, 5432, '', '127.0.0.1', '1 1', 'ready'];
      writeFileSync(join(dataDir, 'postgres/postmaster.pid'), note.join('\n'));
      await startAgain();
      expect(await isWell(running)).toBe(true);
      expect(await running.stop()).toBe(0);
      expect(isAlive(other)).toBe(true);
    },
  );

  it('a half-made cluster is made again', async () => {
    const folder = mkdtempSync(join(scratch, 'huella-crash-'));
    mkdirSync(join(folder, 'postgres.nuevo/base'), { recursive: true });
    writeFileSync(join(folder, 'postgres.nuevo/PG_VERSION'), '18\n');
    const stack = await start(folder);
    expect(await isWell(stack)).toBe(true);
    await stack.remove();
  });
});
