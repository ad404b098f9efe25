import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InvoiceDraft, type SetFacturasAnswer } from '../../src/contract/invoices.ts';
import { addDays, fechaEs } from '../../src/domain/dates.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import { lockCadena } from '../../src/store/cadenas.ts';
import { startInstallation } from '../../src/store/installations.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import {
  draftOf,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
  yearOf,
} from '../support/world.ts';

let world: World;
let company: TestCompany;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp('B12345674');
  // A demo may register 200 invoices; these tests need more.
  await world.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
});
afterAll(() => world.close());

interface ChainRow {
  seq: bigint;
  num_serie_factura: string;
  huella: string;
  huella_anterior: string;
  generated_at: Date;
}

/** Checks every number and every link, in order of generation. */
async function expectWholeCadena(length: number): Promise<void> {
  const cadena = await cadenaOf(company.id);
  expect(cadena).toHaveLength(length);
  cadena.forEach((row, index) => {
    expect(Number(row.seq)).toBe(index + 1);
    expect(Number.parseInt(row.num_serie_factura, 10)).toBe(index + 1);
    expect(row.huella_anterior).toBe(cadena[index - 1]?.huella ?? '');
    expect(row.generated_at >= (cadena[index - 1]?.generated_at ?? new Date(0))).toBe(true);
  });
}

async function cadenaOf(companyId: number): Promise<ChainRow[]> {
  return world.sql<ChainRow[]>`
    select seq, num_serie_factura, huella, huella_anterior, generated_at
      from registros where company_id = ${companyId} order by seq`;
}

