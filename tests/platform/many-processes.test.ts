import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from '../../src/platform/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { signIn } from '../support/demo-company.ts';
import {
  COMPANIES,
  type Company,
  countFaults,
  endPauses,
  enrol,
  invoiceToRegister,
  post,
  startLoad,
  untilDrained,
} from '../support/load.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

/** They start and end several processes, which takes time on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

/** Two web servers and two dispatchers over one database, as on several machines. */
type Place = 'web A' | 'web B' | 'dispatcher A' | 'dispatcher B';

let database: TestDatabase;
let dataDir = '';
let companies: Company[] = [];
let urls: [string, string] = ['', ''];
let start: Record<Place, () => Promise<Stack>>;
const running = new Map<Place, Stack>();

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(scratch, 'huella-varios-'));
  const ports = [String(await freePort()), String(await freePort())] as const;
  const begin = (env: Record<string, string>) => () =>
    startStack({
      dataDir,
      env: {
        DATABASE_URL: `${database.url}?max=6`,
        LOG_LEVEL: 'fatal',
        SIMULADOR_TIEMPO_ESPERA: '0',
        ...env,
      },
    });
  start = {
    'dispatcher A': begin({ ROLE: 'dispatcher' }),
    'dispatcher B': begin({ ROLE: 'dispatcher' }),
    'web A': begin({ ROLE: 'web', PORT: ports[0] }),
    'web B': begin({ ROLE: 'web', PORT: ports[1] }),
  };
  // The first one runs the simulators.
  running.set('dispatcher A', await start['dispatcher A']());
  const others = ['dispatcher B', 'web A', 'web B'] as const;
  await Promise.all(others.map(async (place) => running.set(place, await start[place]())));
  urls = [baseUrl('web A'), baseUrl('web B')];
  companies = await Promise.all(COMPANIES.map((nif) => enrol(urls[0], database.sql, nif)));
});

afterAll(async () => {
  await Promise.all([...running.values()].map((stack) => stack.stop('SIGKILL')));
  await removeDataDir(dataDir);
  await database.drop();
});

