import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sealEnvelope } from '../../src/certificate/seal.ts';
import { lockFile } from '../../src/platform/file-lock.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { storedSecret } from '../../src/platform/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { type DemoCompany, giveCertificate, signIn, signUp } from '../support/demo-company.ts';
import { scratch } from '../support/scratch.ts';
import { builtServer, type Stack, startStack } from '../support/stack.ts';
import { eventually } from '../support/wait.ts';
import { yearOf } from '../support/world.ts';

const NIF = 'B12345674';
const OTHER_KEY = `${Buffer.alloc(32, 1).toString('base64')}\n`;
const stacks: Stack[] = [];
let folder = '';

afterEach(async () => {
  for (const stack of stacks.splice(0)) await stack.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe('backup and restore', () => {
  it('copies everything while the app registers, and stops companies whose later registros it cannot know', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const first = await start();
    const company = await signUp(first.baseUrl, NIF);
    const token = await signIn(first.baseUrl, company);
    await giveCertificate(first.baseUrl, token, NIF);
    for (let i = 0; i < 3; i++) {
      expect((await register(first.baseUrl, token)).status).toBe(200);
    }
    await untilAnswered(first.baseUrl, token);

    // An invoice that is being registered during the copy is in it completely or not at all.
    const copy = join(folder, 'copia');
    const [backup] = await Promise.all([
      run('backup', [copy], first.dataDir),
      register(first.baseUrl, token),
    ]);
    expect(backup).toMatchObject({ code: 0 });
    expect(backup.output).toContain('Copia hecha y comprobada');
    await register(first.baseUrl, token);
    await untilAnswered(first.baseUrl, token);
    const before = await history(first.baseUrl, token);
    expect(before).toHaveLength(5);
    expect(await first.stop()).toBe(0);
    const taken = await run('restore', [copy], first.dataDir);
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.output).toContain('La base de datos ya tiene datos');

    // Another machine, the same AEAT.
    const dataDir = join(folder, 'dos');
    const restore = await run('restore', [copy], dataDir);
    expect(restore).toMatchObject({ code: 0 });
    expect(restore.output).toContain('no se registra en 1 empresa.');
    cpSync(join(first.dataDir, 'simuladores'), join(dataDir, 'simuladores'), { recursive: true });
    const second = await start(dataDir);
    const again = await signIn(second.baseUrl, company);
    const after = await history(second.baseUrl, again);
    expect(before.slice(-after.length)).toEqual(after);
    expect([3, 4]).toContain(after.length);
    // The fourth may have been registered in time for the copy without being answered: it is then not in the history.
    const cadena = await get<{ registros: number }>(second.baseUrl, again, 'VerificarCadena');
    expect(cadena).toMatchObject({ correcta: true });
    expect([after.length, 4]).toContain(cadena.registros);

    // Numbers that the AEAT has and the copy lacks would otherwise be used twice.
    const refused = await register(second.baseUrl, again);
    expect(refused.status).toBe(403);
    expect(await refused.text()).toContain('copia de seguridad');
    // Nothing in the copy was lost: the certificate can still be opened.
    expect(await get(second.baseUrl, again, 'GetCertificate')).toMatchObject({ nif: NIF });
  }, 240_000);

  it('goes on at once if the app has stood still since the copy, and refuses a damaged copy', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const source = await createTestDatabase();
    const target = await createTestDatabase({ isEmpty: true });
    try {
      const [one, two] = [join(folder, 'uno'), join(folder, 'dos')];
      const first = await start(one, source.url);
      const company: DemoCompany = await signUp(first.baseUrl, NIF);
      const token = await signIn(first.baseUrl, company);
      await giveCertificate(first.baseUrl, token, NIF);
      expect((await register(first.baseUrl, token)).status).toBe(200);
      expect(await first.stop()).toBe(0);
      const copy = join(folder, 'copia');
      expect(await run('backup', [copy], one, source.url)).toMatchObject({ code: 0 });

      const restored = await run('restore', [copy, '--sin-conciliar'], two, target.url);
      expect(restored).toMatchObject({ code: 0 });
      const second = await start(two, target.url);
      const answer = await register(second.baseUrl, await signIn(second.baseUrl, company));
      expect(await answer.json()).toMatchObject({ DocNo: `00002/${yearOf(new Date())}S` });
      expect(await second.stop()).toBe(0);

      const file = join(copy, 'invoices.copy.gz');
      const bytes = readFileSync(file);
      writeFileSync(file, bytes.subarray(0, -1));
      const damaged = await run('restore', [copy], join(folder, 'tres'));
      expect(damaged).toMatchObject({ code: 1 });
      expect(damaged.output).toContain('La copia está dañada: invoices.copy.gz');
      const missing = await run('restore', [folder], join(folder, 'tres'));
      expect(missing.output).toContain('no es una copia de seguridad completa');
    } finally {
      await source.drop();
      await target.drop();
    }
  }, 240_000);
});

