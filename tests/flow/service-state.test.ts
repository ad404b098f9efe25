import { afterEach, beforeEach, expect, it } from 'vitest';
import { reconcileStopped } from '../../src/operations/reconcile-stopped.ts';
import { requireReconcileAll } from '../../src/operations/require-reconcile.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import {
  expectOk,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

/** What an operator is warned of about the whole installation, and when. */

let world: World;
let company: TestCompany;
beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
});
afterEach(() => world.close());

const DAY_S = 86_400;
const stateOf = (of = { areDemosApart: false }) =>
  readServiceState(world.sql, world.deps.clock(), of);

/** Registers an invoice that the AEAT refuses, and waits for the refusal. */
async function rejected(of: TestCompany = company): Promise<string> {
  const { DocNo } = expectOk(await of.register());
  await world.behave({ rechazar: { [DocNo]: 1153 } });
  const dispatcher = world.startDispatcher();
  await statusOf(of, DocNo, 'Rechazado');
  await dispatcher.stop();
  await world.behave({ rechazar: { [DocNo]: 0 } });
  return DocNo;
}

async function statusOf(of: TestCompany, docNo: string, status: string): Promise<void> {
  await untilTrue(
    () => world.sql<{ status: string }[]>`
      select status from invoices where company_id = ${of.id} and doc_no = ${docNo}`,
    ([row]) => row?.status === status,
  );
}

it('reports a rejection that nobody corrected for a day, and none that is corrected in time', async () => {
  const first = await rejected();
  expect(await stateOf()).toMatchObject({ rechazados: 1, conRechazoAntiguo: 0 });

  // Another one is rejected before the first is corrected, so that there is always one.
  world.advanceClock(DAY_S - 3600);
  await world.behave({ relojMundo: DAY_S - 3600 });
  const other = await world.signUp('A58818501');
  await rejected(other);
  expect(await stateOf()).toMatchObject({ rechazados: 2, conRechazoAntiguo: 0 });
  world.advanceClock(3600 - DAY_S); // The session has expired by then.
  expectOk(await company.register({ notas: 'corregida', draftNo: first }));
  world.advanceClock(DAY_S + 3600);
  expect(await stateOf()).toMatchObject({ rechazados: 1, conRechazoAntiguo: 0 });
  world.advanceClock(DAY_S);
  expect(await stateOf()).toMatchObject({ rechazados: 1, conRechazoAntiguo: 1 });
});

it('reports none in a closed account, nor in demos that declare to the test service', async () => {
  await rejected();
  await world.sql`
    update despachos set failures = 3, detenido_at = ${world.deps.clock()}
     where company_id = ${company.id}`;
  world.advanceClock(DAY_S + 60);
  const told = ({ failing, rechazados, conRechazoAntiguo, enviosDetenidos }: Told) => ({
    failing,
    rechazados,
    conRechazoAntiguo,
    enviosDetenidos,
  });
  const all = { failing: 1, rechazados: 1, conRechazoAntiguo: 1, enviosDetenidos: 1 };
  const none = { failing: 0, rechazados: 0, conRechazoAntiguo: 0, enviosDetenidos: 0 };
  expect(told(await stateOf())).toEqual(all);
  expect(told(await stateOf({ areDemosApart: true }))).toEqual(none);
  await world.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
  expect(told(await stateOf({ areDemosApart: true }))).toEqual(all);

  world.advanceClock(-DAY_S); // The session is as recent as closing the account requires.
  expectOk(await company.call('POST', '/api/PostData/DeleteAccount'));
  world.advanceClock(DAY_S);
  expect(told(await stateOf())).toEqual(none);
});

it('counts as stopped after a restore the open companies that can ask the AEAT, and separately those that cannot', async () => {
  const closed = await world.signUp('A58818501');
  const uncertified = await world.signUp('A80192727');
  for (const one of [company, closed, uncertified]) expectOk(await one.register());
  const dispatcher = world.startDispatcher();
  await untilTrue(
    () => world.sql`select 1 from invoices where status = 'En espera'`,
    (waiting) => waiting.length === 0,
  );
  await dispatcher.stop();
  expectOk(await closed.call('POST', '/api/PostData/DeleteAccount'));
  await world.sql`
    update certificates set valido_hasta = now() - interval '1 day'
     where company_id = ${uncertified.id}`;

  expectOk(await company.register());
  const now = world.deps.clock();
  expect(await stateOf()).toMatchObject({ waitingSince: expect.any(Date) });
  expect(await requireReconcileAll(world.sql, now, now)).toBe(2);
  // What waits there is not held up by the AEAT.
  expect(await stateOf()).toMatchObject({
    detenidas: 1,
    detenidasSinCertificado: 1,
    waitingSince: null,
  });
  // As an earlier version left it.
  await world.sql`
    update cadenas set reconcile_required_at = ${now}, reconcile_periodos = '{2026-11}', reconcile_reason = 'copia'
     where company_id = ${closed.id}`;
  const chore = () =>
    reconcileStopped(world.deps, world.consultarAeat, AbortSignal.timeout(60_000));
  // In January, the months up to the end of next year are more than one round asks for.
  expect((await chore()) + (await chore())).toBe(1);
  expect(await stateOf()).toMatchObject({
    detenidas: 0,
    detenidasSinCertificado: 1,
    waitingSince: expect.any(Date),
  });
  expect(await stateOf({ areDemosApart: true })).toMatchObject({ detenidasSinCertificado: 0 });
});

it('reports a dispatcher whose clock is behind, or was ahead, even beside one whose clock is right', async () => {
  const right = await world.signUp('A58818501');
  const send = async (of: TestCompany) => {
    expectOk(await of.register());
    const dispatcher = world.startDispatcher();
    await untilTrue(
      () => world.sql`select 1 from despachos where waiting_since is not null`,
      (waiting) => waiting.length === 0,
    );
    await dispatcher.stop();
  };
  // Left earlier by a dispatcher that was an hour ahead.
  await send(right);
  await world.sql`update despachos set desfase_at = now() + interval '1 hour' where company_id = ${right.id}`;
  world.advanceClock(-600);
  await send(company);
  const { desfaseSegundos } = await stateOf();
  expect(desfaseSegundos).toBeGreaterThan(500); // Less what the answer took to arrive.
  expect(desfaseSegundos).toBeLessThanOrEqual(601);
  world.advanceClock(600);
  await send(right);
  expect((await stateOf()).desfaseSegundos).toBe(0);
});

type Told = Awaited<ReturnType<typeof stateOf>>;
