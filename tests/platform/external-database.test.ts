import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { kekIdOf } from '../../src/certificate/seal.ts';
import { isForeignKey } from '../../src/operations/lost-key.ts';
import { openDatabase, waitForDatabase } from '../../src/platform/database.ts';
import { storedSecret } from '../../src/platform/secrets.ts';
import { NoAnswer } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { signIn, signUp } from '../support/demo-company.ts';
import { insertCompanies } from '../support/many-companies.ts';
import { scratch } from '../support/scratch.ts';
import { removeDataDir, type Stack, StackError, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';

let database: TestDatabase;
let dataDir = '';
const stacks: Stack[] = [];
async function start(env: Record<string, string> = {}): Promise<Stack> {
  const stack = await startStack({
    dataDir,
    env: { DATABASE_URL: database.url, ...env },
  });
  stacks.push(stack);
  return stack;
}

const simulators = () =>
  JSON.parse(readFileSync(join(dataDir, 'simuladores/direcciones.json'), 'utf8'));

beforeEach(async () => {
  database = await createTestDatabase();
  dataDir = mkdtempSync(join(scratch, 'huella-external-'));
});
afterEach(async () => {
  await Promise.all(stacks.splice(0).map((stack) => stack.remove()));
  await removeDataDir(dataDir);
  await database.drop();
});

describe('DATABASE_URL', () => {
  it('is migrated and used in place of the embedded server, and serves at once while the search index is being built', async () => {
    await database.drop();
    database = await createTestDatabase({ isEmpty: true });
    const first = await start();
    const company = await signUp(first.baseUrl, 'B12345674');
    const rows = await database.sql`select nif from companies`;
    expect(rows).toEqual([{ nif: 'B12345674' }]);
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
    expect(await first.stop()).toBe(0);

    // Like a long history from before the index, whose build waits as long as somebody is writing.
    await database.sql`drop index invoices_search_marks`;
    const writing = await database.sql.reserve();
    await writing`begin`;
    await writing`lock table invoices in row exclusive mode`;
    const stack = await start();
    const isBuilding = () => database.sql`
      select 1 from pg_stat_activity where query like '%concurrently%invoices_search_marks%'
         and state = 'active' and pid <> pg_backend_pid() and datname = current_database()`;
    await eventually(async () => (await isBuilding()).length > 0);
    const token = await signIn(stack.baseUrl, company);
    const answer = await fetch(`${stack.baseUrl}/api/GetData/GetInvoices?search=nadie`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    expect(await isBuilding()).toHaveLength(1);

    await writing`rollback`;
    writing.release();
    await eventually(async () => {
      const [index] = await database.sql`
        select 1 from pg_index where indexrelid = to_regclass('invoices_search_marks') and indisvalid`;
      return index !== undefined;
    });
  });

  it('serves several processes, each with its role, in one folder', async () => {
    const dispatcher = await start({ ROLE: 'dispatcher' }); // The first one runs the simulators.
    const web = await start({ ROLE: 'web' });
    expect(dispatcher.baseUrl).toBe('');
    const company = await signUp(web.baseUrl, 'B12345674');
    await expect(signIn(web.baseUrl, company)).resolves.toMatch(/^ey/);
    // The dispatcher sends the mail that the web server queued.
    const letters = await eventually(async () => {
      const answer = await fetch(`${web.baseUrl}/desarrollo/correo?para=${company.email}`);
      const found = (await answer.json()) as unknown[];
      return found.length > 0 && found;
    });
    expect(letters).toHaveLength(1);

    // The process with the simulators may end: another one takes over, at the same addresses.
    const addresses = simulators();
    dispatcher.kill('app');
    await eventually(async () => simulators().pid !== addresses.pid);
    expect({ ...simulators(), pid: 0 }).toEqual({ ...addresses, pid: 0 });
    const answer = await fetch(`${web.baseUrl}/desarrollo/correo?para=${company.email}`);
    expect(await answer.json()).toHaveLength(1);
  });

  it('is not shared by two complete applications in one folder', async () => {
    await start();
    const error = await start().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StackError);
    expect((error as StackError).output).toMatch(/^Huella ya está en marcha/);
  });

  it.each([
    ['otra-clave', 'La base de datos no acepta el usuario o la clave de DATABASE_URL.'],
    ['otra-base', 'La base de datos que nombra DATABASE_URL no existe: créala antes.'],
    [
      'otra-opción',
      'DATABASE_URL pide algo que no existe: unrecognized configuration parameter "sslrootcert".',
    ],
  ])('stops the start with a sentence: %s', async (wrong, sentence) => {
    const url = new URL(inject('postgresServer'));
    if (wrong === 'otra-base') url.pathname = '/no-existe';
    if (wrong === 'otra-clave') url.password = 'otra';
    if (wrong === 'otra-opción') url.search = '?sslrootcert=autoridad.pem';
    const error = await start({ DATABASE_URL: url.href }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 1 });
    expect((error as StackError).output.trim()).toBe(sentence);
  });

  it('stops the start of a process whose key opens none of its secrets', async () => {
    const { sql } = database;
    await insertCompanies(sql, 1);
    const withSecondFactor = (kekId: string) => sql`
      insert into second_factors (company_id, kek_id, sealed_key, sealed, created_at)
      select id, ${kekId}, '', '', now() from companies
          on conflict (company_id) do update set kek_id = excluded.kek_id`;
    const withCertificate = (kekId: string) => sql`
      insert into certificates (company_id, kek_id, sealed_key, sealed, file_name, titular, nif, tipo, emisor,
             serie, huella_certificado, valido_desde, valido_hasta)
      select id, ${kekId}, '', '', '', '', nif, 'sello', '', '', '', now(), now() from companies`;
    await withSecondFactor('otra');
    await withSecondFactor('otra');
    const error = await start().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 1 });
    expect((error as StackError).output).toMatch(/^CLAVE_MAESTRA no abre ningún certificado ni/m);

    const key = Buffer.from(storedSecret(dataDir, 'clave-maestra'), 'base64');
    await withCertificate('otra');
    expect(await isForeignKey(sql, key)).toBe(true);
    // One that it opens is enough: a change of key may have stopped half way.
    await withSecondFactor(kekIdOf(key));
    expect(await isForeignKey(sql, key)).toBe(false);
  });

  it('refuses a database whose encoding cannot store the texts of an invoice', async () => {
    const { sql } = database;
    const url = new URL(database.url);
    url.pathname += '_latin';
    const name = sql(url.pathname.slice(1));
    await sql`create database ${name} template template0 encoding 'LATIN1' locale 'C'`;
    const other = openDatabase({ url: url.href });
    try {
      await expect(waitForDatabase(other, 5)).rejects.toThrow('guarda los textos en LATIN1');
    } finally {
      await other.end();
      await sql`drop database ${name}`;
    }
  });

  it('explains why it cannot communicate with the server', async () => {
    const impostor = await startImpostor();
    const ask = async (url: string) => {
      const sql = openDatabase({ url });
      try {
        await waitForDatabase(sql, 1);
      } finally {
        await sql.end({ timeout: 1 });
      }
    };
    const url = `postgres://huella@localhost:${impostor.port}/huella`;
    await expect(ask(`${url}?sslmode=verify-full`)).rejects.toThrow(
      'No se puede comprobar el certificado de la base de datos (self-signed certificate)',
    );
    // Trusted, but its certificate is that of «localhost», whatever it is called.
    const { port, certificate } = impostor;
    const env = {
      DATABASE_URL: `postgres://huella@127.0.0.1:${port}/huella?sslmode=verify-full`,
      NODE_EXTRA_CA_CERTS: certificate,
    };
    const error = await start(env).catch((reason: unknown) => reason);
    expect((error as StackError).output).toMatch(/certificado de la base .* 127\.0\.0\.1 is not/);
    impostor.close();
    await expect(ask(url)).rejects.toThrow(/no responde \(.*ECONNREFUSED.*\): revisa DATABASE_URL/);
  });

  it('says why it waits for a server that accepts connections and never answers', async () => {
    const server = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sql = openDatabase({ url: `postgres://huella@127.0.0.1:${port}/huella` });
    const reasons: unknown[] = [];
    await expect(waitForDatabase(sql, 6, (reason) => reasons.push(reason))).rejects.toThrow(
      'La base de datos no responde: revisa DATABASE_URL, y que ningún cortafuegos separe su servidor de esta máquina.',
    );
    expect(reasons).toEqual([expect.any(NoAnswer)]);
    await sql.end({ timeout: 0 });
    server.close();
  });

  it.each([
    ['without TLS', 'N', 'probablemente su servidor no tiene TLS (ssl = on)'],
    ['that is not one', 'HTTP/1.1 400 Bad Request', 'no tiene TLS, que pide su sslmode'],
  ])('says that TLS fails at a server %s', async (_, answer, words) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      // PostgreSQL ends the connection of whoever goes on with TLS all the same.
      socket.once('data', () => {
        socket.write(answer);
        socket.once('data', () => (answer === 'N' ? socket.end() : socket.write(answer)));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sql = openDatabase({ url: `postgres://huella@127.0.0.1:${port}/huella?sslmode=require` });
    await expect(waitForDatabase(sql, 1)).rejects.toThrow(words);
    await sql.end({ timeout: 0 });
    server.close();
  });
});

/** Speaks TLS like a PostgreSQL server, with an untrusted certificate. */
async function startImpostor() {
  const folder = mkdtempSync(join(scratch, 'huella-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
      ...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost'],
    ],
    { stdio: 'ignore' },
  );
  const secureContext = createSecureContext({ key: readFileSync(key), cert: readFileSync(cert) });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write('S');
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => undefined);
    });
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    certificate: cert,
    close: () => {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
