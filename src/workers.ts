import type { Deps, Runtime } from './deps.ts';
import { AeatClient } from './dispatch/aeat-client.ts';
import { consultarWith } from './dispatch/consulta.ts';
import { startDispatcher } from './dispatch/loop.ts';
import { startMailWorker } from './mail/worker.ts';
import { forgetExpired } from './operations/forget-expired.ts';
import { invoiceSubscriptions } from './operations/invoice-subscriptions.ts';
import { makeDataCopies } from './operations/make-data-copy.ts';
import { reconcilePayments } from './operations/reconcile-payments.ts';
import { reconcileStopped } from './operations/reconcile-stopped.ts';
import { resumeRuns } from './operations/register-all.ts';
import { scheduleSyncs } from './operations/sync-business-central.ts';
import { tellSubscriptionEnds } from './operations/tell-subscription-ends.ts';
import { warnCertificates } from './operations/warn-certificates.ts';
import { gatewayOf } from './payments/merchant.ts';
import { type Chore, startChore } from './platform/chores.ts';
import type { Life } from './platform/life.ts';
import type { Waker } from './platform/wake.ts';
import { noteDispatcher } from './store/app-settings.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** How soon a run left by a process that ended is continued by another one. */
const RESUME_MS = 2_000;
const COPIES_MS = 2_000;
/** So that a company with a million invoices does not make the others wait for their copies. */
const COPIES_AT_ONCE = 2;
const SYNC_MS = 15_000;
const SEEN_MS = 30_000;

/**
 * Everything that works in the background: sending registros and mail, and periodic jobs. When the process ends, all
 * of it is told at once, and nothing new begins.
 */
export function startWorkers(deps: Deps, runtime: Runtime, waker: Waker, life: Life): void {
  const dispatcher = startDispatcher(deps, runtime);
  const mail = startMailWorker(deps, runtime);
  life.onEnding('workers', () => Promise.all([dispatcher.stop(), mail.stop()]));
  waker.attend('dispatcher', dispatcher.wake);
  waker.attend('mail', mail.wake);

  const client = new AeatClient(runtime);
  life.onClose('questions to the AEAT', () => client.close());
  const syncs = scheduleSyncs(deps, {
    get businessCentral() {
      return runtime.businessCentral;
    },
    consultarAeat: consultarWith(client),
  });
  life.onEnding('business central', syncs.stop);

  const chores = choresOf(deps, runtime, {
    lookForSyncs: syncs.look,
    consultarAeat: consultarWith(client),
    ending: life.ending,
  });
  for (const chore of chores) startChore(chore, deps.log, life);
}

/** The periodic jobs of every dispatcher. */
export function choresOf(
  deps: Deps,
  runtime: Runtime,
  {
    lookForSyncs,
    consultarAeat,
    ending,
  }: {
    readonly lookForSyncs: () => Promise<unknown>;
    readonly consultarAeat: ReturnType<typeof consultarWith>;
    readonly ending: AbortSignal;
  },
): Chore[] {
  return [
    {
      failure: 'nobody could be told that this dispatcher is at work',
      everyMs: SEEN_MS,
      run: () => noteDispatcher(deps.sql),
    },
    {
      failure: 'what has run out could not be deleted',
      everyMs: HOUR_MS,
      run: () => forgetExpired(deps, ending),
    },
    {
      failure: 'payments could not be reconciled',
      everyMs: MINUTE_MS,
      run: () => reconcile(deps, runtime),
    },
    {
      failure: 'Business Central could not be synchronised',
      everyMs: SYNC_MS,
      run: lookForSyncs,
    },
    {
      failure: 'certificates that expire could not be looked for',
      everyMs: HOUR_MS,
      run: () => warnCertificates(deps).then(() => undefined),
    },
    {
      failure: 'the end of the subscriptions could not be told',
      everyMs: HOUR_MS,
      run: () => tellSubscriptionEnds(deps),
    },
    {
      failure: 'stopped companies could not be held against the AEAT',
      everyMs: MINUTE_MS,
      run: () => reconcileStopped(deps, consultarAeat, ending),
    },
    {
      failure: 'a run of registering could not go on',
      everyMs: RESUME_MS,
      run: () => resumeRuns(deps, ending),
    },
    ...Array.from({ length: COPIES_AT_ONCE }, () => ({
      failure: 'copies of companies could not be made',
      everyMs: COPIES_MS,
      run: () => makeDataCopies(deps, ending),
    })),
  ];
}

/** Asks about payments whose notification never came, and invoices those that were paid. */
async function reconcile(deps: Deps, runtime: Runtime): Promise<void> {
  const gateway = gatewayOf(deps.config.redsys.entorno, runtime.redsysUrl);
  if (!gateway) return;
  await reconcilePayments(deps, gateway);
  await invoiceSubscriptions(deps);
}