describe('registering', () => {
  it('takes the next number, links the registro, and answers with its huella and QR', async () => {
    const year = yearOf(world.deps.clock());
    const answer = expectOk(await company.register());
    expect(answer).toMatchObject({
      DocNo: `00001/${year}`,
      Status: 'En espera',
      Huella: expect.stringMatching(/^[0-9A-F]{64}$/),
      qr: expect.stringContaining(`nif=B12345674&numserie=00001%2F${year}&fecha=`),
    });
    const second = expectOk(await company.register());
    expect(second.DocNo).toBe(`00002/${year}`);
    const [first, next] = await cadenaOf(company.id);
    expect(first?.huella_anterior).toBe('');
    expect(next?.huella_anterior).toBe(first?.huella);
  });

  it('leaves neither gaps nor repeated numbers with 50 at once, and one successor per registro', async () => {
    const before = (await cadenaOf(company.id)).length;
    const answers = await Promise.all(Array.from({ length: 50 }, () => company.register()));
    const numbers = answers.map((answer) => expectOk(answer).DocNo);
    expect(new Set(numbers).size).toBe(50);

    await expectWholeCadena(before + 50);
  });

  it('keeps one cadena when several processes register for one company at once', async () => {
    const before = (await cadenaOf(company.id)).length;
    const request = {
      draft: InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock())),
      sendsToCustomer: false,
    };
    // Bypasses this process's queue, which would join them: each call is a transaction of its own.
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => registerInvoices(world.deps, company.id, [request])),
    );
    expect(outcomes.flat().every((outcome) => outcome.kind === 'registered')).toBe(true);
    await expectWholeCadena(before + 50);
  });

  it('goes on when the database cuts the connections in the middle', async () => {
    const { sql } = world;
    for (let round = 0; round < 3; round++) {
      const answers = Promise.allSettled(Array.from({ length: 8 }, () => company.register()));
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`.catch(() => undefined);
      await answers;
    }
    // Calls under way fail, and no connection of the pool stays unusable.
    const request = {
      draft: InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock())),
      sendsToCustomer: false,
    };
    await untilTrue(
      () =>
        Promise.allSettled(
          Array.from({ length: 40 }, () => registerInvoices(world.deps, company.id, [request])),
        ),
      (results) => results.every(({ status }) => status === 'fulfilled'),
    );
    const cadena = await cadenaOf(company.id);
    await expectWholeCadena(cadena.length);
    const [row] = await sql<{ invoices: number }[]>`
      select count(*)::int as invoices from invoices
       where company_id = ${company.id} and registered_at is not null`;
    expect(row?.invoices).toBe(cadena.length);
  }, 120_000);

  it('frees the key of a refused invoice although its neighbour was registered', async () => {
    const bad = { notas: 'mala', invoiceItems: [] };
    const [, refused] = await Promise.all([
      company.register(),
      company.register(bad, 'clave-mala'),
      company.register(),
    ]);
    expect(refused?.status).toBe(400);
    expect((await company.register(bad, 'clave-mala')).status).toBe(400);
    expect((await company.register({ notas: 'ya buena' }, 'clave-mala')).status).toBe(200);
  });

  it('leaves the key of a call under way to that call, although its neighbour was registered', async () => {
    const key = 'de-una-que-no-ha-acabado';
    await world.sql`
      insert into idempotency_keys (company_id, key, request_hash, created_at)
      values (${company.id}, ${key}, 'la-suya', ${world.deps.clock()})`;
    const request = {
      draft: InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock())),
      sendsToCustomer: false,
    };
    const outcomes = await registerInvoices(world.deps, company.id, [
      { ...request, idempotency: { key, requestHash: 'la-suya' } },
      request,
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'refused', error: { code: 'IN_PROGRESS' } },
      { kind: 'registered' },
    ]);
    const kept = await world.sql`select 1 from idempotency_keys where key = ${key}`;
    expect(kept).toHaveLength(1);
  });

  it('cuts a long description between characters, not inside one', async () => {
    const description = `${'a'.repeat(499)}🧾 y más`;
    const items = [{ description, quantity: '1', price: '1', tax: 'IVA21' }];
    expectOk(await company.register({ invoiceItems: items }));
  });

  it('stores a text with the characters that separate columns unchanged and in its place', async () => {
    const description = 'uno\u0001dos\u0002tres';
    const items = [{ description, quantity: '1', price: '1', tax: 'IVA21' }];
    const answers = await Promise.all([
      company.register(),
      company.register({ invoiceItems: items }),
      company.register(),
    ]);
    const numbers = answers.map((answer) => expectOk(answer).DocNo);
    const rows = await world.sql<{ kept: string; issued: string; xml: string }[]>`
      select d.draft -> 'invoiceItems' -> 0 ->> 'description' as kept,
             r.issued -> 'lines' -> 0 ->> 'description' as issued, r.xml
        from registros r
        join invoice_documents d on d.company_id = r.company_id and d.invoice_id = r.invoice_id
       where r.company_id = ${company.id} and r.num_serie_factura = any(${numbers}::text[])`;
    expect(
      rows.filter(({ kept, issued }) => kept === description && issued === description),
    ).toEqual([expect.objectContaining({ xml: expect.stringContaining('unodostres') })]);
    expect(rows).toHaveLength(3);
  });

  it('answers a repeated Idempotency-Key like the first time, even simultaneously', async () => {
    const before = (await cadenaOf(company.id)).length;
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => company.register({}, 'la-misma-clave')),
    );
    const again = await company.register({}, 'la-misma-clave');
    const numbers = [...answers, again].map((answer) => expectOk(answer).DocNo);
    expect(new Set(numbers).size).toBe(1);
    expect(await cadenaOf(company.id)).toHaveLength(before + 1);
  });

  it('with an Idempotency-Key waits for an installation that is being started, and then registers', async () => {
    const before = (await cadenaOf(company.id)).length;
    const answer = await world.sql.begin(async (tx) => {
      await lockCadena(tx, company.id);
      const registering = company.register({}, 'junto-a-otra-instalación');
      await untilWaiting(world.sql, 1);
      const now = world.deps.clock();
      await startInstallation(tx, company.id, { numero: 'OTRA-INSTALACION', now });
      return { registering };
    });
    expectOk(await answer.registering);
    expect(await cadenaOf(company.id)).toHaveLength(before + 1);
    await expect(
      world.sql`insert into companies select (jsonb_populate_record(c, ${{ id: 900_000, nif: 'X', email: 'x' }})).* from companies c`,
    ).rejects.toThrow('companies_numero_instalacion');
  });

  it('is tried again after a deadlock with another transaction, and after a second one', async () => {
    const before = (await cadenaOf(company.id)).length;
    await world.sql.unsafe(`
      create sequence attempts;
      grant usage on sequence attempts to public;
      create function stand_still() returns trigger language plpgsql as $$
      begin
        if nextval('attempts') = 2 then raise deadlock_detected; end if;
        perform pg_advisory_xact_lock_shared(270);
        return null;
      end $$;
      create trigger z_stand_still after insert on idempotency_keys
        for each row execute function stand_still()`);
    const gate = await world.sql.reserve();
    await gate`select pg_advisory_lock(270)`;
    const answer = await world.sql.begin(async (tx) => {
      await tx`set local deadlock_timeout = '1h'`; // The other transaction detects the deadlock.
      await lockCadena(tx, company.id);
      const registering = company.register({}, 'en-un-abrazo');
      await untilWaiting(world.sql, 1);
      const locked = tx`select from companies where id = ${company.id} for update`.execute();
      await untilWaiting(world.sql, 2);
      await gate`select pg_advisory_unlock(270)`;
      await locked;
      return { registering };
    });
    gate.release();
    expectOk(await answer.registering);
    const [made] = await world.sql<
      { attempts: bigint }[]
    >`select last_value as attempts from attempts`;
    expect(Number(made?.attempts)).toBe(3);
    await world.sql`drop function stand_still cascade`;
    await world.sql`drop sequence attempts`;
    expect(await cadenaOf(company.id)).toHaveLength(before + 1);
  });

  it('refuses a reused Idempotency-Key with different content', async () => {
    expectOk(await company.register({ notas: 'una' }, 'otra-clave'));
    const other = await company.register({ notas: 'otra' }, 'otra-clave');
    expect(other.status).toBe(409);
  });

  it('keeps the answer under an Idempotency-Key that is used at once with different content', async () => {
    const register = (notas: string) => company.register({ notas }, 'clave-doble');
    const [one, other] = await Promise.all([register('una'), register('otra')]);
    expect([one.status, other.status].toSorted()).toEqual([200, 409]);
    const again = await register(one.status === 200 ? 'una' : 'otra');
    expect(expectOk(again)).toEqual(expectOk(one.status === 200 ? one : other));
  });

  it('registers a saved draft once, however often the button is pressed', async () => {
    const draft = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        invoiceDate: today(),
        invoiceClient: company.customerNo,
        invoiceItems: [{ description: 'Pieza', quantity: '2', price: '10,5', tax: 'IVA21' }],
        accionFactura: 0,
      }),
    );
    expect(draft.DocNo).toMatch(/^B-\d+$/);
    const body = {
      invoiceItems: [{ description: 'Pieza', quantity: '2', price: '10,5', tax: 'IVA21' }],
    };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => company.register({ ...body, draftNo: draft.DocNo })),
    );
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect(
      answers.filter((answer) => answer.status !== 200).every((a) => [404, 409].includes(a.status)),
    ).toBe(true);
  });

  it('does not register a draft with a form that was opened before somebody else saved it', async () => {
    const save = (changes: object) =>
      company
        .call<SetFacturasAnswer>('POST', '/api/PostData/SetFacturas', {
          ...draftOf(company.customerNo, world.deps.clock()),
          ...changes,
          accionFactura: 0,
        })
        .then(expectOk);
    const { DocNo: draftNo, version } = await save({});
    const later = await save({ draftNo, version, notas: 'la de otra persona' });
    const stale = await company.register({ draftNo, version, notas: 'la mía' });
    expect(stale.status).toBe(409);
    expect(stale.body).toMatchObject({ message: expect.stringContaining('ha cambiado') });
    expectOk(await company.register({ draftNo, version: later.version }));
  });

  it('gives each invoice its own identifier when drafts and new ones share a transaction', async () => {
    const draft = InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock()));
    const saved = await Promise.all(
      ['una', 'otra'].map((notas) =>
        company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
          ...draftOf(company.customerNo, world.deps.clock()),
          notas,
          accionFactura: 0,
        }),
      ),
    );
    const outcomes = await registerInvoices(world.deps, company.id, [
      ...saved.map((answer) => ({
        draft,
        draftNo: expectOk(answer).DocNo,
        sendsToCustomer: false,
      })),
      { draft, sendsToCustomer: false },
      { draft, sendsToCustomer: false },
    ]);
    const numbers = outcomes.map((one) => (one.kind === 'registered' ? one.answer.DocNo : one));
    const rows = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices
       where company_id = ${company.id} and id > 0 and doc_no = any(${numbers.map(String)}::text[])
       order by seq`;
    expect(rows.map((row) => row.doc_no)).toEqual(numbers);
  });

  it('leaves out an invoice that may not be registered, without affecting its neighbours', async () => {
    const before = (await cadenaOf(company.id)).length;
    const [good, bad, alsoGood] = await Promise.all([
      company.register(),
      company.register({ invoiceItems: [] }),
      company.register(),
    ]);
    expect(good?.status).toBe(200);
    expect(bad?.status).toBe(400);
    expect(alsoGood?.status).toBe(200);
    expect(await cadenaOf(company.id)).toHaveLength(before + 2);
  });

  it('goes on with the same installation and cadena in a new version of the program', async () => {
    const other = await world.signUp('B98765431');
    expectOk(await other.register());
    const { config } = world.deps;
    const { sistemaInformatico } = config;
    try {
      Object.assign(config, { sistemaInformatico: { ...sistemaInformatico, Version: '99.0.0' } });
      expectOk(await other.register());
    } finally {
      Object.assign(config, { sistemaInformatico });
    }
    const [before = '', after = ''] = (
      await world.sql<{ xml: string }[]>`
        select xml from registros where company_id = ${other.id} order by seq`
    ).map(({ xml }) => xml);
    const fieldOf = (xml: string, name: string) =>
      new RegExp(`<sum1:${name}>([^<]*)<`).exec(xml)?.[1];
    expect(fieldOf(after, 'Version')).toBe('99.0.0');
    expect(fieldOf(before, 'Version')).not.toBe('99.0.0');
    expect(fieldOf(after, 'NumeroInstalacion')).toBe(fieldOf(before, 'NumeroInstalacion'));
    expect(after).toContain('<sum1:RegistroAnterior>');
    expect(after).not.toContain('PrimerRegistro');
  });

  it('uses a separate series for simplified invoices', async () => {
    const answer = expectOk(await company.register({ isSimplificada: true, invoiceType: 1 }));
    expect(answer.DocNo).toMatch(/^00001\/\d\dS$/);
  });

  it('makes the database itself refuse to change or delete what is registered', async () => {
    const { sql } = world;
    await expect(
      sql`update registros set xml = '' where company_id = ${company.id}`,
    ).rejects.toThrow(/art\. 8/);
    await expect(sql`delete from registros where company_id = ${company.id}`).rejects.toThrow(
      /art\. 8/,
    );
    await expect(
      sql`update invoices set total = 1 where company_id = ${company.id} and registered_at is not null`,
    ).rejects.toThrow(/art\. 8/);
    await expect(
      sql`update invoices set doc_no = 'X' || doc_no where company_id = ${company.id} and registered_at is not null`,
    ).rejects.toThrow(/art\. 8/);
    await expect(
      sql`delete from invoices where company_id = ${company.id} and registered_at is not null`,
    ).rejects.toThrow(/art\. 8/);
  });

  it('shows each invoice in the history once the AEAT has accepted it', async () => {
    const dispatcher = world.startDispatcher();
    const total = (await cadenaOf(company.id)).length;
    await untilTrue(
      () => world.held(company.nif),
      (held) => held.length === total && held.every((h) => h.EstadoRegistro === 'Correcto'),
    );
    await untilTrue(
      () => company.call<unknown[]>('GET', '/api/GetData/GetInvoices').then(expectOk),
      (rows) => rows.length === total,
    );
    await dispatcher.stop();
  });
});

