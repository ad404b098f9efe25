import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findProgram } from '../../scripts/programs.mjs';
import { freePort } from '../../src/platform/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { signIn, signUp } from '../support/demo-company.ts';
import { enrol, invoiceToRegister } from '../support/load.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

const run = promisify(execFile);
const NGINX = findProgram('nginx');
const CADDY = findProgram('caddy');
const HAPROXY = findProgram('haproxy');
const PROMTOOL = findProgram('promtool');
const SYSTEMD = findProgram('systemd-analyze');
for (const [name, path] of Object.entries({
  nginx: NGINX,
  caddy: CADDY,
  haproxy: HAPROXY,
  promtool: PROMTOOL,
  systemd: SYSTEMD,
})) {
  if (!path)
    console.warn(`deploy.test.ts: ${name} is not on this machine, what it would check is skipped.`);
}

describe('deploy/', () => {
  it.skipIf(!PROMTOOL)('has alert rules that Prometheus understands', async () => {
    const { stdout } = await run(PROMTOOL, ['check', 'rules', 'deploy/alertas.yaml']);
    expect(stdout).toMatch(/SUCCESS: \d+ rules found/);
  });

  it.skipIf(!PROMTOOL)('has a scrape configuration that Prometheus understands', async () => {
    const folder = mkdtempSync(join(scratch, 'huella-prometheus-'));
    const token = join(folder, 'huella.token');
    writeFileSync(token, 'x');
    cpSync('deploy/alertas.yaml', join(folder, 'alertas.yaml'));
    const documented = readFileSync('deploy/prometheus.yml', 'utf8');
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, documented.replace('/etc/prometheus/huella.token', token));
    const { stdout } = await run(PROMTOOL, ['check', 'config', file]);
    rmSync(folder, { recursive: true });
    expect(stdout).toContain('1 rule files found');
  });

  it.skipIf(!PROMTOOL)('has a dashboard whose expressions Prometheus understands', async () => {
    const dashboard = JSON.parse(readFileSync('deploy/grafana.json', 'utf8')) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const exprs = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const folder = mkdtempSync(join(scratch, 'huella-dashboard-'));
    const file = join(folder, 'rules.json'); // Also YAML.
    const rules = exprs.map((expr, i) => ({ record: `expr:${i}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
    const { stdout } = await run(PROMTOOL, ['check', 'rules', file]);
    rmSync(folder, { recursive: true });
    expect(stdout).toContain(`${exprs.length} rules found`);
    expect(exprs.length).toBeGreaterThan(10);
  });

  it.skipIf(!SYSTEMD)('has a unit that systemd understands', async () => {
    const folder = mkdtempSync(join(scratch, 'huella-unit-'));
    // It checks whether the program exists, which depends on the machine.
    const unit = readFileSync('deploy/huella@.service', 'utf8').replace(
      'ExecStart=node',
      `ExecStart=${process.execPath}`,
    );
    writeFileSync(join(folder, 'huella@.service'), unit);
    writeFileSync(join(folder, 'huella@web1.service'), unit);
    const { stderr } = await run(SYSTEMD, ['verify', join(folder, 'huella@web1.service')]);
    rmSync(folder, { recursive: true });
    expect(stderr.split('\n').filter((line) => line.includes('huella@'))).toEqual([]);
  });

  it('has a unit that leaves Node everything it needs', () => {
    const unit = readFileSync('deploy/huella@.service', 'utf8');
    // With HOST=0.0.0.0 it asks for the addresses of the machine through netlink; if that is refused, the process ends.
    const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
    expect(families.split(' ').sort()).toEqual(['AF_INET', 'AF_INET6', 'AF_NETLINK', 'AF_UNIX']);
    // Some installers put it in /usr/local/bin.
    expect(unit).toMatch(/^ExecStart=node /m);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  });

  it.skipIf(!ratesUnits())(
    'has a unit that exposes little of the machine to the process',
    async () => {
      const args = ['security', '--offline=true', '--threshold=20', 'deploy/huella@.service'];
      // It fails when the exposure is above 2.0 of 10.
      await run(SYSTEMD, args);
    },
  );

  it('says what is missing in .env, and starts processes that cannot write to their own image', () => {
    const compose = readFileSync('deploy/compose.yaml', 'utf8');
    const needed = [...compose.matchAll(/\$\{(\w+)(:\?[^}]+)?\}/g)];
    expect(needed.length).toBeGreaterThan(1);
    expect(needed.filter(([, , complaint]) => !complaint)).toEqual([]);
    const [processes = ''] = compose.split('\nservices:');
    for (const line of ['read_only: true', 'tmpfs: [/tmp]', 'cap_drop: [ALL]']) {
      expect(processes).toContain(`\n  ${line}\n`);
    }
  });

  it('has names in the Caddyfile that belong to separate processes in the compose file', () => {
    const [, ...names] =
      /reverse_proxy (\w+):3000 (\w+):3000 {/.exec(readFileSync('deploy/Caddyfile', 'utf8')) ?? [];
    const compose = readFileSync('deploy/compose.yaml', 'utf8');
    const services = [...compose.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    expect(names.filter((name) => !services.includes(name))).toEqual([]);
    expect(names).toHaveLength(2);
  });

  // So what is tried with one of them below goes for the other.
  it.each([
    ['nginx.conf', /^ +server 127.*$/gm, '127.0.0.1:3001', '127.0.0.1:3002'],
    ['haproxy.cfg', /^ +server web.*$/gm, 'web1 127.0.0.1:3001', 'web2 127.0.0.1:3002'],
  ] as const)('treats both web servers alike in %s', (file, pattern, first, second) => {
    const lines = readFileSync(join('deploy', file), 'utf8').match(pattern) ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[1]).toBe(lines[0]?.replace(first, second));
  });

  it('lets HAProxy repeat the calls that nginx repeats', () => {
    const nginx = readFileSync('deploy/nginx.conf', 'utf8');
    const haproxy = readFileSync('deploy/haproxy.cfg', 'utf8');
    const [, others = ''] = /\/api\/\(([^)]+)\)\$" 1;/.exec(nginx) ?? [];
    const paths = others.split('|').map((call) => `/api/${call}`);
    expect(paths).toContain('/api/Redsys/InitRenewPayment');
    expect(haproxy).toContain(`acl keeps_answer path ${paths.join(' ')}\n`);
    const [, never = ''] = /(\/api\/PostData\/\([^)]+\)\$)" "";/.exec(nginx) ?? [];
    expect(never).not.toBe('');
    expect(haproxy).toContain(`acl keeps_no_answer path_reg ^${never}\n`);
  });

  it('keeps the key file out of the image and the repository', () => {
    for (const file of ['.dockerignore', '.gitignore']) {
      expect(readFileSync(file, 'utf8').split('\n')).toContain('.env');
    }
  });

  it('lets the user of the image write to every volume of its processes', () => {
    const image = readFileSync('deploy/Dockerfile', 'utf8');
    const made = /^RUN mkdir -p (\S+) && chown -R node:node \/datos$/m.exec(image)?.[1];
    const compose = readFileSync('deploy/compose.yaml', 'utf8');
    const [processes = ''] = compose.split('\nservices:');
    const volumes = [...processes.matchAll(/"\w+:(\/[^":]+)"/g)].map(([, path]) => path);
    expect(volumes).toEqual([made]);
  });
});

/** systemd reports what a unit leaves open, from version 250 on without running as init. */
function ratesUnits(): boolean {
  if (!SYSTEMD) return false;
  const said = execFileSync(SYSTEMD, ['--version'], { encoding: 'utf8' });
  return Number(/^systemd (\d+)/.exec(said)?.[1]) >= 250;
}

interface Proxy {
  readonly name: string;
  readonly program: string;
  /** Serves the answers of the web servers over HTTPS on `port`. @returns what ends it */
  readonly start: (folder: string, port: number, webPort: number) => Promise<() => Promise<void>>;
}

const PROXIES: readonly Proxy[] = [
  { name: 'nginx', program: NGINX, start: startNginx },
  { name: 'Caddy', program: CADDY, start: startCaddy },
  { name: 'HAProxy', program: HAPROXY, start: startHaproxy },
];
/** The addresses of the two web servers, on the same port. */
const WEBS = ['127.0.0.1', '127.0.0.2'] as const;
/** How long docs/operacion.md says to wait before the next process is replaced. */
const NOTICED_MS = 3_000;
const COMPANY = {
  nif: 'B12345674',
  email: 'b12345674@obrador.test',
  password: 'tres faroles y una gaviota',
};

/**
 * The configuration that we document, in front of two web servers, unchanged except for its ports and its certificate.
 */
describe.each(PROXIES.filter(({ program }) => program))('$name in front', ({ name, start }) => {
  let database: TestDatabase;
  let dataDir = '';
  let folder = '';
  let port = 0;
  let inside = ''; // The address of a web server, which is not reachable from outside.
  let addresses: readonly string[] = [];
  let stopProxy = () => Promise.resolve();
  const webs: Stack[] = [];
  let startWeb: (turn: number) => Promise<Stack>;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataDir = mkdtempSync(join(scratch, 'huella-proxy-'));
    folder = mkdtempSync(join(scratch, 'proxy-'));
    port = await freePort();
    const webPort = await freePort();
    const publicUrl = `https://localhost:${port}`;
    addresses = WEBS.map((host) => `http://${host}:${webPort}`);
    [, inside = ''] = addresses;
    startWeb = (turn) =>
      startStack({
        dataDir,
        env: {
          DATABASE_URL: `${database.url}?max=4`,
          ROLE: 'web',
          HOST: WEBS[turn] ?? '',
          PORT: String(webPort),
          PUBLIC_URL: publicUrl,
          TRUST_PROXY: '1',
          LOG_LEVEL: 'info',
        },
      });
    for (const turn of WEBS.keys()) webs.push(await startWeb(turn));
    stopProxy = await start(folder, port, webPort);
    await signUp(inside, COMPANY.nif);
  });
  afterAll(async () => {
    await stopProxy();
    await Promise.all(webs.map((web) => web.remove()));
    await removeDataDir(dataDir);
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = (path: string, options: Question = {}) => askHttps(port, path, options);

  /**
   * Until the next process may be replaced. A proxy that tries one again sends it a single call, and until that is
   * answered it has only the other one: on a busy machine the first answer of a process takes long.
   */
  const noticed = async (turn: number): Promise<void> => {
    await sleep(NOTICED_MS);
    await eventually(async () => {
      const measures = await fetch(`${addresses[turn]}/metricas`);
      return (await measures.text()).includes('route="/api/PostData/ValidarFactura"');
    });
  };

  it('serves the pages with their headers, compressed, and over HTTP/2', async () => {
    // By the web server, whether or not the web is built here.
    const page = await ask('/');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.headers['strict-transport-security']).toMatch(/max-age=/);
    const health = await ask('/salud');
    expect(health.status).toBe(200);
    const api = await ask('/api/openapi.json', { headers: { 'accept-encoding': 'br' } });
    expect(api.headers['content-encoding']).toBe('br');

    const session = connectHttp2(`https://localhost:${port}`, { rejectUnauthorized: false });
    const stream = session.request({ ':path': '/salud' });
    const [headers] = await once(stream, 'response');
    session.close();
    expect(headers[':status']).toBe(200);
  });

  it('speaks TLS 1.2 and 1.3, and does not say its version', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = connectTls({
        host: '127.0.0.1',
        port,
        servername: 'localhost',
        minVersion: version,
        maxVersion: version,
        rejectUnauthorized: false,
      });
      await once(socket, 'secureConnect');
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    expect((await ask('/salud')).headers.server ?? '').not.toMatch(/\d/);
  });

  it('does not expose the metrics', async () => {
    for (const path of ['/metricas', '/%6detricas', '/metricas?x=1']) {
      expect((await ask(path)).status, path).toBe(404);
    }
  });

  it('passes on the real address of the caller, whatever it claims, and its request id', async () => {
    const { status } = await ask('/api/Auth/login', {
      method: 'POST',
      localAddress: '127.0.3.7',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': '203.0.113.9',
        'x-request-id': 'puesto-por-otro',
      },
      body: Buffer.from(JSON.stringify({ Email: COMPANY.email, Password: COMPANY.password })),
    });
    expect(status).toBe(200);
    const rows = await database.sql<{ address: string }[]>`select address from security_events`;
    expect(rows.map(({ address }) => address)).toContain('127.0.3.0');
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
    const said = webs.map((web) => web.output()).join('');
    expect(said).not.toContain('puesto-por-otro');
  });

  it('accepts files of ten megabytes, while the product refuses larger ones', async () => {
    const token = await signIn(inside, COMPANY);
    const upload = (megabytes: number) => {
      const form = '--huella\r\ncontent-disposition: form-data; name="File"; filename="f.png"\r\n';
      return ask('/api/PostData/ExtraerFactura', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'multipart/form-data; boundary=huella',
        },
        body: Buffer.concat([
          Buffer.from(`${form}content-type: image/png\r\n\r\n`),
          Buffer.alloc(megabytes * 1024 * 1024, 7),
          Buffer.from('\r\n--huella--\r\n'),
        ]),
      });
    };
    // It arrived in full: that it is no image is the product's answer.
    const whole = await upload(9);
    expect([whole.status, whole.headers['content-type']]).toEqual([
      400,
      'application/json; charset=utf-8',
    ]);
    const big = await upload(11);
    expect([big.status, big.headers['content-type']]).toEqual([
      413,
      'application/json; charset=utf-8',
    ]);
  });

  it('lets the largest import through', async () => {
    const token = await signIn(inside, COMPANY);
    const { status, headers } = await ask('/api/PostData/SaveData', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ clientes: 'x'.repeat(31 * 1024 * 1024) })),
    });
    // It arrived in full: that it is no import is the product's answer.
    expect([status, headers['content-type']]).toEqual([400, 'application/json; charset=utf-8']);
  });

  // Debian's Caddy cannot repeat a call (Caddyfile).
  const repeats = name !== 'Caddy';
  it(`refuses nobody while one is replaced and then the other ${repeats ? 'is killed' : 'ends'}`, async () => {
    const { token } = await enrol(inside, database.sql, 'A58818501');
    let asked = 0;
    const validate = () => ask('/api/PostData/ValidarFactura', validating(token));
    const register = () => ask('/api/PostData/SetFacturas', registeringOnce(token, asked++));
    const people = [validate, ...(repeats ? [register] : [])].map((call) => new People(call));
    const go = () => Promise.all(people.map((some) => some.go()));
    await go();
    expect(await webs[0]?.stop()).toBe(0);
    webs[0] = await startWeb(0);
    await noticed(0);
    await go();
    expect(await webs[1]?.stop(repeats ? 'SIGKILL' : 'SIGTERM')).toBe(repeats ? 'SIGKILL' : 0);
    await go();
    expect(await Promise.all(people.map((some) => some.refused()))).toEqual(people.map(() => []));
    const [row] = await database.sql<{ registered: number; last: number }[]>`
      select count(*)::int as registered, coalesce(max(seq), 0)::int as last from registros`;
    expect(row).toEqual({ registered: asked, last: asked });
  });
});

