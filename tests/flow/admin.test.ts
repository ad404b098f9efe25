import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SealBroken } from '../../src/certificate/seal.ts';
import { HELP } from '../../src/cli/admin-help.ts';
import { isoDateIn } from '../../src/domain/dates.ts';
import { openPending, sealPending } from '../../src/operations/init-payment.ts';
import { openCertificate } from '../../src/operations/open-certificate.ts';
import { reconcileStopped } from '../../src/operations/reconcile-stopped.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { nextSecret } from '../../src/platform/secrets.ts';
import { countOtherConnections } from '../../src/store/administration.ts';
import { insertPayment } from '../../src/store/payments.ts';
import { BUSINESS_CENTRAL_SETTINGS } from '../fixtures/business-central.ts';
import { administer } from '../support/admin.ts';
import {
  expectOk,
  monthOf,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
});
afterAll(() => world.close());

const admin = (args: readonly string[], options?: Parameters<typeof administer>[2]) =>
  administer(world.deps, args, options);

const subscription = async () =>
  (
    await company.call<{ enabled: boolean; type: string; expirationdate: string }>(
      'GET',
      '/api/GetData/GetDatosSubscripcion',
    )
  ).body;

const madridYear = () => Number(monthOf(world.deps.clock()).Ejercicio);

