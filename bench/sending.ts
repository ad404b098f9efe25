import pino from 'pino';
import { openPkcs12 } from '../src/certificate/pkcs12.ts';
import type { Deps, Runtime } from '../src/deps.ts';
import { MAX_BATCH, registerInvoices } from '../src/operations/register-invoices.ts';
import { startSimulators } from '../src/platform/simulators.ts';
import type { Bench, BenchCompany } from './support.ts';

/** What a benchmark needs to send to the simulated AEAT. */
export interface Sending {
  readonly deps: Deps;
  readonly runtime: Runtime;
  /** Tells the simulated AEAT how to behave (`comportamiento`), or to forget everything (`vaciar`). */
  readonly control: (action: string, body: object) => Promise<void>;
  /** A certificate that the simulated AEAT takes, for `seedCompanies`. */
  readonly readCertificate: (
    nif: string,
    name: string,
  ) => Promise<{ keyPem: string; certPem: string }>;
  readonly stop: () => Promise<void>;
}

/** @param folder of the simulators: processes with the same data folder find them there */
export async function openSending(bench: Bench, folder: string): Promise<Sending> {
  const log = pino({ level: 'error' });
  const simulators = await startSimulators({
    dataDir: folder,
    log,
    onReady: async () => undefined,
  });
  const { aeatUrl, aeatCa, controlUrl } = simulators.addresses();
  return {
    runtime: {
      aeat: { url: aeatUrl, selloUrl: aeatUrl, ca: aeatCa },
      smtpUrl: '',
      redsysUrl: null,
      businessCentral: { apiUrl: '', loginUrl: '' },
      controlUrl,
      moveClock: null,
      webRoot: null,
    },
    deps: {
      sql: bench.sql,
      clock: () => new Date(),
      config: bench.config,
      log,
      wakeDispatcher: () => undefined,
      wakeMail: () => undefined,
    },
    control: async (action, body) => {
      const answer = await fetch(`${controlUrl}/desarrollo/aeat/${action}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
    },
    readCertificate: async (nif, name) => {
      const query = new URLSearchParams({ nif, nombre: name });
      const file = await fetch(`${controlUrl}/desarrollo/certificado?${query}`);
      const opened = await openPkcs12(Buffer.from(await file.arrayBuffer()), 'prueba');
      if (!opened.ok || !opened.pairs[0]) throw new Error('The certificate does not open.');
      const { key, leaf, chain } = opened.pairs[0];
      return {
        keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
        certPem: [leaf, ...chain].map(String).join(''),
      };
    },
    stop: simulators.stop,
  };
}

/** Invoices of one line, in as few transactions as they fit. */
export async function registerMany(
  deps: Deps,
  company: BenchCompany,
  count: number,
): Promise<void> {
  const invoiceDate = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
  const draft = {
    type: 'factura',
    invoiceNumber: '',
    invoiceDate,
    invoiceType: 0,
    crmemoType: 0,
    invoiceClient: company.customerNo,
    typeClient: 'NAC',
    isSimplificada: false,
    claveRegimen: '01',
    invoiceItems: [
      { description: 'Servicio', quantity: '1', price: '100', tax: 'IVA21', linetype: 0 },
    ],
    invoiceToRectify: '',
    tipoRectificativa: 'I',
  } as const;
  for (let left = count; left > 0; left -= MAX_BATCH) {
    const requests = Array.from({ length: Math.min(left, MAX_BATCH) }, () => ({
      draft: { ...draft, invoiceItems: [...draft.invoiceItems] },
      sendsToCustomer: false,
    }));
    const outcomes = await registerInvoices(deps, company.id, requests);
    const refused = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refused?.kind === 'refused') throw refused.error;
  }
}
