import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { buildApp } from '../../src/api/app.ts';
import { readConfig } from '../../src/config.ts';
import type { Deps, Runtime } from '../../src/deps.ts';
import { openSealedCode } from '../../src/operations/recover-password.ts';
import { createNews } from '../../src/platform/news.ts';
import type { MailContent } from '../../src/store/mail-jobs.ts';
import { createTestDatabase } from '../support/database.ts';
import { meanwhile as whileHeld } from '../support/meanwhile.ts';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly body: T;
  readonly headers: Record<string, string | string[] | number | undefined>;
}

interface CallOptions {
  readonly token?: string | undefined;
  readonly body?: unknown;
  /** Address of the caller; loopback by default. */
  readonly ip?: string;
  readonly headers?: Record<string, string>;
}

export const PASSWORD = 'tres tristes tigres';

const NOWHERE = { url: 'https://127.0.0.1:1', selloUrl: 'https://127.0.0.1:1', ca: null };

/** Addresses where nothing answers: no AEAT, no mail server, no bank, and no web files to serve. */
export const ALONE: Runtime = {
  aeat: NOWHERE,
  aeatOfDemos: NOWHERE,
  smtpUrl: 'smtp://127.0.0.1:1',
  redsysUrl: null,
  businessCentral: { apiUrl: '', loginUrl: '' },
  controlUrl: null,
  moveClock: null,
  webRoot: null,
};

/** The API over a database of its own, with a clock that only the test moves, and without simulators. */
export async function openAccountApp() {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'huella-account-'));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const { sql } = database;
  let now = Date.now();
  const deps: Deps = {
    sql,
    database: { url: database.url },
    clock: () => new Date(now),
    aheadSeconds: () => 0,
    config,
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    wakeDispatcher: () => undefined,
    wakeMail: () => undefined,
    news: createNews(sql, pino({ level: 'silent' })),
  };
  const app = await buildApp(deps, ALONE);

  async function call<T = Record<string, unknown>>(
    method: 'GET' | 'POST',
    url: string,
    { token, body, ip, headers }: CallOptions = {},
  ): Promise<Answer<T>> {
    const response = await app.inject({
      method,
      url,
      remoteAddress: ip ?? '127.0.0.1',
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined || body instanceof FormData
          ? {}
          : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { payload: body instanceof FormData ? (body as never) : JSON.stringify(body) }),
    });
    return {
      status: response.statusCode,
      body: (response.body === '' ? undefined : response.json()) as T,
      headers: response.headers,
    };
  }

  const post = <T = Record<string, unknown>>(path: string, body?: unknown, token?: string) =>
    call<T>('POST', `/api/${path}`, { body, token });
  const get = <T = Record<string, unknown>>(path: string, token?: string) =>
    call<T>('GET', `/api/GetData/${path}`, { token });

  async function login(email: string, password = PASSWORD): Promise<string> {
    const { status, body } = await post<{ tokenJWT: string }>('Auth/login', {
      Email: email,
      Password: password,
    });
    if (status !== 200) throw new Error(`Login answered ${status}: ${JSON.stringify(body)}`);
    return body.tokenJWT;
  }

  return {
    deps,
    sql,
    app,
    call,
    post,
    get,
    login,
    /** A demo company and the token of its first session. */
    async signUp(data: Partial<ReturnType<typeof signUpBody>> = {}) {
      const body = signUpBody(data);
      const { status, body: answer } = await post('Auth/NewRegisterDemo', body);
      if (status !== 200) throw new Error(`Sign-up answered ${status}: ${JSON.stringify(answer)}`);
      const token = await login(body.email);
      return { ...body, token, id: Number(claimsOf(token).sub) };
    },
    /** What is queued for an address, oldest first. */
    async queuedFor(recipient: string): Promise<MailContent[]> {
      const rows = await sql<{ kind: string; payload: object }[]>`
        select kind, payload from mail_jobs where recipient = ${recipient} order by id`;
      return rows.map(({ kind, payload }) => ({ ...payload, kind }) as MailContent);
    },
    /** The recovery code last sent to a company, as in its message. */
    async lastCodeOf(companyId: number): Promise<string> {
      const [row] = await sql<{ payload: { sealedCode: string } }[]>`
        select payload from mail_jobs
         where company_id = ${companyId} and kind = 'codigo' order by id desc limit 1`;
      if (!row) throw new Error('No code was sent.');
      return openSealedCode(config, companyId, row.payload.sealedCode);
    },
    /**
     * Something that arrives when another call, which ends the sessions of a company, is done but for ending them.
     *
     * @returns the answers to both
     */
    async whileSessionsEnd(
      companyId: number,
      ending: () => Promise<Answer>,
      meanwhile: () => Promise<Answer>,
    ): Promise<readonly [Answer, Answer]> {
      return whileHeld(
        sql,
        (tx) => tx`select 1 from sessions where company_id = ${companyId} for update`,
        ending,
        meanwhile,
      );
    },
    advanceClock(seconds: number) {
      now += seconds * 1000;
    },
    async close() {
      await app.close();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type AccountApp = Awaited<ReturnType<typeof openAccountApp>>;

/** Form of a demo sign-up, for a new company unless the data say otherwise. */
export function signUpBody(data: Partial<Record<keyof typeof SIGN_UP, string>> = {}) {
  const number = nextNumber++;
  return {
    ...SIGN_UP,
    // The letter after the number is none that a DNI ends with: otherwise the e-mail would contain the NIF.
    email: `empresa${number}i@ejemplo.es`,
    cifNif: dniOf(number),
    ...data,
  };
}

const SIGN_UP = {
  email: '',
  password: PASSWORD,
  fullName: 'Obrador Candela, S.L.',
  cifNif: '',
  address: 'Calle Mayor, 1',
  countryCode: 'ES',
  postCode: '28013',
  subscriptionType: '10',
};

let nextNumber = 10_000_000;

function dniOf(number: number): string {
  return `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`;
}

export function claimsOf(token: string): {
  sub: string;
  sid: string;
  email: string;
  iat: number;
  exp: number;
} {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
