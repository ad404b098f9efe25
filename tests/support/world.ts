import { randomBytes } from 'node:crypto';
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pino from 'pino';
import { inject } from 'vitest';
import { startSimulators } from '../../simulators/simulators.ts';
import { buildApp } from '../../src/api/app.ts';
import { signToken } from '../../src/api/tokens.ts';
import { readConfig } from '../../src/config.ts';
import type {
  ConexionAEAT,
  InvoiceDetail,
  InvoiceDraftInput,
} from '../../src/contract/invoices.ts';
import type { Deps, Runtime } from '../../src/deps.ts';
import { AeatClient } from '../../src/dispatch/aeat-client.ts';
import { consultarWith } from '../../src/dispatch/consulta.ts';
import { type Dispatcher, startDispatcher } from '../../src/dispatch/loop.ts';
import { isoDateIn } from '../../src/domain/dates.ts';
import { createNews } from '../../src/platform/news.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { companyNif } from './random-nif.ts';

/** A registro held by the simulated AEAT. */
export interface HeldRegistro {
  readonly NumSerieFactura: string;
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly EstadoRegistro: string;
  readonly CodigoErrorRegistro: number | null;
  readonly Huella: string;
  readonly HuellaAnterior: string;
  readonly Subsanacion: string;
  readonly RechazoPrevio: string;
  readonly Incidencia: string;
}

/** A signed-up company, and its customer. */
interface Account {
  readonly id: number;
  readonly nif: string;
  readonly token: string;
  readonly customerNo: string;
}