/** A read that changes nothing. */
function validating(token: string): Question {
  return {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(invoiceToRegister())),
  };
}

/** An invoice to register, with a key of its own. */
function registeringOnce(token: string, turn: number): Question {
  const question = validating(token);
  return { ...question, headers: { ...question.headers, 'idempotency-key': `factura-${turn}` } };
}

/** Pause of a client between two calls: more calls would prove nothing more. */
const THINK_MS = 150;

/** Four clients that call again and again, until they are asked for the results. */
class People {
  readonly #statuses: number[] = [];
  readonly #all: Promise<unknown>;
  #isOver = false;

  constructor(ask: () => Promise<{ status: number }>) {
    this.#all = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (!this.#isOver) {
          this.#statuses.push((await ask()).status);
          await sleep(THINK_MS);
        }
      }),
    );
  }

  /** Waits until some more calls have been answered. */
  async go(): Promise<void> {
    const before = this.#statuses.length;
    await eventually(async () => this.#statuses.length > before + 3);
  }

  /** Ends it. @returns answers with a status other than 200 */
  async refused(): Promise<number[]> {
    this.#isOver = true;
    await this.#all;
    return this.#statuses.filter((status) => status !== 200);
  }
}

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly localAddress?: string;
}

async function askHttps(port: number, path: string, { body, headers, ...question }: Question) {
  const options: RequestOptions = {
    host: '127.0.0.1',
    port,
    path,
    servername: 'localhost',
    rejectUnauthorized: false,
    headers: { host: `localhost:${port}`, ...headers },
    ...question,
  };
  return new Promise<{
    status: number;
    headers: Readonly<Record<string, string | string[] | undefined>>;
  }>((resolve, reject) => {
    const call = request(options, (answer) => {
      answer.resume();
      answer.once('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers }),
      );
      answer.once('error', reject);
    });
    call.once('error', reject);
    call.end(body);
  });
}