describe('maintenance commands', () => {
  it.each([
    ['backup', []],
    ['admin', ['despachador']],
  ])('do not create an installation where there is none: %s', async (command, args) => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const dataDir = join(folder, 'datos');
    const ended = await run(command, args, dataDir);
    expect(ended.output).toContain(`En «${dataDir}» no hay ninguna instalación`);
    expect([ended.code, existsSync(dataDir)]).toEqual([1, false]);
  });

  it('say that a database is empty', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const database = await createTestDatabase({ isEmpty: true });
    const ended = await run('backup', [join(folder, 'copia')], folder, database.url);
    await database.drop();
    expect(ended).toEqual({
      code: 1,
      output: 'La base de datos está vacía: Huella no ha arrancado nunca con ella.\n',
    });
    expect(existsSync(join(folder, 'copia'))).toBe(false);
  });
});

describe('a backup that cannot be made', () => {
  it('explains why in one sentence, without a stack trace', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    writeFileSync(join(folder, 'archivo'), '');
    const database = await createTestDatabase();
    try {
      const inside = join(folder, 'archivo', 'copia');
      const refused = await run('backup', [inside], join(folder, 'uno'), database.url);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.output).toMatch(/^«.*archivo\/copia.*» no puede estar dentro de un archivo/m);
      expect(refused.output).not.toContain(' at ');
      const taken = await run('backup', [folder], join(folder, 'uno'), database.url);
      expect(taken).toMatchObject({
        code: 1,
        output: expect.stringMatching(/^En «.*» ya hay algo: indica otra carpeta.$/m),
      });
      const wrong = await run('backup', ['--a', inside], join(folder, 'uno'), database.url);
      expect(wrong).toMatchObject({ code: 1, output: expect.stringContaining('[-- CARPETA]') });
      if (process.platform === 'linux') {
        const nowhere = ['/proc/huella/copia'];
        const refusal = await run('backup', nowhere, join(folder, 'uno'), database.url);
        expect(refusal).toMatchObject({ code: 1, output: expect.stringMatching(/^No existe «/m) });
      }
    } finally {
      await database.drop();
    }
  });
});