/** One with its certificate, used through the API. */
export interface TestCompany extends Account {
  call<T>(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<Answer<T>>;
  /** SetFacturas with accionFactura 1 for a draft of one line, or for the given one. */
  register(
    draft?: Partial<InvoiceDraftInput> & {
      readonly draftNo?: string | undefined;
      readonly version?: number | undefined;
    },
    key?: string,
  ): Promise<Answer<{ DocNo: string }>>;
  /** That many invoices of one line, one after another. @returns their numbers */
  registerMany(count: number): Promise<string[]>;
  annul(No: string): Promise<Answer<{ message: string }>>;
  detailOf(No: string): Promise<InvoiceDetail>;
  /**
   * Sends everything that can be sent, and waits for the answers.
   *
   * @returns the state of its sending afterwards
   */
  sendAll(): Promise<ConexionAEAT>;
}

export interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/**
 * The product with a database of its own, the real simulators over mutual TLS and a clock that only the test moves.
 * Everything is in this process, so a test can stop any part between two steps.
 */
export async function openWorld(
  env: Readonly<Record<string, string>> = {},
  log = pino({ level: process.env.TEST_LOG ?? 'silent' }),
  /** A database of its own, prepared as it should be before the product sees it. */
  given?: TestDatabase,
  /** The data folder of another world, to begin with its keys and its simulators' state. */
  original?: string,
) {
  const database = given ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'huella-world-'));
  if (original) await cp(original, folder, { recursive: true });
  else {
    await mkdir(join(folder, 'aeat'));
    const authority = 'autoridad.json';
    await copyFile(join(inject('authorityFolder'), authority), join(folder, 'aeat', authority));
  }
  const simulators = await startSimulators({
    dir: folder,
    ports: { aeat: 0, sello: 0, control: 0, smtp: 0 },
    tiempoEspera: 0,
  });
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', ...env });
  let offsetSeconds = 0;
  const dispatchers = new Set<Dispatcher>();
  const deps: Deps = {
    sql: database.sql,
    database: { url: database.url },
    clock: () => new Date(Date.now() + offsetSeconds * 1000),
    aheadSeconds: () => offsetSeconds,
    config,
    log,
    wakeDispatcher: () => {
      for (const dispatcher of dispatchers) dispatcher.wake();
    },
    wakeMail: () => undefined,
    news: createNews(database.sql, log),
  };
  const aeat = {
    url: simulators.aeatUrl,
    selloUrl: simulators.aeatUrl,
    ca: simulators.aeatCa,
  };
  const runtime: Runtime = {
    aeat,
    aeatOfDemos: aeat,
    smtpUrl: simulators.smtpUrl,
    redsysUrl: simulators.redsysUrl,
    businessCentral: {
      apiUrl: simulators.businessCentralUrl,
      loginUrl: simulators.businessCentralUrl,
    },
    controlUrl: simulators.controlUrl,
    moveClock: null,
    webRoot: null,
  };
  const client = new AeatClient(runtime);
  const build = () => buildApp(deps, runtime, consultarWith(client));
  let app = await build();

  async function control(path: string, body?: object): Promise<Response> {
    return fetch(new URL(path, simulators.controlUrl), {
      ...(body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
  }

  async function call<T>(
    method: 'GET' | 'POST',
    url: string,
    { body, token, key }: { body?: object; token?: string; key?: string } = {},
  ): Promise<Answer<T>> {
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { payload: body }),
    });
    return { status: response.statusCode, body: response.json() as T };
  }

  /** Issued once per run for each holder, because all its worlds share the authority. */
  async function certificateOf(nif: string, name: string): Promise<Buffer> {
    const query = new URLSearchParams({ nif, nombre: name }).toString();
    const file = join(inject('authorityFolder'), `${query}.p12`);
    const kept = await readFile(file).catch(() => null);
    if (kept) return kept;
    const issued = await control(`/desarrollo/certificado?${query}`);
    const p12 = Buffer.from(await issued.arrayBuffer());
    const draft = `${file}.${randomBytes(6).toString('hex')}`;
    await writeFile(draft, p12);
    await rename(draft, file);
    return p12;
  }

  let companies = 0;
  /** The same ones in each world: of a holder, the certificate is made once per run. */
  const newNif = () => companyNif(1_000_000 + companies++);

  async function signUp(nif = newNif(), name = 'Talleres Prueba, S.L.'): Promise<TestCompany> {
    const email = `${nif.toLowerCase()}@ejemplo.es`;
    const password = 'una frase larga cualquiera';
    await call('POST', '/api/Auth/NewRegisterDemo', {
      body: {
        email,
        password,
        fullName: name,
        cifNif: nif,
        address: 'Calle Mayor, 1',
        countryCode: 'ES',
        postCode: '28013',
        subscriptionType: '10',
      },
    }).then(expectOk);
    const { tokenJWT: token } = expectOk(
      await call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
        body: { Email: email, Password: password },
      }),
    );
    const p12 = await certificateOf(nif, name);
    expectOk(
      await call('POST', '/api/PostData/UpdateCertificate', {
        token,
        body: { Certificate: p12.toString('base64'), Password: 'prueba' },
      }),
    );
    const customer = expectOk(
      await call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        token,
        body: {
          Name: 'Cliente de Prueba, S.A.',
          VATRegistrationNo: 'A58818501',
          Address: 'Gran Vía, 2',
          postCode: '08013',
          countryCode: 'ES',
          Email: 'cliente@ejemplo.es',
        },
      }),
    );
    return companyWith({ id: Number(claimsOf(token).sub), nif, token, customerNo: customer.No });
  }

  function companyWith({ id, nif, token, customerNo }: Account): TestCompany {
    const company: TestCompany = {
      id,
      nif,
      token,
      customerNo,
      call: (method, path, body, key) =>
        call(method, path, { token, ...(body && { body }), ...(key && { key }) }),
      register: (draft = {}, key) =>
        company.call(
          'POST',
          '/api/PostData/SetFacturas',
          { ...draftOf(customerNo, deps.clock()), ...draft, accionFactura: 1 },
          key,
        ),
      async registerMany(count) {
        const numbers: string[] = [];
        for (let i = 0; i < count; i++) numbers.push(expectOk(await company.register()).DocNo);
        return numbers;
      },
      annul: (No) =>
        company.call('POST', '/api/PostData/AnularFactura', { No, motivo: 'Repetida' }),
      detailOf: async (No) =>
        expectOk(await company.call('POST', '/api/PostData/GetInvoiceDetail', { No })),
      async sendAll() {
        const dispatcher = wakeable();
        try {
          return await untilTrue(
            async () =>
              expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT')),
            ({ enEspera, estado }) => enEspera === 0 || estado === 'parado',
          );
        } finally {
          await dispatcher.stop();
        }
      },
    };
    return company;
  }

  /** A dispatcher that registering wakes, until it is stopped. */
  function wakeable(answerTimeoutMs?: number): Dispatcher {
    const dispatcher = startDispatcher(deps, runtime, new AeatClient(runtime, answerTimeoutMs));
    dispatchers.add(dispatcher);
    return {
      wake: dispatcher.wake,
      stop: async (graceMs) => {
        dispatchers.delete(dispatcher);
        await dispatcher.stop(graceMs);
      },
    };
  }

  /** Its database and its folder stay. */
  async function stop(): Promise<void> {
    await Promise.all([...dispatchers].map((dispatcher) => dispatcher.stop(0)));
    app.server.closeAllConnections(); // It would wait over a minute for connections that carried no request.
    await app.close();
    await client.close();
    await simulators.close();
  }

  return {
    deps,
    sql: database.sql,
    databaseUrl: database.url,
    folder,
    runtime,
    consultarAeat: consultarWith(client),
    get app() {
      return app;
    },
    /** Another one takes the calls at once; the previous one finishes its own. */
    async restartWeb(): Promise<void> {
      const before = app;
      app = await build();
      await before.close();
    },
    control,
    call,
    newNif,
    signUp,
    companyWith,
    advanceClock(seconds: number) {
      offsetSeconds += seconds;
    },
    /** @param answerTimeoutMs how long it waits for the AEAT */
    startDispatcher: wakeable,
    /** Sets what the simulated AEAT does next. */
    async behave(behaviour: object): Promise<void> {
      const answer = await control('/desarrollo/aeat/comportamiento', behaviour);
      if (!answer.ok) throw new Error(await answer.text());
    },
    async held(nif: string): Promise<HeldRegistro[]> {
      const answer = await control(`/desarrollo/aeat/registros?nif=${nif}`);
      return (await answer.json()) as HeldRegistro[];
    },
    async requests(nif: string): Promise<{ peticion: string; conexionCortada: boolean }[]> {
      const answer = await control(`/desarrollo/aeat/peticiones?nif=${nif}`);
      return (await answer.json()) as { peticion: string; conexionCortada: boolean }[];
    },
    stop,
    async close(): Promise<void> {
      await stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Opens worlds in which a company has signed up, and whatever else has happened: it does in the first one, of which
 * each is a copy. Their sessions and tokens begin when they are opened.
 */
export function worldsAfter(
  happened: (company: TestCompany) => Promise<unknown> = async () => undefined,
): () => Promise<{ readonly world: World; readonly company: TestCompany }> {
  let first: ReturnType<typeof openFirst> | undefined;

  async function openFirst() {
    const database = await createTestDatabase();
    const world = await openWorld({}, undefined, database);
    const company = await world.signUp('B12345674');
    await happened(company);
    await world.stop();
    await database.sql.end();
    // Among what the run deletes.
    const folder = join(dirname(inject('authorityFolder')), database.name);
    await cp(world.folder, folder, { recursive: true });
    await rm(world.folder, { recursive: true, force: true });
    return { template: database.name, folder, company };
  }

  return async () => {
    first ??= openFirst();
    const { template, folder, company } = await first;
    const database = await createTestDatabase({ template });
    await database.sql`
      update sessions set created_at = now(), authenticated_at = now(), last_seen_at = now()`;
    const world = await openWorld({}, undefined, database, folder);
    const { sid, email } = claimsOf(company.token);
    const token = await signToken(world.deps, { companyId: company.id, sid, email });
    return { world, company: world.companyWith({ ...company, token }) };
  };
}

/** A world in which `B12345674` has just signed up. */
export const openWorldWithCompany = worldsAfter();

function claimsOf(token: string): { readonly [claim in 'sub' | 'sid' | 'email']: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

/** A draft F1 of one line of 100,00 € at 21 %. */
export function draftOf(customerNo: string, now: Date): InvoiceDraftInput {
  return {
    type: 'factura',
    invoiceDate: new Date(now.getTime()).toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceType: 0,
    invoiceClient: customerNo,
    typeClient: 'NAC',
    claveRegimen: '01',
    invoiceItems: [
      {
        description: 'Revisión de frenos',
        quantity: '1',
        price: '100,00',
        tax: 'IVA21',
        linetype: 0,
      },
    ],
  };
}

/** The month of what is registered at that time, as ConciliarRegistros expects it. */
export function monthOf(now: Date): { readonly Ejercicio: string; readonly Periodo: string } {
  const [Ejercicio = '', Periodo = ''] = isoDateIn(now, 'Europe/Madrid').split('-');
  return { Ejercicio, Periodo };
}

/** `26`, the year in Madrid, as in the numbers given then. */
export function yearOf(now: Date): string {
  return isoDateIn(now, 'Europe/Madrid').slice(2, 4);
}

export function expectOk<T>({ status, body }: Answer<T>): T {
  if (status !== 200) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Reads again until the condition holds, or fails with what it last saw. */
export async function untilTrue<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  { patienceMs = 60_000 } = {},
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`It did not come true: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