describe('npm run admin', () => {
  it('explains every command', async () => {
    for (const order of HELP.matchAll(/^ {2}([a-z][a-z-]*) /gm)) {
      expect((await admin([order[1] ?? '', '--nada'])).text).not.toContain('No hay ninguna orden');
    }
    expect(await admin(['otra'])).toMatchObject({ code: 1 });
    expect(await admin(['toString'])).toMatchObject({ code: 1 });
    expect((await admin(['pagos', '--nada'])).text).toContain('--help');
  });

  it.each(['despachador', 'distribuir', 'rotar-clave'])(
    'refuses a word after %s, which takes none',
    async (order) => {
      const { code, text } = await admin([order, 'todo']);
      expect(code).toBe(1);
      expect(text).toMatch(/^Sobra una palabra/);
    },
  );

  it('lists companies, and finds them by a piece of text', async () => {
    expect((await admin(['empresas', 'talleres'])).text).toMatch(/B12345674 +Talleres Prueba/);
    expect((await admin(['empresas', '%'])).text).toBe('Nada.');
  });

  it('extends, ends and changes a subscription, and the company reads this in its log', async () => {
    const extended = await admin([
      'suscripcion',
      'b12345674',
      '--hasta',
      '2031-07-31',
      '--plan',
      'annual',
    ]);
    expect(extended).toEqual({
      code: 0,
      text: 'B12345674 Talleres Prueba, S.L.: annual hasta 2031-07-31 23:59',
    });
    expect(await subscription()).toEqual({
      type: 'annual',
      enabled: true,
      expirationdate: '2031-07-31',
    });
    await admin(['suscripcion', 'B12345674', '--terminar']);
    expect(await subscription()).toMatchObject({ type: 'annual', enabled: false });
    await admin(['suscripcion', 'B12345674', '--hasta', '2031-12-31', '--plan', 'Demo']);
    expect(await subscription()).toMatchObject({ expirationdate: '2031-12-31' });
    const { body } = await company.call<{ rows: { tipo: string }[] }>(
      'GET',
      '/api/GetData/GetEventosSeguridad',
    );
    expect(body.rows.filter(({ tipo }) => tipo === 'suscripcion-cambiada')).toHaveLength(3);
  });

  it.each([
    [['suscripcion', 'B12345674', '--hasta', '2027-02-30'], 'no es una fecha'],
    [
      ['suscripcion', 'B12345674', '--hasta', '2027-03-01', '--plan', 'oro'],
      '--plan tiene que ser',
    ],
    [['suscripcion', 'B99999999', '--terminar'], 'No hay ninguna cuenta'],
    [['suscripcion'], 'Di de quién'],
    [['suscripcion', 'B12345674'], 'Di hasta cuándo'],
    [['mantenimiento'], 'Di el aviso'],
    [['pagos', '--estado', 'raro'], '--estado tiene que ser'],
    [['pagos', 'cerrar'], 'Di cuál y cómo acabó'],
    // Without quotes, only the first word would be kept as the reason, and told to the owner.
    [
      'acceso B12345674 --quitar-segundo-factor --motivo perdió el móvil'.split(' '),
      'Sobra «el». Un texto de varias palabras va entre comillas.',
    ],
    ['pagos cerrar 0001 --como devuelto --motivo lo pide'.split(' '), 'Sobra «pide»'],
    ['pagos facturado 0001 --numero F 12'.split(' '), 'Sobra «12»'],
    ['suscripcion B12345674 B87654323 --terminar'.split(' '), 'Sobra «B87654323»'],
    [['empresas', '--talleres'], 'Sobra una palabra, o una opción no existe'],
    [['correo', '--desde', '2026-01-01'], '--desde va con --reintentar'],
  ])('explains what is wrong with %j', async (args, sentence) => {
    const { code, text } = await admin(args);
    expect([code, text]).toEqual([1, expect.stringContaining(sentence)]);
  });

  it('shows the maintenance notice on the screens, and removes it', async () => {
    const seen = async () =>
      Promise.all(
        ['GetEnableMantenimiento', 'GetTextMantenimiento'].map(
          async (call) => (await company.call('GET', `/api/GetData/${call}`)).body,
        ),
      );
    await admin(['mantenimiento', 'on', 'El domingo a las 8 paramos un rato.']);
    expect(await seen()).toEqual([true, 'El domingo a las 8 paramos un rato.']);
    await admin(['mantenimiento', 'off']);
    expect(await seen()).toEqual([false, '']);
  });

  it('shows the payments that somebody has to look at', async () => {
    await insertPayment(world.sql, {
      ...payment('000000000001', 'Oconflicto01'),
      signUp: null,
    });
    await world.sql`update payments set status = 'conflict', ds_response = '0000'`;
    expect((await admin(['pagos'])).text).toMatch(
      /000000000001 +Oconflicto01 +conflict +alta +99,99/,
    );
    expect((await admin(['pagos', '--estado', 'paid'])).text).toBe('Nada.');
  });

  it('closes a payment that does not add up by hand, once, with the reason shown where it is looked for', async () => {
    await insertPayment(world.sql, {
      ...payment('000000000002', 'Odistinto002'),
      kind: 'renovacion',
      companyId: company.id,
      signUp: null,
    });
    await insertPayment(world.sql, { ...payment('000000000003', 'Odistinto003'), signUp: null });
    await world.sql`update payments set status = 'mismatch' where order_id like 'Odistinto%'`;
    const close = (...args: string[]) => admin(['pagos', 'cerrar', ...args]);

    expect((await close('000000000002', '--como', 'devuelto')).text).toContain('--motivo');
    const reason = ['--motivo', 'Cobró 9,99; devuelto en el portal el día 3'];
    expect((await close('000000000002', '--como', 'así', ...reason)).code).toBe(1);
    expect((await close('000000000009', '--como', 'devuelto', ...reason)).code).toBe(1);
    expect(await close('000000000002', '--como', 'devuelto', ...reason)).toEqual({
      code: 0,
      text: 'Pago 000000000002 cerrado: devuelto al cliente.',
    });
    expect((await close('000000000002', '--como', 'devuelto', ...reason)).text).toContain(
      'está «refunded»',
    );
    expect((await admin(['pagos', '--estado', 'refunded'])).text).toMatch(/B12345674 .*Cobró 9,99/);
    const { body: log } = await company.call<{ rows: { tipo: string; detalle: string }[] }>(
      'GET',
      '/api/GetData/GetEventosSeguridad',
    );
    expect(log.rows.filter(({ tipo }) => tipo === 'pago-cerrado')).toEqual([
      expect.objectContaining({
        detalle: 'Odistinto002: devuelto al cliente. Cobró 9,99; devuelto en el portal el día 3',
      }),
    ]);
    const state = await world.call('GET', '/api/Redsys/Estado?orderId=Odistinto002');
    expect(state.body).toMatchObject({ mensaje: expect.stringContaining('devuelto el importe') });

    // A first payment belongs to no account: somebody has to say whose it is.
    const delivered = ['000000000003', '--como', 'entregado', ...reason];
    expect((await close(...delivered)).text).toContain('--nif');
    expect((await close(...delivered, '--nif', 'b12345674')).code).toBe(0);
    expect((await admin(['pagos', '--estado', 'paid'])).text).toMatch(/Odistinto003 .*B12345674/);
    await world.sql`delete from payments where order_id like 'Odistinto%'`;
  });

  it('lists and closes by hand old payments and those that the gateway could not be asked about', async () => {
    for (const [order, id] of [
      ['000000000004', 'Ogivenup0004'],
      ['000000000005', 'Opending0005'],
    ] as const) {
      await insertPayment(world.sql, { ...payment(order, id), signUp: null });
    }
    await world.sql`
      update payments set status = 'expired', unasked_at = created_at where order_id = 'Ogivenup0004'`;
    expect((await admin(['pagos'])).text).toContain('Ogivenup0004');
    const close = (order: string) =>
      admin(['pagos', 'cerrar', order, '--como', 'no-cobrado', '--motivo', 'No está en el portal']);
    expect((await close('000000000004')).code).toBe(0);
    await world.sql`
      update payments set created_at = ${new Date(world.deps.clock().getTime() - 23 * 3_600_000)}
       where order_id = 'Opending0005'`;
    expect((await close('000000000005')).text).toContain('está «pending»');
    await world.sql`
      update payments set created_at = created_at - interval '2 hours' where order_id = 'Opending0005'`;
    expect((await close('000000000005')).code).toBe(0);
    await world.sql`delete from payments where order_id in ('Ogivenup0004', 'Opending0005')`;
  });

  it('shows the mails that were not sent, with the reason, and puts them back in the queue', async () => {
    await world.sql`
      update mail_jobs
         set failed_at = now(), not_taken_since = now(), attempts = 9, last_error = 'El servidor de correo no responde.'
       where company_id = ${company.id}`;
    expect((await admin(['correo'])).text).toMatch(/bienvenida +\S+ +9 +perdido .*no responde/);
    expect((await admin(['correo', '--reintentar', '--desde', 'ayer'])).text).toContain(
      '«ayer» no es un día',
    );
    const { text } = await admin(['correo', '--reintentar']);
    expect(text).toMatch(/Devueltos a la cola: 1[\s\S]*bienvenida +\S+ +0 +sale/);
  });

  it('destroys what is left of a closed account when its legal term is over, and nothing else', async () => {
    const closed = await world.signUp('A58818501');
    const { DocNo: No } = expectOk(await closed.register());
    const Fecha = isoDateIn(world.deps.clock(), 'Europe/Madrid');
    const cobro = { No, Fecha, Importe: 1, Medio: '01' };
    expectOk(await closed.call('POST', '/api/PostData/AnotarCobro', cobro));
    await world.sql`update companies set subscription_type = 'annual' where id = ${closed.id}`;
    await world.sql`update companies set deleted_at = ${world.deps.clock()} where id = ${closed.id}`;
    const rowsOf = async (id: number) => {
      const [row] = await world.sql<
        { cobros: number; registros: number; invoices: number; companies: number }[]
      >`
        select (select count(*)::int from cobros where company_id = ${id}) as cobros,
               (select count(*)::int from registros where company_id = ${id}) as registros,
               (select count(*)::int from invoices where company_id = ${id}) as invoices,
               (select count(*)::int from companies where id = ${id}) as companies`;
      return row;
    };
    const year = madridYear();
    const told = await admin(['destruir', '--hacer']);
    expect(told.text).toContain('Nada que destruir.');
    expect(told.text).toMatch(new RegExp(`A58818501 .* 1 +${year + 7}-01-01`));
    // Not even the owner of the database can, except by declaring that it destroys that company.
    await expect(world.sql`delete from registros where company_id = ${closed.id}`).rejects.toThrow(
      'Lo registrado no se cambia ni se borra',
    );
    const others = await rowsOf(company.id);

    const later = new Date(Date.UTC(year + 7, 0, 2));
    expect((await admin(['destruir'], { now: later })).text).toContain('ya se puede destruir');
    expect(await rowsOf(closed.id)).toMatchObject({ registros: 1, cobros: 1 });
    const { text } = await admin(['destruir', '--hacer'], { now: later });
    expect(text).toMatch(/ACTA .*A58818501 .*registros 1, invoices 1/);
    expect(await rowsOf(closed.id)).toEqual({
      cobros: 0,
      registros: 0,
      invoices: 0,
      companies: 0,
    });
    expect(await rowsOf(company.id)).toEqual(others);
  });

  it('keeps what a closed account has paid for just as long, even if it registered nothing', async () => {
    const closed = await world.signUp('A80192727');
    const now = world.deps.clock();
    await insertPayment(world.sql, {
      ...payment('000000000009', 'Opagado00001'),
      kind: 'renovacion',
      companyId: closed.id,
      signUp: null,
    });
    await world.sql`
      update payments set status = 'paid', settled_at = ${now} where ds_order = '000000000009'`;
    await world.sql`update companies set deleted_at = ${now} where id = ${closed.id}`;
    const { text } = await admin(['destruir']);
    expect(text).toMatch(new RegExp(`A80192727 .* 0 +${madridYear() + 7}-01-01`));
    const later = new Date(Date.UTC(madridYear() + 7, 0, 2));
    expect((await admin(['destruir', '--hacer'], { now: later })).text).toMatch(/ACTA .*A80192727/);
  });

  it('shows what waits for the AEAT', async () => {
    expect((await company.register()).status).toBe(200);
    expect((await admin(['despachador'])).text).toMatch(/B12345674 +1 +0 +\S+ \S+ +ya/);
    const { sql } = world;
    await sql`update despachos set rechazados = 1 where company_id = ${company.id}`;
    expect((await admin(['despachador'])).text).toMatch(/B12345674 +1 +1 .* cuando corrija /);
    await sql`update despachos set rechazados = 0, detenido_at = now() where company_id = ${company.id}`;
    expect((await admin(['despachador'])).text).toMatch(/B12345674 +1 +0 .* cuando lo arregle /);
    await sql`update despachos set detenido_at = null where company_id = ${company.id}`;
    await sql`
      update cadenas set reconcile_required_at = now(), reconcile_reason = 'copia'
       where company_id = ${company.id}`;
    expect((await admin(['despachador'])).text).toMatch(/B12345674 +1 +0 .* cuando concilie /);
    await sql`
      update cadenas set reconcile_required_at = null, reconcile_reason = 'falta'
       where company_id = ${company.id}`;
  });

  it('leaves returned mail with the mail server while MAIL_REBOTES is missing', async () => {
    const { code, text } = await admin(['rebote']);
    expect([code, text]).toEqual([75, expect.stringContaining('Falta MAIL_REBOTES')]);
  });

  it('stops every company until it has been compared with the AEAT from a given day on', async () => {
    expect(await admin(['conciliar'])).toMatchObject({ code: 1 });
    expect(await admin(['conciliar', '--desde', '2999-01-01'])).toMatchObject({ code: 1 });
    const { code, text } = await admin(['conciliar', '--desde', `${madridYear()}-01-01`]);
    expect({ code, text }).toMatchObject({
      code: 0,
      text: expect.stringContaining('los meses que puedan faltar no se registra en 1 empresa.'),
    });
    const refused = await company.register();
    expect(refused.status).toBe(403);
    const chore = () =>
      reconcileStopped(world.deps, world.consultarAeat, AbortSignal.timeout(60_000));
    // In January, the months up to the end of next year are more than one round asks for.
    expect((await chore()) + (await chore())).toBe(1);
    expect((await company.register()).status).toBe(200);
  });
});