/** Files with a key and its certificate. */
function certify(folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'],
  ]);
  return { key, cert };
}

async function startNginx(
  folder: string,
  port: number,
  webPort: number,
): Promise<() => Promise<void>> {
  const { key, cert } = certify(folder);
  const documented = readFileSync('deploy/nginx.conf', 'utf8')
    .replace('127.0.0.1:3001', `${WEBS[0]}:${webPort}`)
    .replace('127.0.0.1:3002', `${WEBS[1]}:${webPort}`)
    .replace(/^ +listen 443/m, `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate {5}\S+;/, `ssl_certificate ${cert};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => {
    mkdirSync(join(folder, name), { mode: 0o777 });
    return `${name}_temp_path ${join(folder, name)};`;
  });
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
     ${process.getuid?.() === 0 ? 'user root;' : ''}
     events {} http { access_log off; ${places.join(' ')}\n${documented}\n}`,
  );
  return serving(spawn(NGINX, ['-c', file, '-p', folder], { stdio: 'ignore' }), port);
}

/** With a certificate authority of its own. */
async function startCaddy(
  folder: string,
  port: number,
  webPort: number,
): Promise<() => Promise<void>> {
  const documented = readFileSync('deploy/Caddyfile', 'utf8')
    .replace('{$DOMINIO} {', `https://localhost:${port} {\n\tbind 127.0.0.1`)
    .replace('web1:3000', `${WEBS[0]}:${webPort}`)
    .replace('web2:3000', `${WEBS[1]}:${webPort}`);
  const file = join(folder, 'Caddyfile');
  const options = 'auto_https disable_redirects\n\tskip_install_trust\n\tadmin off';
  writeFileSync(file, `{\n\t${options}\n}\n${documented}`);
  const child = spawn(CADDY, ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: 'ignore',
    env: { PATH: process.env.PATH ?? '', HOME: folder, XDG_DATA_HOME: folder },
  });
  return serving(child, port);
}

async function startHaproxy(
  folder: string,
  port: number,
  webPort: number,
): Promise<() => Promise<void>> {
  const { key, cert } = certify(folder);
  const both = join(folder, 'huella.pem');
  writeFileSync(both, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'));
  const documented = readFileSync('deploy/haproxy.cfg', 'utf8')
    .replace('127.0.0.1:3001', `${WEBS[0]}:${webPort}`)
    .replace('127.0.0.1:3002', `${WEBS[1]}:${webPort}`)
    .replace('bind :443', `bind 127.0.0.1:${port}`)
    .replace('/etc/haproxy/huella.pem', both);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, documented);
  return serving(spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' }), port);
}

/** Waits until the web servers can be reached through it. @returns what ends it */
async function serving(child: ChildProcess, port: number): Promise<() => Promise<void>> {
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  try {
    await eventually(() => askHttps(port, '/salud', {}).then(({ status }) => status === 200));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
