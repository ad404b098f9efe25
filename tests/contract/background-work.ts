import { REFUSALS_TOLD } from '../../src/dispatch/policy.ts';
import { startMailWorker } from '../../src/mail/worker.ts';
import { requireReconcileAll } from '../../src/operations/require-reconcile.ts';
import { scheduleSyncs } from '../../src/operations/sync-business-central.ts';
import { openRun as openSync } from '../../src/store/business-central.ts';
import { openRun } from '../../src/store/register-all-runs.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import { choresOf } from '../../src/workers.ts';
import { BUSINESS_CENTRAL_SETTINGS } from '../fixtures/business-central.ts';
import { administer } from '../support/admin.ts';
import { expectOk, untilTrue } from '../support/world.ts';
import type { CallStage } from './call-stage.ts';

const DAY_S = 86_400;

/**
 * Makes the product do all its background work, with something to do for most of it: sending, also after no answer and
 * a refused certificate; mail; every chore, now and when certificates, subscriptions and data with a time limit expire;
 * what an operator watches and orders.
 */
export async function doBackgroundWork(stage: CallStage): Promise<void> {
  const { world } = stage;
  const worker = await world.signUp('A28015865', 'Pasadero, S.L.');
  await world.behave({ modo: 'silencio', fallos: 1 });
  expectOk(await worker.register());
  await sendUntil(stage, () => world.sql`/* prueba */ select 1 from despachos where failures > 0`);
  world.advanceClock(60); // The same bytes are sent again after half a minute.
  await world.sql`/* prueba */ update despachos set failures = ${REFUSALS_TOLD - 1} where failures > 0`;
  await world.behave({ modo: 'http-403', fallos: 1 });
  await sendUntil(
    stage,
    () => world.sql`/* prueba */ select 1 from mail_jobs where kind = 'certificado-rechazado'`,
  );
  await world.sql`/* prueba */ update despachos set next_envio_at = now() where failures > 0`;
  await sendEverything(stage);

  // A run of «Registrar todas» interrupted half way, and a company with Business Central whose turn has come.
  await stage.newDraft(worker);
  await openRun(world.sql, worker.id, world.deps.clock());
  expectOk(
    await worker.call('POST', '/api/PostData/SetBusinessCentral', BUSINESS_CENTRAL_SETTINGS),
  );
  await world.sql`
    update bc_connections set status = 'activa', declared_off_at = now(), declared_off_by = 'prueba'
     where company_id = ${worker.id}`;
  await world.sql.begin((tx) => openSync(tx, worker.id, 'manual', world.deps.clock()));
  await doChores(stage);

  await requireReconcileAll(world.sql, world.deps.clock(), world.deps.clock());
  for (const days of [1, 20, 1100]) {
    world.advanceClock(days * DAY_S);
    await doChores(stage);
  }
  await readServiceState(world.sql, world.deps.clock(), { areDemosApart: false });
  for (const order of ORDERS) await administer(world.deps, order);
}

const ORDERS = [
  ['empresas', 'talleres'],
  ['suscripcion', 'A28015865', '--hasta', '2040-01-31', '--plan', 'annual'],
  ['mantenimiento', 'on', 'Un rato.'],
  ['pagos'],
  ['correo', '--reintentar'],
  ['despachador'],
  ['conciliar', '--desde', '2026-01-01'],
  ['destruir', '--hacer'],
] as const;

export async function sendEverything(stage: CallStage): Promise<void> {
  await sendUntil(
    stage,
    () => stage.world.sql`/* prueba */
      select 1 from (select count(*) as left_over from despachos
                      where waiting_since is not null and rechazados = 0 and detenido_at is null)
       where left_over = 0`,
  );
}

/** Sends until it returns a row. */
async function sendUntil(
  { world }: CallStage,
  read: () => Promise<readonly unknown[]>,
): Promise<void> {
  const dispatcher = world.startDispatcher(300);
  await untilTrue(read, (rows) => rows.length > 0).finally(() => dispatcher.stop());
}

export async function doChores({ world }: CallStage): Promise<void> {
  const { deps, runtime, consultarAeat } = world;
  const outside = { businessCentral: runtime.businessCentral, consultarAeat };
  const syncs = scheduleSyncs(deps, outside);
  const chores = choresOf(deps, runtime, {
    lookForSyncs: syncs.look,
    consultarAeat,
    ending: new AbortController().signal,
  });
  for (const { run } of chores) await run();
  await syncs.idle();
  await syncs.stop();
  const mail = startMailWorker(deps, runtime);
  await untilTrue(
    () => world.sql`/* prueba */ select 1 from mail_jobs
                     where sent_at is null and failed_at is null and run_at <= ${deps.clock()}`,
    (waiting) => waiting.length === 0,
  ).finally(() => mail.stop());
}