it('shares sessions, idempotency keys and rate limits between the web servers', async () => {
  const [company] = companies as [Company];
  const [first, second] = urls;
  const isOpen = async (url: string, token: string) =>
    (
      await fetch(`${url}/api/GetData/GetClientes`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;

  const token = await signIn(second, company);
  expect(await isOpen(first, token)).toBe(200);
  const out = await fetch(`${first}/api/Auth/logout`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(out.ok).toBe(true);
  expect(await isOpen(second, token)).toBe(401);

  // The same key at both at once: one registers the invoice, the other returns it or asks to wait.
  const register = async (url: string) => {
    for (;;) {
      const answer = await post(url, company.token, 'SetFacturas', invoiceToRegister(), 'la-misma');
      if (answer.status !== 409) return (await answer.json()) as { DocNo: string };
      await answer.text();
    }
  };
  const [one, other] = await Promise.all([register(first), register(second)]);
  expect(one.DocNo).toMatch(/^0*1\//);
  expect(other.DocNo).toBe(one.DocNo);
  company.answered.set('la-misma', one.DocNo);

  const wrong = { ...company, email: 'nadie@obrador.test', password: 'otra cosa' };
  const statuses = [];
  for (let i = 0; i < 6; i++) {
    statuses.push(String(await signIn(urls[i % 2] ?? '', wrong).catch((error: Error) => error)));
  }
  expect(statuses.slice(0, 5).join()).not.toContain('429');
  expect(statuses[5]).toContain('429');
});

it('tells a waiting call at one web server what the other one and the dispatchers do', async () => {
  const [{ token, answered }] = companies as [Company];
  const before = await novedades(urls[1], token);
  const holding = novedades(urls[1], token, before.etag);
  await sleep(200); // The call is waiting by then.
  const key = 'la-que-se-anuncia';
  const invoice = await post(urls[0], token, 'SetFacturas', invoiceToRegister(), key);
  answered.set(key, ((await invoice.json()) as { DocNo: string }).DocNo);
  const registered = await holding;
  expect(registered.status).toBe(200);
  expect(registered.etag).not.toBe(before.etag);
  const settled = await novedades(urls[1], token, registered.etag);
  // Unless a dispatcher was done before that was read, in which case there is nothing more to report.
  if (settled.status === 304) {
    const connection = await fetch(`${urls[1]}/api/GetData/GetConexionAEAT`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await connection.json()).toMatchObject({ enEspera: 0 });
  } else expect(settled.status).toBe(200);
});

it('loses, duplicates and skips nothing while one process of each kind is killed under load', async () => {
  const load = startLoad(() => urls, companies);
  for (const place of ['web A', 'dispatcher A'] as const) {
    await load.more(8);
    const stack = stackOf(place);
    stack.kill('app');
    await stack.ended;
  }
  await load.more(8); // The other one of each kind goes on alone.
  await startAgain('A');
  await load.more(8);
  await load.stop();
  await sameAtTheAeat();
});

it('replaces every process, one after another, without refusing a request', async () => {
  for (const { failures } of companies) failures.length = 0;
  const balancer = startBalancer(urls);
  const load = startLoad(balancer.healthy, companies);
  const screen = openScreen(balancer.healthy, (companies as [Company])[0].token);
  for (const letter of ['A', 'B'] as const) {
    await load.more(8);
    const kinds = ['web', 'dispatcher'] as const;
    const codes = kinds.map((kind) => stackOf(`${kind} ${letter}`).stop('SIGTERM'));
    expect(await Promise.all(codes)).toEqual([0, 0]);
    await startAgain(letter);
    await eventually(async () => balancer.healthy().length === 2);
  }
  await load.more(8);
  await load.stop();
  const { told, refused } = await screen.close();
  await balancer.stop();
  expect(told).toBeGreaterThan(0);
  expect(refused).toEqual([]);
  const failures = companies.flatMap((company) => company.failures);
  expect(failures).toEqual([]);
  await sameAtTheAeat();
});

async function novedades(url: string, token: string, etag?: string, signal?: AbortSignal) {
  const answer = await fetch(`${url}/api/GetData/GetNovedades`, {
    ...(signal && { signal }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(etag && { 'if-none-match': etag, prefer: 'wait=25' }),
    },
  });
  await answer.text();
  return { status: answer.status, etag: answer.headers.get('etag') ?? '' };
}

/** Follows the news of a company like an open panel, at whichever server answers. */
function openScreen(healthy: () => readonly string[], token: string) {
  const closing = new AbortController();
  const refused: string[] = [];
  let told = 0;
  const following = (async () => {
    let etag: string | undefined;
    for (let turn = 0; !closing.signal.aborted; turn++) {
      const all = healthy();
      try {
        const answer = await novedades(all[turn % all.length] ?? '', token, etag, closing.signal);
        if (![200, 304].includes(answer.status)) refused.push(String(answer.status));
        if (answer.status === 200) told++;
        etag = answer.etag;
      } catch (error) {
        if (!closing.signal.aborted) refused.push(String(error));
      }
      await sleep(50);
    }
  })();
  return {
    async close() {
      closing.abort();
      await following;
      return { told, refused };
    },
  };
}

async function startAgain(letter: 'A' | 'B'): Promise<void> {
  const places = [`web ${letter}`, `dispatcher ${letter}`] as const;
  await Promise.all(places.map(async (place) => running.set(place, await start[place]())));
}

function stackOf(place: Place): Stack {
  const stack = running.get(place);
  if (!stack) throw new Error(`${place} does not run`);
  return stack;
}

function baseUrl(place: Place): string {
  return stackOf(place).baseUrl;
}

/** Like a load balancer: it checks the health of each web server, and sends nothing new to one that is not well. */
function startBalancer(all: readonly string[]) {
  let healthy = [...all];
  let isWatching = true;
  const watching = (async () => {
    while (isWatching) {
      const states = await Promise.all(
        all.map(async (url) => {
          const answer = await fetch(`${url}/salud`).catch(() => null);
          await answer?.body?.cancel();
          return answer?.ok === true;
        }),
      );
      healthy = all.filter((_, i) => states[i]);
      await sleep(100);
    }
  })();
  return {
    healthy: (): readonly string[] => healthy,
    async stop() {
      isWatching = false;
      await watching;
    },
  };
}

async function sameAtTheAeat(): Promise<void> {
  await endPauses(database.sql);
  await untilDrained(database.sql);
  expect(await countFaults(urls[0], database.sql, companies)).toEqual({
    lost: [],
    doubles: [],
    gaps: [],
    differences: [],
  });
}
