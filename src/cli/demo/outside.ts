import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps, Runtime } from '../../deps.ts';
import { AeatClient } from '../../dispatch/aeat-client.ts';
import { UNPACED } from '../../dispatch/pace.ts';
import { takeTurn } from '../../dispatch/turn.ts';
import { StartError } from '../../platform/start-error.ts';
import { findDespacho } from '../../store/despachos.ts';
import type { Outside } from './fill.ts';

const PAUSE_MS = 100;

/** The simulators, set to answer without the real AEAT's waits while the data is made. */
export async function openOutside(
  deps: Deps,
  runtime: Runtime,
): Promise<Outside & { readonly close: () => Promise<void> }> {
  const { controlUrl } = runtime;
  if (!controlUrl) {
    throw new StartError('Los datos de ejemplo se hacen con los simuladores, que aquí no existen.');
  }
  const client = new AeatClient(runtime);
  const behave = async (change: object): Promise<{ tiempoEspera?: number }> => {
    const answer = await fetch(new URL('/desarrollo/aeat/comportamiento', controlUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { tiempoEspera?: number };
  };
  const { tiempoEspera = 60 } = await behave({});
  await behave({ tiempoEspera: 0 });

  return {
    async certificate(nif, name) {
      const answer = await fetch(
        new URL(
          `/desarrollo/certificado?nif=${nif}&nombre=${encodeURIComponent(name)}`,
          controlUrl,
        ),
      );
      if (!answer.ok) throw new Error(await answer.text());
      return Buffer.from(await answer.arrayBuffer());
    },
    refuse: (rechazar) => behave({ rechazar }).then(() => undefined),
    async settle(companyId) {
      const turnDeps = { ...deps, client, pace: UNPACED, signal: new AbortController().signal };
      for (;;) {
        const despacho = await findDespacho(deps.sql, companyId);
        if (!despacho?.waitingSince || despacho.rechazados > 0) return;
        // If the application is running, its dispatcher may have the turn.
        if (!(await takeTurn(turnDeps, companyId))) await sleep(PAUSE_MS);
      }
    },
    async close() {
      await behave({ tiempoEspera });
      await client.close();
    },
  };
}
