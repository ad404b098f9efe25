import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { RETRY_MS, reconcileStopped } from '../../src/operations/reconcile-stopped.ts';
import { requireReconcileAll } from '../../src/operations/require-reconcile.ts';
import { eventually, expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;

/** Two invoices that the AEAT has, and then a backup of a week ago is restored. */
beforeEach(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
  expectOk(await company.register());
  expectOk(await company.register());
  const dispatcher = world.startDispatcher();
  await eventually(conexion, ({ aceptadas }) => aceptadas === 2);
  await dispatcher.stop();
});
afterEach(() => world.close());

async function conexion(): Promise<ConexionAEAT> {
  return expectOk(await company.call('GET', '/api/GetData/GetConexionAEAT'));
}

async function restored(): Promise<void> {
  const now = world.deps.clock();
  const lastWeek = new Date(now.getTime() - 7 * 86_400_000);
  expect(await requireReconcileAll(world.sql, lastWeek, now)).toBe(1);
}

function chore(): Promise<number> {
  return reconcileStopped(world.deps, world.consultarAeat, AbortSignal.timeout(60_000));
}

it('lets a restored company register again by itself when the AEAT has nothing else', async () => {
  await restored();
  const refused = await company.register();
  expect(refused.status).toBe(403);
  const words = 'Se ha restaurado una copia de seguridad. Antes de registrar hay que comprobar';
  expect(refused.body).toMatchObject({ message: expect.stringContaining(words) });
  expect((await conexion()).mensaje).toContain(words);

  expect(await chore()).toBe(1);
  expect((await company.register()).status).toBe(200);
  expect((await conexion()).mensaje ?? '').not.toContain('copia de seguridad');
});

it('asks again after six hours when the AEAT could not be asked, and not before', async () => {
  await restored();
  await world.behave({ modo: 'http-503', fallos: 1 });
  expect(await chore()).toBe(0);
  expect(await chore()).toBe(0); // The AEAT would answer now.
  expect((await company.register()).status).toBe(403);
  world.advanceClock(RETRY_MS / 1000);
  await world.behave({ relojMundo: RETRY_MS / 1000 });
  expect(await chore()).toBe(1);
});

it('is made by one process when two look at once', async () => {
  await restored();
  expect((await Promise.all([chore(), chore()])).toSorted()).toEqual([0, 1]);
});

it('keeps a company stopped whose registros are at the AEAT and not here, and says both', async () => {
  await world.sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`delete from respuestas where seq = 2`;
    await tx`delete from registros where seq = 2`;
    await tx`delete from invoices where seq = 2`;
  });
  await restored();
  expect(await chore()).toBe(0);
  const refused = await company.register();
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(
      /^Se ha restaurado una copia de seguridad, y la AEAT tiene registros/,
    ),
  });
});

it('leaves a company without certificate for when it has one', async () => {
  await restored();
  await world.sql`update certificates set valido_hasta = now() - interval '1 day'`;
  expect(await chore()).toBe(0);
  await world.sql`update certificates set valido_hasta = now() + interval '1 year'`;
  expect(await chore()).toBe(1);
});

it('stops a company that had registered nothing too: its first numbers may be given by now', async () => {
  const other = await world.signUp('A58818501');
  const now = world.deps.clock();
  expect(await requireReconcileAll(world.sql, now, now)).toBe(2);
  expect((await other.register()).status).toBe(403);
  expect(await chore()).toBe(2);
  expect((await other.register()).status).toBe(200);
});