describe('what remains of a failed backup', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    database = await createTestDatabase();
  });
  afterEach(() => database.drop());

  it('is nothing, however far it had come', async () => {
    await database.sql`
      create table zz_grande as
        select string_agg(md5(random()::text), '') as texto from generate_series(1, 20_000) as n`;
    // A limit on file size simulates a full disk.
    const limited = ['sh', '-c', 'ulimit -f 200; exec "$@"', 'sh'];
    const dataDir = join(folder, 'uno');
    const ended = await run('backup', [join(folder, 'copia')], dataDir, database.url, { limited });
    expect(ended).toMatchObject({ code: 1, output: expect.stringContaining('EFBIG') });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is nothing if its key is not one that a restore would accept', async () => {
    const keys = join(folder, 'uno/claves');
    mkdirSync(keys, { recursive: true });
    writeFileSync(join(keys, 'clave-maestra'), 'hola', { mode: 0o600 });
    const copy = join(folder, 'copia');
    expect(await run('backup', [copy], join(folder, 'uno'), database.url)).toMatchObject({
      code: 1,
      output: expect.stringContaining('falta o falla su clave-maestra'),
    });
    expect(readdirSync(folder)).toEqual(['uno']);
  });

  it('is removed by the next backup after an interruption, but not while another process is writing it', async () => {
    const dead = join(folder, 'copias/huella-2026-11-23-030000.parcial');
    const alive = join(folder, 'copias/huella-2026-11-24-030000.parcial');
    const other = join(folder, 'copias/mía.parcial');
    for (const draft of [dead, alive, other]) {
      mkdirSync(draft, { recursive: true });
      writeFileSync(join(draft, 'invoices.copy.gz'), 'a medias');
    }
    const lock = lockFile(join(alive, 'cerrojo'), 'exclusive');
    const dataDir = join(folder, 'uno');
    const backup = (...args: string[]) =>
      run('backup', args, dataDir, database.url, { cwd: folder });
    expect(await backup('copias/lunes')).toMatchObject({ code: 0 });
    expect(existsSync(dead)).toBe(true);
    expect(await backup()).toMatchObject({ code: 0 });
    lock?.release();
    expect([dead, alive, other].map((draft) => existsSync(draft))).toEqual([false, true, true]);
    const made = readdirSync(join(folder, 'copias')).find((name) => /^huella-[\d-]+$/.test(name));
    const files = readdirSync(join(folder, 'copias', made ?? 'ninguna'));
    expect(files).toContain('manifiesto.json');
    expect(files).not.toContain('cerrojo');
  });
});