let alone: World['sql'];
beforeAll(() => {
  // It connects under another program name, so that this process's own pool is not taken for a running server.
  const { host, port, user, pass, database } = world.sql.options as unknown as Record<
    string,
    string
  >;
  alone = openDatabase({
    url: `postgres://${user}:${encodeURIComponent(String(pass))}@${host}:${port}/${database}?max=1`,
  });
});
afterAll(() => alone.end());

/** Runs something with the product's pool disconnected, as when Huella is stopped. */
async function quietly<T>(run: () => Promise<T>): Promise<T> {
  await world.deps.news.close(); // Stopped as Huella is: otherwise it would ask for a connection a tenth of a second later.
  await untilTrue(
    async () => {
      // Repeated each time: a connection that was just being opened is not in the list yet.
      await alone`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`;
      return countOtherConnections(alone);
    },
    (count) => count === 0,
  );
  return run();
}

describe('npm run admin -- rotar-clave', () => {
  const newKey = randomBytes(32).toString('base64');
  const configWith = (key: string) => ({
    ...world.deps.config,
    claveMaestra: Buffer.from(key, 'base64'),
  });
  const opens = async (key: string) =>
    openCertificate({ sql: world.sql, config: configWith(key) }, company.id).then(
      (certificate) => certificate?.nif,
      (error: Error) => (error instanceof SealBroken ? error.name : Promise.reject(error)),
    );
  it('is refused while Huella runs on that database', async () => {
    await alone`select 1`;
    const { code, text } = await admin(['rotar-clave'], { newKey });
    expect([code, text]).toEqual([1, expect.stringContaining('Huella está en marcha')]);
  });

  it('seals everything again, goes on after an interruption, and leaves nothing that the old key opens', async () => {
    const second = await world.signUp('B76543214');
    const { config } = world.deps;
    const before = config.claveMaestra.toString('base64');
    const pending = { email: 'a@ejemplo.es' } as Parameters<typeof sealPending>[2];
    const signUp = sealPending(config, '000000000002', pending);
    await insertPayment(world.sql, { ...payment('000000000002', 'Opendiente01'), signUp });
    await quietly(async () => {
      const short = await admin(['rotar-clave'], { newKey: 'corta', sql: alone });
      expect(short.text).toContain('32 bytes en base64');
      // Interrupted half way: one company is still under the old key, with an envelope that does not open.
      await alone`update certificates set sealed_key = sealed_key || 'x' where company_id = ${second.id}`;
      const broken = await admin(['rotar-clave'], { newKey, sql: alone, isKeyGiven: true });
      expect(broken).toMatchObject({ code: 1 });
      await alone`
        update certificates set sealed_key = substr(sealed_key, 1, length(sealed_key) - 1)
         where company_id = ${second.id}`;
      expect(await admin(['rotar-clave'], { newKey, sql: alone, isKeyGiven: true })).toEqual({
        code: 0,
        text: expect.stringContaining(
          'Vueltos a sellar: 1 certificados, 0 segundos factores, 0 altas',
        ),
      });
    });
    expect(await opens(newKey)).toBe('B12345674');
    expect(await opens(before)).toBe('SealBroken');
    const [row] = await world.sql<{ sign_up: Buffer }[]>`
      select sign_up from payments where ds_order = '000000000002'`;
    expect(
      openPending(configWith(newKey), { dsOrder: '000000000002', signUp: row?.sign_up as Buffer }),
    ).toEqual(pending);
    // Changed back, so that the other tests of this world keep their key.
    const back = { ...world.deps.config, claveMaestra: Buffer.from(newKey, 'base64') };
    await quietly(() =>
      admin(['rotar-clave'], { sql: alone, config: back, newKey: before, isKeyGiven: true }),
    );
    expect(await opens(before)).toBe('B12345674');
  });

  it('generates the new key if the current one was generated, and puts it in its place', async () => {
    const { dataDir } = world.deps.config;
    const file = join(dataDir, 'claves', 'clave-maestra');
    const before = readFileSync(file, 'utf8').trim();
    const make = () => randomBytes(32).toString('base64');
    // An interrupted change had already made its key, so it goes on with that one.
    const made = nextSecret(dataDir, 'clave-maestra', make);
    await quietly(async () => {
      expect(await admin(['rotar-clave'], { sql: alone })).toMatchObject({ code: 0 });
    });
    expect(readFileSync(file, 'utf8').trim()).toBe(made);
    expect(made).not.toBe(before);
    expect(await opens(made)).toBe('B12345674');
    // Another one wrote only half of its key, under which there is nothing.
    nextSecret(dataDir, 'clave-maestra', () => make().slice(0, 20));
    const config = { ...world.deps.config, claveMaestra: Buffer.from(made, 'base64') };
    await quietly(async () => {
      expect(await admin(['rotar-clave'], { sql: alone, config })).toMatchObject({ code: 0 });
    });
    const last = readFileSync(file, 'utf8').trim();
    expect(await opens(last)).toBe('B12345674');
    // Half of a key under which something may be is left where it is.
    nextSecret(dataDir, 'clave-maestra', () => make().slice(0, 20));
    await quietly(async () => {
      expect(await admin(['rotar-clave'], { sql: alone, config })).toMatchObject({
        code: 1,
        text: expect.stringContaining('clave-maestra.nueva está incompleta'),
      });
    });
    expect(readFileSync(file, 'utf8').trim()).toBe(last);
  });
});

