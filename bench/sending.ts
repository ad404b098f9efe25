import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { openPkcs12 } from '../src/certificate/pkcs12.ts';
import type { Deps, Runtime } from '../src/deps.ts';
import { startDispatcher } from '../src/dispatch/loop.ts';
import { MAX_BATCH, registerInvoices } from '../src/operations/register-invoices.ts';
import { createNews } from '../src/platform/news.ts';
import { startSimulators } from '../src/platform/simulators.ts';
import type { Bench, BenchCompany } from './support.ts';

/** The simulated AEAT, without a wait between messages, and what registers and sends to it. */
export interface Sending {
  readonly deps: Deps;
  readonly runtime: Runtime;
  /** Of the simulators' process. */
  readonly pid: number;
  /** Of a company that may send, as `seedCompanies` asks for it. */
  readonly readCertificate: (
    nif: string,
    name: string,
  ) => Promise<{ keyPem: string; certPem: string }>;
  /** Tells the simulated AEAT how to behave (`comportamiento`), or to forget everything (`vaciar`). */
  readonly control: (action: string, body: object) => Promise<void>;
  /** Makes the AEAT forget everything, so that it accepts the same messages again. */
  readonly forget: () => Promise<void>;
  readonly register: (company: BenchCompany, count: number, lines?: number) => Promise<void>;
  /**
   * Sends everything that waits.
   *
   * @returns seconds
   */
  readonly drain: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** @param folder of the simulators: processes with the same data folder find them there */
export async function openSending(
  bench: Bench,
  folder: string = join(bench.folder, 'simuladores'),
): Promise<Sending> {
  const log = pino({ level: 'error' });
  const simulators = await startSimulators({
    dataDir: folder,
    log,
    onReady: async () => undefined,
  });
  const { aeatUrl, aeatCa, controlUrl } = simulators.addresses();
  const aeat = { url: aeatUrl, selloUrl: aeatUrl, ca: aeatCa };
  const runtime: Runtime = {
    aeat,
    aeatOfDemos: aeat,
    smtpUrl: '',
    redsysUrl: null,
    businessCentral: { apiUrl: '', loginUrl: '' },
    controlUrl,
    moveClock: null,
    webRoot: null,
  };
  const deps: Deps = {
    sql: bench.sql,
    database: { url: bench.url },
    clock: () => new Date(),
    aheadSeconds: () => 0,
    config: bench.config,
    log,
    wakeDispatcher: () => undefined,
    wakeMail: () => undefined,
    news: createNews(bench.sql, log),
  };
  await control(controlUrl, 'comportamiento', { tiempoEspera: 0 });
  return {
    deps,
    runtime,
    pid: JSON.parse(await readFile(join(folder, 'simuladores', 'direcciones.json'), 'utf8')).pid,
    readCertificate: (nif, name) => readCertificate(controlUrl, nif, name),
    control: (action, body) => control(controlUrl, action, body),
    forget: () => control(controlUrl, 'vaciar', {}),
    register: (company, count, lines = 1) => registerMany(deps, company, count, lines),
    drain: () => drain(deps, runtime),
    stop: simulators.stop,
  };
}

async function control(controlUrl: string, action: string, body: object): Promise<void> {
  const answer = await fetch(`${controlUrl}/desarrollo/aeat/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export async function readCertificate(controlUrl: string, nif: string, name: string) {
  const query = new URLSearchParams({ nif, nombre: name });
  const file = await fetch(`${controlUrl}/desarrollo/certificado?${query}`);
  const opened = await openPkcs12(Buffer.from(await file.arrayBuffer()), 'prueba');
  if (!opened.ok || !opened.pairs[0]) throw new Error('The certificate does not open.');
  const { key, leaf, chain } = opened.pairs[0];
  return {
    keyPem: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certPem: [leaf, ...chain].map(String).join(''),
  };
}

/** Invoices with that many lines, in as few transactions as possible. */
export async function registerMany(
  deps: Deps,
  company: BenchCompany,
  count: number,
  lines = 1,
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
    invoiceToRectify: '',
    tipoRectificativa: 'I',
  } as const;
  const items = Array.from({ length: lines }, (_, i) => ({
    description: lines === 1 ? 'Servicio' : `Servicio número ${i + 1} de la prueba`,
    quantity: String(i + 1),
    price: `${100 + i},25`,
    tax: ['IVA21', 'IVA21', 'IVA10', 'IVA21', 'IVA4'][i % 5] ?? 'IVA21',
    linetype: 0,
  }));
  for (let left = count; left > 0; left -= MAX_BATCH) {
    const requests = Array.from({ length: Math.min(left, MAX_BATCH) }, () => ({
      draft: { ...draft, invoiceItems: [...items] },
      sendsToCustomer: false,
    }));
    const outcomes = await registerInvoices(deps, company.id, requests);
    const refused = outcomes.find((outcome) => outcome.kind === 'refused');
    if (refused?.kind === 'refused') throw refused.error;
  }
}

async function drain(deps: Deps, runtime: Runtime): Promise<number> {
  const start = performance.now();
  const dispatcher = startDispatcher(deps, runtime);
  for (;;) {
    const [row] = await deps.sql<{ waiting: number }[]>`
      select count(*)::int as waiting from despachos where waiting_since is not null`;
    if (row?.waiting === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const seconds = (performance.now() - start) / 1000;
  await dispatcher.stop();
  const [left] = await deps.sql<{ wrong: number }[]>`
    select count(*)::int as wrong from invoices where status <> 'Registrada'`;
  if (left?.wrong !== 0) throw new Error(`${left?.wrong} invoices were not accepted.`);
  return seconds;
}