describe('a command line tool', () => {
  it.each(['backup', 'restore', 'migrate'])(
    '%s explains its usage, does nothing, and refuses unknown options',
    async (command) => {
      folder = mkdtempSync(join(scratch, 'huella-copia-'));
      const dataDir = join(folder, 'uno');
      const help = await run(command, ['--help'], dataDir);
      expect(help).toEqual({ code: 0, output: expect.stringContaining(`npm run ${command}`) });
      const unknown = await run(command, ['--nada', '1'], dataDir);
      expect(unknown).toEqual({ code: 1, output: help.output });
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe('a backup restored to a database', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  beforeEach(async () => {
    source = await createTestDatabase();
    target = await createTestDatabase({ isEmpty: true });
    await source.sql`
      insert into companies (id, nif, email, name, address, post_code, country_code, password_hash,
             subscription_type, subscription_ends_at, numero_instalacion, payment_terms, payment_method,
             customer_posting_group, terms_accepted_at)
      values (7, ${NIF}, 'a@ejemplo.es', 'Rota, S.L.', '', '28013', 'ES', '', 'Demo', now(), 'x', '', '', '', now())`;
  });
  afterEach(async () => {
    await source.drop();
    await target.drop();
  });
  const breakCadena = () =>
    source.sql`insert into cadenas (company_id, last_seq, last_huella) values (7, 3, 'ABC')`;

  /** A copy with one certificate, and the key that decrypts it. */
  async function copyWithCertificate(): Promise<string> {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const copy = join(folder, 'copia');
    const key = Buffer.from(storedSecret(join(folder, 'uno'), 'clave-maestra'), 'base64');
    const { kekId, sealedKey, sealed } = sealEnvelope(key, 7, 'certificado', Buffer.from('p12'));
    await source.sql`
      insert into certificates (company_id, kek_id, sealed_key, sealed, file_name, titular, nif, tipo, emisor,
             serie, huella_certificado, valido_desde, valido_hasta)
      values (7, ${kekId}, ${sealedKey}, ${sealed}, 'c.p12', '', ${NIF}, 'sello', '', '', '', now(), now())`;
    expect(await run('backup', [copy], join(folder, 'uno'), source.url)).toMatchObject({ code: 0 });
    return copy;
  }

  it.each([
    ['restore', () => ['copia']],
    ['admin', () => ['rotar-clave']],
    ['admin', () => ['distribuir']],
  ])(
    'is not touched through a pgbouncer, where nobody sees who works on it (%s)',
    async (command, words) => {
      folder = mkdtempSync(join(scratch, 'huella-copia-'));
      const refused = await run(
        command,
        words(),
        join(folder, 'uno'),
        `${source.url}?prepare=false`,
      );
      expect(refused).toEqual({
        code: 1,
        output: expect.stringContaining('reinicia el pgbouncer'),
      });
      expect(existsSync(join(folder, 'uno', 'claves', 'clave-maestra.nueva'))).toBe(false);
    },
  );

  it('needs the key of its certificates: with another it is refused, and afterwards restored with the right one', async () => {
    const copy = await copyWithCertificate();
    const restore = (to: string) => run('restore', [copy], join(folder, to), target.url);
    const key = readFileSync(join(copy, 'clave-maestra'), 'utf8');
    writeFileSync(join(copy, 'clave-maestra'), 'hola');
    expect(await restore('dos')).toMatchObject({
      code: 1,
      output: expect.stringContaining('falta o falla su clave-maestra'),
    });
    writeFileSync(join(copy, 'clave-maestra'), OTHER_KEY);
    expect(await restore('tres')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no abre los certificados'),
    });

    writeFileSync(join(copy, 'clave-maestra'), key);
    expect(await restore('cuatro')).toMatchObject({ code: 0 });
    expect(await restore('cuatro')).toMatchObject({
      code: 1,
      output: expect.stringContaining('ya tiene datos'),
    });
    // Any other connection may be the application at work.
    expect(await target.sql`select nif from certificates`).toEqual([{ nif: NIF }]);
    expect(await restore('cuatro')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Huella está en marcha'),
    });
  }, 120_000);

  it('is restored without the lost key of its certificates on request', async () => {
    await source.sql`
      insert into second_factors (company_id, kek_id, sealed_key, sealed, created_at, confirmed_at)
      values (7, 'la-perdida', '', '', now(), now())`;
    const copy = await copyWithCertificate();
    writeFileSync(join(copy, 'clave-maestra'), OTHER_KEY);
    const args = [copy, '--con-otra-clave'];
    expect(await run('restore', args, join(folder, 'dos'), target.url)).toMatchObject({
      code: 0,
      output: expect.stringContaining('1 certificado, 1 verificación en dos pasos, 0 conexiones'),
    });
    expect(await target.sql`select nif from companies`).toEqual([{ nif: NIF }]);
    expect(await target.sql`select nif from certificates`).toEqual([]);
    expect(await target.sql`select 1 from second_factors`).toEqual([]);
    const told = await target.sql`select kind, payload->>'change' as change from mail_jobs`;
    expect(told).toEqual([{ kind: 'segundo-factor', change: 'perdido' }]);
  }, 120_000);

  it('shares no key with clave-perdida, which neither creates one nor treats its absence as a loss', async () => {
    await copyWithCertificate();
    const dataDir = join(folder, 'vacía');
    for (const args of [['clave-perdida'], ['clave-perdida', '--hacer']]) {
      expect(await run('admin', args, dataDir, source.url)).toMatchObject({
        code: 1,
        output: expect.stringContaining('Aquí no está la clave'),
      });
    }
    expect(existsSync(join(dataDir, 'claves'))).toBe(false);
    expect(await source.sql`select nif from certificates`).toEqual([{ nif: NIF }]);
  }, 120_000);

  it('is refused if somebody signs up before it is loaded', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const copy = join(folder, 'copia');
    expect(await run('backup', [copy], join(folder, 'uno'), source.url)).toMatchObject({ code: 0 });
    const empty = await createTestDatabase();
    const { restoring } = await empty.sql.begin(async (tx) => {
      await tx`set application_name = 'otro'`; // Not seen as the application at work.
      await tx`
        insert into payments (ds_order, order_id, kind, plan, amount_cents, status, created_at)
        values ('000000000001', 'uno', 'alta', 'annual', 9999, 'pending', now())`;
      const started = run('restore', [copy], join(folder, 'dos'), empty.url);
      const waiting = () => tx`
        select 1 from pg_locks where relation = 'payments'::regclass and not granted`;
      await eventually(async () => (await waiting())[0], 60);
      return { restoring: started };
    });
    expect(await restoring).toMatchObject({
      code: 1,
      output: expect.stringContaining('La base de datos ya tiene datos'),
    });
    expect(await empty.sql`select order_id from payments`).toEqual([{ order_id: 'uno' }]);
    await empty.drop();
  }, 120_000);

  it('is recognised if a newer version wrote it in another format', async () => {
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const copy = join(folder, 'copia');
    await run('backup', [copy], join(folder, 'uno'), source.url);
    const file = join(copy, 'manifiesto.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, formato: 2 }));
    expect(await run('restore', [copy], join(folder, 'dos'), target.url)).toMatchObject({
      code: 1,
      output: expect.stringContaining('de una versión más nueva de Huella'),
    });
  }, 120_000);

  it('with a broken cadena is made, names the company, exits with a code of its own, and says so again when restored', async () => {
    await breakCadena();
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const copy = join(folder, 'copia');
    const backup = await run('backup', [copy], join(folder, 'uno'), source.url);
    expect(backup).toMatchObject({ code: 3 });
    expect(backup.output).toContain('Copia hecha y comprobada');
    expect(backup.output).toContain(`así va en la copia: ${NIF}`);

    const restore = await run('restore', [copy], join(folder, 'dos'), target.url);
    expect(restore).toMatchObject({ code: 0 });
    expect(restore.output).toContain(`ya no estaba entera, y así ha quedado: ${NIF}`);
    expect(await target.sql`select last_seq from cadenas`).toEqual([{ last_seq: 3n }]);
  }, 120_000);

  it('does not hide that a cadena broke after the backup was made', async () => {
    await breakCadena();
    folder = mkdtempSync(join(scratch, 'huella-copia-'));
    const copy = join(folder, 'copia');
    await run('backup', [copy], join(folder, 'uno'), source.url);
    const file = join(copy, 'manifiesto.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...manifest, cadenasRotas: undefined }));
    const restore = await run('restore', [copy], join(folder, 'dos'), target.url);
    expect(restore).toMatchObject({ code: 1 });
    expect(restore.output).toContain(`no está entera en la base de datos: ${NIF}`);
  }, 120_000);
});

async function start(dataDir?: string, url?: string): Promise<Stack> {
  const env = {
    LOG_LEVEL: 'fatal',
    SIMULADOR_TIEMPO_ESPERA: '0',
    ...(url && { DATABASE_URL: url }),
  };
  const stack = await startStack({ ...(dataDir && { dataDir }), env });
  stacks.push(stack);
  return stack;
}

/** Runs a command line tool on a data folder. */
async function run(
  command: string,
  args: readonly string[],
  dataDir: string,
  url?: string,
  { cwd = projectRoot, limited = [] }: { cwd?: string; limited?: readonly string[] } = {},
) {
  const script = [join(await builtServer(), `${command}.js`), ...args];
  const [file = '', ...rest] = [...limited, process.execPath, ...script];
  try {
    const { stdout, stderr } = await promisify(execFile)(file, rest, {
      cwd,
      env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) },
    });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
}

function register(baseUrl: string, token: string): Promise<Response> {
  return post(baseUrl, token, 'SetFacturas', {
    invoiceDate: new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    isSimplificada: true,
    invoiceType: 1,
    invoiceItems: [{ description: 'Menú del día', quantity: '1', price: '12,50', tax: 'IVA10' }],
    accionFactura: 1,
  });
}

function post(baseUrl: string, token: string, call: string, body: object): Promise<Response> {
  return fetch(`${baseUrl}/api/PostData/${call}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
}

async function get<T>(baseUrl: string, token: string, call: string): Promise<T> {
  const answer = await fetch(`${baseUrl}/api/GetData/${call}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()) as T;
}

const history = (baseUrl: string, token: string) =>
  get<{ DocNo: string; Huella: string }[]>(baseUrl, token, 'GetInvoices');

async function untilAnswered(baseUrl: string, token: string): Promise<void> {
  await eventually(async () => {
    const { enEspera } = await get<{ enEspera: number }>(baseUrl, token, 'GetConexionAEAT');
    return enEspera === 0;
  }, 60);
}