it('stores the answer of sending and of annulling in the same transaction as their changes', async () => {
  const own = await world.signUp('A46103834');
  const { DocNo: No } = expectOk(await own.register());
  const dispatcher = world.startDispatcher();
  await untilTrue(
    () => world.sql`select 1 from respuestas where company_id = ${own.id}`,
    (answers) => answers.length > 0,
  );
  await dispatcher.stop();
  const calls = [
    { call: 'EnviarFactura', table: 'mail_jobs', body: { No, Email: 'otra@ejemplo.es' } },
    { call: 'AnularFactura', table: 'registros', body: { No, motivo: 'prueba' } },
  ];
  for (const { call, table, body } of calls) {
    const ask = () => own.call<object>('POST', `/api/PostData/${call}`, body, call);
    const first = expectOk(await ask());
    const rows = await world.sql`
      select (select xmin::text from idempotency_keys
               where company_id = ${own.id} and key = ${call}) as kept, xmin::text as made
        from ${world.sql(table)} where company_id = ${own.id} order by xmin::text::bigint desc limit 1`;
    expect([call, rows[0]?.kept]).toEqual([call, rows[0]?.made]);
    expect(expectOk(await ask())).toEqual(first);
  }
});

it('numbers follow the order of the dates, within a transaction and from one to the next', async () => {
  const other = await world.signUp('A80192727');
  const day = addDays(today(), -3);
  const register = async (days: readonly number[], changes = {}) => {
    const requests = days.map((later) => ({
      draft: InvoiceDraft.parse({
        ...draftOf(other.customerNo, world.deps.clock()),
        invoiceDate: addDays(day, later),
        ...changes,
      }),
      sendsToCustomer: false,
    }));
    const outcomes = await registerInvoices(world.deps, other.id, requests);
    return outcomes.map((one) => (one.kind === 'refused' ? one.error.sentences : 'registered'));
  };
  const late = [
    expect.stringMatching(`^La última factura de esta serie es del ${fechaEs(addDays(day, 2))}`),
  ];
  expect(await register([0, 2, 1, 2])).toEqual(['registered', 'registered', late, 'registered']);
  expect(await register([1])).toEqual([late]);
  expect(await register([2])).toEqual(['registered']);
  // Simplified ones have a series of their own.
  expect(await register([1], { isSimplificada: true, invoiceClient: '' })).toEqual(['registered']);
});

