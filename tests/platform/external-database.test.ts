import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { signIn, signUp } from '../support/demo-company.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, StackError, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

let database: TestDatabase;
let dataDir = '';
const stacks: Stack[] = [];
async function start(env: Record<string, string> = {}): Promise<Stack> {
  const stack = await startStack({
    dataDir,
    env: { DATABASE_URL: database.url, ...env },
  });
  stacks.push(stack);
  return stack;
}

const simulators = () =>
  JSON.parse(readFileSync(join(dataDir, 'simuladores/direcciones.json'), 'utf8'));

beforeEach(async () => {
  database = await createTestDatabase({ isEmpty: true });
  dataDir = mkdtempSync(join(scratch, 'huella-external-'));
});
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.remove()));
  await removeDataDir(dataDir);
  await database.drop();
});

describe('DATABASE_URL', () => {
  it('is migrated and used in place of the embedded server', async () => {
    const stack = await start();
    await signUp(stack.baseUrl, 'B12345674');
    const rows = await database.sql`select nif from companies`;
    expect(rows).toEqual([{ nif: 'B12345674' }]);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(await stack.stop()).toBe(0);
  });

  it('serves at once while the index of the search is built', async () => {
    const first = await start();
    const company = await signUp(first.baseUrl, 'B12345674');
    expect(await first.stop()).toBe(0);

    // As a long history of before the index: building it takes for as long as somebody is writing.
    await database.sql`drop index invoices_search_marks`;
    const writing = await database.sql.reserve();
    await writing`begin`;
    await writing`lock table invoices in row exclusive mode`;
    const stack = await start();
    const isBuilding = () => database.sql`
      select 1 from pg_stat_activity where query like '%concurrently%invoices_search_marks%'
         and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`;
    await eventually(async () => (await isBuilding()).length > 0);
    const token = await signIn(stack.baseUrl, company);
    const answer = await fetch(`${stack.baseUrl}/api/GetData/GetInvoices?search=nadie`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(await isBuilding()).toHaveLength(1);

    await writing`rollback`;
    writing.release();
    await eventually(async () => {
      const [index] = await database.sql`
        select 1 from pg_index where indexrelid = to_regclass('invoices_search_marks') and indisvalid`;
      return index !== undefined;
    });
  });

  it('serves several processes, each with its role, on one folder', async () => {
    const dispatcher = await start({ ROLE: 'dispatcher' }); // The first one runs the simulators.
    const web = await start({ ROLE: 'web' });
    expect(dispatcher.baseUrl).toBe('');
    const company = await signUp(web.baseUrl, 'B12345674');
    await expect(signIn(web.baseUrl, company)).resolves.toMatch(/^ey/);
    // The dispatcher sends the mail that the web queued.
    const letters = await eventually(async () => {
      const answer = await fetch(`${web.baseUrl}/desarrollo/correo?para=${company.email}`);
      const found = (await answer.json()) as unknown[];
      return found.length > 0 && found;
    });
    expect(letters).toHaveLength(1);

    // Whoever runs the simulators may go: another takes its place, at the same addresses.
    const addresses = simulators();
    dispatcher.kill('app');
    await eventually(async () => simulators().pid !== addresses.pid);
    expect({ ...simulators(), pid: 0 }).toEqual({ ...addresses, pid: 0 });
    const answer = await fetch(`${web.baseUrl}/desarrollo/correo?para=${company.email}`);
    expect(await answer.json()).toHaveLength(1);
  });

  it('is not shared by two complete applications on one folder', async () => {
    await start();
    const error = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StackError);
    expect((error as StackError).output).toMatch(/^Huella ya está en marcha/);
  });

  it.each([
    ['otra-clave', 'La base de datos no acepta el usuario o la clave de DATABASE_URL.'],
    ['otra-base', 'La base de datos que nombra DATABASE_URL no existe: créala antes.'],
  ])('stops the start in a sentence: %s', async (wrong, sentence) => {
    const url = new URL(inject('postgresServer'));
    url.pathname = '/no-existe';
    if (wrong === 'otra-clave') url.password = 'otra';
    const error = await start({ DATABASE_URL: url.href }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 1 });
    expect((error as StackError).output.trim()).toBe(sentence);
  });
});