function payment(dsOrder: string, orderId: string) {
  return {
    dsOrder,
    orderId,
    kind: 'alta',
    companyId: null,
    plan: 'annual',
    amountCents: 9999n,
    createdAt: new Date(),
  } as const;
}

describe('npm run admin -- distribuir', () => {
  it('is refused while Huella runs on that database', async () => {
    await alone`select 1`;
    const { code, text } = await admin(['distribuir']);
    expect([code, text]).toEqual([1, expect.stringContaining('Huella está en marcha')]);
    await quietly(async () => {
      expect((await admin(['distribuir'], { sql: alone })).text).toContain('extensión citus');
    });
  });
});

describe('npm run admin -- clave-perdida', () => {
  const count = async (table: string) =>
    (await alone`select 1 from ${alone(table)} where company_id = ${company.id}`).length;
  const ALL =
    '1 certificado, 1 verificación en dos pasos, 1 conexión con Business Central, 1 alta en curso';

  beforeAll(async () => {
    await world.sql`
      insert into second_factors (company_id, kek_id, sealed_key, sealed, created_at, confirmed_at)
      values (${company.id}, 'otra', '', '', now(), now())`;
    const { status } = await company.call(
      'POST',
      '/api/PostData/SetBusinessCentral',
      BUSINESS_CENTRAL_SETTINGS,
    );
    expect(status).toBe(200);
    await world.sql`delete from certificates where company_id <> ${company.id}`;
    await world.sql`update certificates set kek_id = 'otra'`;
    await world.sql`update bc_connections set kek_id = 'otra'`;
    // Left by the previous test, sealed with a key that was in use for a while.
    await world.sql`delete from payments where sign_up is not null`;
    const signUp = randomBytes(60);
    await insertPayment(world.sql, { ...payment('000000000003', 'Opendiente02'), signUp });
  });

  it('lists what the key does not open, and forgets nothing while Huella runs', async () => {
    const told = (await admin(['clave-perdida'])).text;
    expect(told).toContain(`no abre: ${ALL}.`);
    expect(told).toContain('ENTRAN SOLO CON LA CONTRASEÑA');
    const running = await admin(['clave-perdida', '--hacer']);
    expect(running).toMatchObject({ code: 1, text: expect.stringContaining('está en marcha') });
    expect(await count('certificates')).toBe(1);
  });

  it('is refused without the key that Huella works with', async () => {
    await quietly(async () => {
      for (const args of [['clave-perdida'], ['clave-perdida', '--hacer']]) {
        const refused = await admin(args, { sql: alone, isKeyMissing: true });
        expect(refused).toMatchObject({ code: 1, text: expect.stringContaining('Aquí no está') });
      }
    });
    expect(await count('certificates')).toBe(1);
  });

  it('forgets all of it, and tells the companies whose data it was', async () => {
    await quietly(async () => {
      const done = await admin(['clave-perdida', '--hacer'], { sql: alone });
      expect(done).toMatchObject({ code: 0, text: expect.stringContaining(`Borrado: ${ALL}.`) });
      for (const table of ['certificates', 'second_factors', 'bc_connections']) {
        expect(await count(table), table).toBe(0);
      }
      expect(await alone`select 1 from payments where sign_up is not null`).toEqual([]);
      const again = await admin(['clave-perdida', '--hacer'], { sql: alone });
      expect(again.text).toContain('no hay nada que hacer');
    });
    const told = await alone`
      select recipient, payload->>'change' as change from mail_jobs where kind = 'segundo-factor'`;
    expect(told).toMatchObject([{ recipient: expect.stringContaining('@'), change: 'perdido' }]);
    const events = await alone`
      select kind, detail from security_events where company_id = ${company.id}
       order by id desc limit 3`;
    expect(events.map(({ kind }) => kind).reverse()).toEqual([
      'certificado-perdido',
      'segundo-factor-perdido',
      'business-central-desconectada',
    ]);
    expect(events[0]?.detail).toContain('se perdió la clave');
  });
});
