import { join } from 'node:path';
import { MICROSOFT } from './business-central/endpoints.ts';
import type { Config } from './config.ts';
import type { AeatService, Runtime } from './deps.ts';
import { AEAT_ENDPOINTS, endpointOf } from './dispatch/endpoints.ts';
import type { AppClock } from './platform/clock.ts';
import { projectRoot } from './platform/project-root.ts';
import type { Simulators } from './platform/simulators.ts';

/** Addresses of the external services. Looked up each time, because simulators may restart elsewhere. */
export function runtimeOf(
  config: Config,
  simulators: Simulators | null,
  clock: AppClock | null,
): Runtime {
  return {
    get aeat() {
      return aeatOf(config, simulators);
    },
    get aeatOfDemos() {
      return aeatOf(configOfDemos(config), simulators);
    },
    get smtpUrl() {
      const url = config.mail.smtpUrl ?? simulators?.addresses().smtpUrl;
      if (!url) throw new Error('readConfig lets no production start without SMTP_URL');
      return url;
    },
    get redsysUrl() {
      return simulators?.addresses().redsysUrl ?? null;
    },
    get businessCentral() {
      const simulated = simulators?.addresses().businessCentralUrl;
      return {
        apiUrl: config.businessCentral.url ?? simulated ?? MICROSOFT.apiUrl,
        loginUrl: config.businessCentral.loginUrl ?? simulated ?? MICROSOFT.loginUrl,
      };
    },
    get controlUrl() {
      if (!config.servesDevelopment) return null;
      return simulators?.addresses().controlUrl ?? null;
    },
    moveClock:
      simulators && clock && config.servesDevelopment
        ? async (seconds) => {
            const isMoved = await clock.advance(seconds);
            if (isMoved) await tellTime(simulators.addresses().controlUrl, clock);
            return isMoved;
          }
        : null,
    webRoot: join(projectRoot, 'dist', 'web'),
  };
}

/** In production, demos use the test service: the AEAT's or, with `AEAT_URL_DEMO`, another route to it. */
function configOfDemos({ aeat }: Pick<Config, 'aeat'>): Pick<Config, 'aeat'> {
  if (aeat.entorno !== 'produccion') return { aeat };
  return { aeat: { ...aeat, entorno: 'pruebas', url: aeat.urlDemo } };
}

function aeatOf({ aeat }: Pick<Config, 'aeat'>, simulators: Simulators | null): AeatService {
  if (aeat.url) {
    const url = endpointOf(aeat.url);
    return { url, selloUrl: url, ca: aeat.ca };
  }
  if (aeat.entorno !== 'simulador') return { ...AEAT_ENDPOINTS[aeat.entorno], ca: aeat.ca };
  if (!simulators) throw new Error('readConfig lets no production start with the simulator');
  const { aeatUrl, aeatSelloUrl, aeatCa } = simulators.addresses();
  return { url: aeatUrl, selloUrl: aeatSelloUrl, ca: aeatCa };
}

/** The simulators follow the application's clock, so that nothing reaches them from the future. */
export async function tellTime(controlUrl: string, clock: AppClock): Promise<void> {
  await fetch(`${controlUrl}/desarrollo/aeat/comportamiento`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ relojMundo: clock.offsetSeconds() }),
  });
}
