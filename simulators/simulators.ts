import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Behaviour } from './aeat/behaviour.ts';
import { openAuthority } from './aeat/certificates/authority.ts';
import { RequestLog } from './aeat/request-log.ts';
import { createAeatServer, SERVICE_PATH } from './aeat/server.ts';
import { Store } from './aeat/store.ts';
import { createBusinessCentral } from './business-central/server.ts';
import { BusinessCentralWorld } from './business-central/world.ts';
import { simulatedClock } from './clock.ts';
import type { SimulatorsConfig } from './config.ts';
import { createControlServer } from './control/server.ts';
import { Mailbox } from './correo/mailbox.ts';
import { createSmtpServer } from './correo/server.ts';
import { closeServer, listenOnLoopback } from './http.ts';
import { redsysBehaviour } from './redsys/behaviour.ts';
import { Operaciones } from './redsys/operations.ts';
import { createRedsysServer } from './redsys/server.ts';

export interface Simulators {
  /** Full address of the service, including its path. */
  readonly aeatUrl: string;
  /** The same for entity seals, which have a host of their own. */
  readonly aeatSelloUrl: string;
  /** PEM of the authority that signs its certificate and those of clients. */
  readonly aeatCa: string;
  readonly controlUrl: string;
  /** Origin of the card gateway. */
  readonly redsysUrl: string;
  readonly smtpUrl: string;
  /** Origin of Business Central, including its login. */
  readonly businessCentralUrl: string;
  close(): Promise<void>;
}

/** @param realNow replaced by tests that replay messages of a given day. */
export async function startSimulators(
  { dir, ports, tiempoEspera }: SimulatorsConfig,
  realNow?: () => Date,
): Promise<Simulators> {
  const clock = simulatedClock(realNow);
  const aeatDir = join(dir, 'aeat');
  const authority = await openAuthority(aeatDir);
  const store = await Store.open(aeatDir);
  const log = await RequestLog.open(aeatDir);
  const mailbox = await Mailbox.open(join(dir, 'correo'));
  const behaviour = new Behaviour(clock, tiempoEspera);
  const mailBehaviour = { rechazar: 0 };

  const aeatDeps = { authority, store, log, behaviour, clock };
  const aeat = createAeatServer('persona', aeatDeps);
  const sello = createAeatServer('sello', aeatDeps);
  const redsysDeps = {
    operaciones: Operaciones.open(join(dir, 'redsys', 'operaciones.json')),
    behaviour: redsysBehaviour(),
    clock,
  };
  const redsys = createRedsysServer(redsysDeps);
  const businessCentral = new BusinessCentralWorld(() => clock.worldNow());
  const bc = createBusinessCentral(businessCentral);
  const control = createControlServer({
    ...aeatDeps,
    mailbox,
    mailBehaviour,
    redsys: redsysDeps,
    businessCentral,
  });
  const smtp = createSmtpServer(mailbox, mailBehaviour, clock);

  const aeatPort = await listenOnLoopback(aeat, ports.aeat);
  const selloPort = await listenOnLoopback(sello, ports.sello);
  const controlPort = await listenOnLoopback(control, ports.control);
  const redsysPort = await listenOnLoopback(redsys, ports.redsys ?? 0);
  const bcPort = await listenOnLoopback(bc, ports.bc ?? 0);
  await new Promise<void>((resolve, reject) => {
    smtp.once('error', reject);
    smtp.listen(ports.smtp, '127.0.0.1', resolve);
  });
  const smtpPort = (smtp.server.address() as AddressInfo).port;

  return {
    aeatUrl: `https://127.0.0.1:${aeatPort}${SERVICE_PATH}`,
    aeatSelloUrl: `https://127.0.0.1:${selloPort}${SERVICE_PATH}`,
    aeatCa: authority.ca.cert,
    controlUrl: `http://127.0.0.1:${controlPort}`,
    redsysUrl: `http://127.0.0.1:${redsysPort}`,
    smtpUrl: `smtp://127.0.0.1:${smtpPort}`,
    businessCentralUrl: `http://127.0.0.1:${bcPort}`,
    async close() {
      await Promise.all([
        closeServer(aeat),
        closeServer(sello),
        closeServer(control),
        closeServer(redsys),
        closeServer(bc),
        new Promise<void>((resolve) => smtp.close(() => resolve())),
      ]);
      await log.close();
      await store.close();
    },
  };
}