it('nothing is generated before what it follows, although that was dated by a clock a little ahead', async () => {
  const other = await world.signUp();
  const [first = ''] = await other.registerMany(1);
  await other.sendAll();
  world.advanceClock(50);
  await other.registerMany(1);
  world.advanceClock(-50);
  await other.registerMany(1);
  expectOk(await other.annul(first));
  const cadena = await cadenaOf(other.id);
  expect(cadena.map(({ seq }) => Number(seq))).toEqual([1, 2, 3, 4]);
  const times = cadena.map((row) => row.generated_at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it('a correction keeps its date although later ones were numbered since, and takes no series back to it', async () => {
  const other = await world.signUp();
  const invoiceDate = addDays(today(), -3);
  const { DocNo } = expectOk(await other.register({ invoiceDate }));
  await world.behave({ aceptarConErrores: { [DocNo]: 2005 } });
  await other.sendAll();
  await world.behave({ aceptarConErrores: { [DocNo]: 0 } });
  expectOk(await other.register());
  const corrected = await other.register({ invoiceDate, notas: 'corregida', draftNo: DocNo });
  expect(expectOk(corrected).DocNo).toBe(DocNo);
  expect((await other.register({ invoiceDate })).body).toMatchObject({
    message: [expect.stringMatching(/^La última factura de esta serie es del/)],
  });
});

it('a correction of an accepted invoice lets nothing pass behind a refused one', async () => {
  const other = await world.signUp();
  const [held, refused] = (await other.registerMany(2)) as [string, string];
  await world.behave({ aceptarConErrores: { [held]: 2005 }, rechazar: { [refused]: 1100 } });
  await other.sendAll();
  await world.behave({ aceptarConErrores: { [held]: 0 }, rechazar: { [refused]: 0 } });
  const rechazados = async () => {
    const [row] = await world.sql<{ rechazados: number }[]>`
      select rechazados from despachos where company_id = ${other.id}`;
    return row?.rechazados;
  };
  expectOk(await other.register({ draftNo: held, notas: 'corregida' }));
  expect(await rechazados()).toBe(1);
  expectOk(await other.register({ draftNo: refused }));
  expect(await rechazados()).toBe(0);
});

it('a demo registers two hundred invoices and no more, whatever it has corrected or corrects', async () => {
  const demo = await world.signUp('A58818501');
  const draft = InvoiceDraft.parse(draftOf(demo.customerNo, world.deps.clock()));
  const registerMany = async (count: number) => {
    const requests = Array.from({ length: count }, () => ({ draft, sendsToCustomer: false }));
    const outcomes = await registerInvoices(world.deps, demo.id, requests);
    return outcomes.map(({ kind }) => kind);
  };
  const [first, second] = [await demo.register(), await demo.register()].map(
    (answer) => expectOk(answer).DocNo,
  ) as [string, string];
  await world.behave({ aceptarConErrores: { [first]: 2005, [second]: 2005 } });
  await demo.sendAll();
  await world.behave({ aceptarConErrores: { [first]: 0, [second]: 0 } });
  // Two registros of one invoice: there are more registros than invoices.
  expectOk(await demo.register({ draftNo: first }));
  expect(await registerMany(100)).not.toContain('refused');
  expect(await registerMany(97)).not.toContain('refused');

  expect(await registerMany(3)).toEqual(['registered', 'refused', 'refused']);
  const refused = await demo.register();
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(/^La suscripción Demo admite 200 facturas registradas/),
  });
  expectOk(await demo.register({ draftNo: second }));
  expect(await cadenaOf(demo.id)).toHaveLength(202);
});

function today(): string {
  return new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
}
