import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Importacion, ImportExcelAnswer, RegistrarTodas } from '../../src/contract/imports.ts';
import { carryRun, resumeRuns } from '../../src/operations/register-all.ts';
import { findCustomer } from '../../src/store/customers.ts';
import { endImportRun, writeCustomers, writeProducts } from '../../src/store/imports.ts';
import { openRun, saveFailures } from '../../src/store/register-all-runs.ts';
import { fillTemplate, line } from '../support/fill-template.ts';
import { randomCompanyNif } from '../support/random-nif.ts';
import { eventually } from '../support/wait.ts';
import { expectOk, openWorld, type TestCompany, untilTrue, type World } from '../support/world.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** A company with drafts from an imported file, out of order: the last one of the file is the oldest. */
async function withDrafts(nif: string, count: number): Promise<TestCompany> {
  const company = await world.signUp(nif);
  await importDrafts(company, count);
  return company;
}

async function importDrafts(company: TestCompany, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => {
    const day = String(28 - (index % 28)).padStart(2, '0');
    return line(`R-${index}`, 'A58818501', { fecha: `${day}/01/2026` });
  });
  const file = await fillTemplate({ Facturas: rows });
  const preview = expectOk(
    await company.call<ImportExcelAnswer>('POST', '/api/PostData/ImportExcel', {
      File: file.toString('base64'),
    }),
  );
  const { facturas } = preview;
  expectOk(await company.call('POST', '/api/PostData/SaveData', { Facturas: facturas }));
}

const start = (company: TestCompany, Nos?: readonly string[]) =>
  Nos
    ? company.call<RegistrarTodas>('POST', '/api/PostData/RegistrarBorradores', { Nos })
    : company.call<RegistrarTodas>('POST', '/api/PostData/RegistrarTodas');

const progress = (company: TestCompany) =>
  company.call<RegistrarTodas>('GET', '/api/GetData/GetRegistrarTodas').then(expectOk);

/** The days of what a run registered, as they are in the history. */
async function daysOf(company: TestCompany) {
  const [days] = await world.sql<{ desde: string; hasta: string }[]>`
    select min(posting_date) as desde, max(posting_date) as hasta
      from invoices where company_id = ${company.id} and registered_at is not null`;
  return days;
}

const ended = (company: TestCompany) =>
  untilTrue(
    () => progress(company),
    ({ estado }) => !/en-marcha|parando/.test(estado),
  );

interface CadenaRow {
  num_serie_factura: string;
  invoice_id: bigint;
  posting_date: string;
}

const cadenaOf = ({ id }: TestCompany) => world.sql<CadenaRow[]>`
  select r.num_serie_factura, r.invoice_id, i.posting_date
    from registros r
    join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
   where r.company_id = ${id} order by r.seq`;

/** Checks that each draft was registered once, in order of date and without gaps in the numbers. */
async function assertWellRegistered(company: TestCompany, count: number): Promise<void> {
  const cadena = await cadenaOf(company);
  expect(cadena).toHaveLength(count);
  expect(new Set(cadena.map(({ invoice_id }) => invoice_id)).size).toBe(count);
  cadena.forEach(({ num_serie_factura }, index) => {
    expect(Number.parseInt(num_serie_factura, 10)).toBe(index + 1);
  });
  const dates = cadena.map(({ posting_date }) => posting_date);
  expect(dates).toEqual(dates.toSorted());
}

/** Gives a draft a date before all others. */
const bringBack = (company: TestCompany, id: bigint) => world.sql`
  with document as (
    update invoice_documents set draft = jsonb_set(draft, '{invoiceDate}', '"2025-12-01"')
     where company_id = ${company.id} and invoice_id = ${String(id)})
  update invoices set posting_date = '2025-12-01'
   where company_id = ${company.id} and id = ${String(id)}`;

describe('registering all drafts', () => {
  it('registers them in order of date, in batches, and reports its progress', async () => {
    const company = await withDrafts('B12345674', 130);
    expect(expectOk(await start(company))).toMatchObject({ total: 130, borradores: 130 });
    expect(await ended(company)).toMatchObject({
      estado: 'terminada',
      registradas: 130,
      fallidas: 0,
      fallos: [],
      borradores: 0,
    });
    await assertWellRegistered(company, 130);
  });

  it('is one run when started twice at once, and registers nothing twice', async () => {
    const company = await withDrafts('A28599033', 40);
    const answers = await Promise.all([start(company), start(company), start(company)]);
    for (const answer of answers) expect(expectOk(answer).total).toBe(40);
    expect((await ended(company)).registradas).toBe(40);
    await assertWellRegistered(company, 40);
  });

  it('goes on after a crash from where it was, whichever process runs it', async () => {
    const company = await withDrafts('A08001851', 150);
    // What a process leaves that dies after its first batch: a lease that will run out, and no record of the end.
    await openRun(world.sql, company.id, world.deps.clock());
    const crashing = {
      ...world.deps,
      wakeDispatcher: () => {
        throw new Error('killed');
      },
    };
    await expect(carryRun(crashing, company.id)).rejects.toThrow('killed');
    expect(await cadenaOf(company)).toHaveLength(100);
    expect(await progress(company)).toMatchObject({ estado: 'en-marcha', registradas: 0 });

    // Not before its lease ends: its process may be alive.
    await resumeRuns(world.deps);
    expect(await cadenaOf(company)).toHaveLength(100);
    await world.sql`
      update register_runs set lease_until = 'epoch' where company_id = ${company.id}`;
    await Promise.all([resumeRuns(world.deps), resumeRuns(world.deps)]);
    expect(await ended(company)).toMatchObject({ estado: 'terminada', registradas: 150 });
    await assertWellRegistered(company, 150);
  });

  it('stops after its batch when its process ends, and another one goes on at once', async () => {
    const company = await withDrafts('A15075062', 150);
    await openRun(world.sql, company.id, world.deps.clock());
    const ending = new AbortController();
    const asked = { ...world.deps, wakeDispatcher: () => ending.abort() };
    await carryRun(asked, company.id, ending.signal);
    expect(await progress(company)).toMatchObject({ estado: 'en-marcha', registradas: 100 });
    await resumeRuns(world.deps, ending.signal); // A process that is ending begins nothing more.
    expect(await cadenaOf(company)).toHaveLength(100);
    await resumeRuns(world.deps);
    expect(await progress(company)).toMatchObject({ estado: 'terminada', registradas: 150 });
    await assertWellRegistered(company, 150);
  });

  it('registers nothing more in a process that stood still until another one had stopped the run', async () => {
    const company = await withDrafts(randomCompanyNif(), 5);
    await openRun(world.sql, company.id, world.deps.clock());
    let running: Promise<void> = Promise.resolve();
    await world.sql.begin(async (tx) => {
      await tx`lock table invoice_documents in access exclusive mode`; // It stands still while it reads its drafts.
      running = carryRun(world.deps, company.id);
      await untilTrue(
        () =>
          world.sql`select 1 from pg_locks where relation = 'invoice_documents'::regclass and not granted`,
        ({ length }) => length > 0,
      );
      await tx`
        update register_runs set status = 'parada', lease_token = lease_token + 1
         where company_id = ${company.id}`;
    });
    await running;
    expect(await progress(company)).toMatchObject({ estado: 'parada', borradores: 5 });
    expect(await cadenaOf(company)).toEqual([]);
  });

  it('forgets no draft whose date is moved back while it runs', async () => {
    const company = await withDrafts('B58378431', 210);
    await world.sql`
      update companies set subscription_type = 'annual' where id = ${company.id}`;
    await openRun(world.sql, company.id, world.deps.clock());
    const inTurn = await world.sql<{ id: bigint }[]>`
      select id from invoices where company_id = ${company.id} order by posting_date, id`;
    let running: Promise<void> = Promise.resolve();
    await world.sql.begin(async (tx) => {
      // Its second batch waits for this one, which is when the last of all drafts changes its date.
      await tx`select 1 from invoices
                where company_id = ${company.id} and id = ${String(inTurn[150]?.id)} for update`;
      running = carryRun(world.deps, company.id);
      await untilTrue(
        () => cadenaOf(company),
        (cadena) => cadena.length === 100,
      );
      await bringBack(company, inTurn.at(-1)?.id as bigint);
    });
    await running;
    const { estado, registradas, fallos } = await progress(company);
    expect({ estado, registradas }).toEqual({ estado: 'terminada', registradas: 209 });
    // Older now than what is already registered: it is reported, not skipped.
    expect(fallos).toMatchObject([
      { mensajes: [expect.stringContaining('el orden de las fechas')] },
    ]);
  });

  it('leaves out what may not be registered, with its reason, and does the rest', async () => {
    const company = await withDrafts('B58818501', 3);
    expectOk(
      await company.call('POST', '/api/PostData/SetFacturas', {
        invoiceDate: '2026-01-02',
        invoiceClient: company.customerNo,
        accionFactura: 0,
        invoiceItems: [],
      }),
    );
    expectOk(await start(company));
    const run = await ended(company);
    expect(run).toMatchObject({ estado: 'terminada', registradas: 3, fallidas: 1, borradores: 1 });
    expect(run).toMatchObject((await daysOf(company)) ?? {});
    expectOk(await start(company));
    expect(await ended(company), 'nothing is left that it could register').not.toHaveProperty(
      'desde',
    );
    expect(run.fallos).toEqual([
      { DocNo: 'B-4', cliente: expect.any(String), mensajes: expect.any(Array) },
    ]);
    expect(run.fallos[0]?.mensajes[0]?.length).toBeGreaterThan(10);
  });

  it('reports nothing of a refused draft that is being deleted at that moment', async () => {
    const company = await withDrafts(randomCompanyNif(), 2);
    await openRun(world.sql, company.id, world.deps.clock());
    const drafts = await world.sql<{ id: bigint }[]>`
      select id from invoices where company_id = ${company.id} order by id`;
    const failures = drafts.map(({ id }) => ({ id, messages: ['No se puede.'] }));
    const saved = await world.sql.begin(async (tx) => {
      await tx`
        delete from invoices where company_id = ${company.id} and id = ${String(drafts[0]?.id)}`;
      const saving = saveFailures(world.sql, company.id, failures);
      await untilTrue(
        () => world.sql`
          select pid from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`,
        ({ length }) => length > 0,
      );
      return { saving };
    });
    expect(await saved.saving).toBe(1);
    expect(await progress(company)).toMatchObject({ porCorregir: 1, borradores: 1 });
  });

  it('says how many it could not register, beyond those that it lists', async () => {
    const company = await world.signUp('B46103834');
    expectOk(await start(company));
    await ended(company);
    await importDrafts(company, 203);
    await world.sql`
      insert into register_run_failures (company_id, invoice_id, doc_no, customer_name, messages)
      select company_id, id, doc_no, customer_name, '["No se puede."]'
        from invoices where company_id = ${company.id} and status = 'Borrador'`;
    const run = await progress(company);
    expect([run.fallos.length, run.porCorregir]).toEqual([200, 203]);
    expectOk(await company.call('POST', '/api/PostData/DeleteInvoice', { No: 'B-1' }));
    expect((await progress(company)).porCorregir).toBe(202);
  });

  it.each([
    ['all', undefined, 120],
    ['picked', ['B-1', 'B-2', 'B-3', 'B-4', 'B-5', 'B-6'], 6],
  ])(
    'does not count a draft as registered that is deleted during the run: %s',
    async (_, docNos, total) => {
      const company = await withDrafts(randomCompanyNif(), 120);
      await openRun(world.sql, company.id, world.deps.clock(), { docNos });
      // A draft of another run, or of none, is not missed in this one.
      expectOk(await company.call('POST', '/api/PostData/DeleteInvoice', { No: 'B-2' }));
      const deletePicked = (Nos: string[]) =>
        company.call('POST', '/api/PostData/EliminarBorradores', { Nos });
      expectOk(await deletePicked(['B-3', 'B-5', 'B-100']));
      const left = docNos ? total - 3 : total - 4;
      expect(await progress(company)).toMatchObject({ estado: 'en-marcha', total: left });
      await resumeRuns(world.deps);
      expect(await ended(company)).toMatchObject({
        estado: 'terminada',
        total: left,
        registradas: left,
        fallidas: 0,
        borradores: 120 - 4 - left,
      });
      await assertWellRegistered(company, left);
    },
  );

  it('stops cleanly after the current batch, and can be started again', async () => {
    const company = await withDrafts('A78923125', 30);
    await openRun(world.sql, company.id, world.deps.clock());
    expectOk(await company.call('POST', '/api/PostData/PararRegistrarTodas'));
    await carryRun(world.deps, company.id);
    expect(await progress(company)).toMatchObject({ estado: 'parada', borradores: 30 });
    expectOk(await start(company));
    expect((await ended(company)).registradas).toBe(30);
    await assertWellRegistered(company, 30);
  });

  it('stops at the limit of a demo, and is refused without a certificate', async () => {
    const company = await withDrafts('A81948077', 205);
    expectOk(await start(company));
    expect(await ended(company)).toMatchObject({
      estado: 'detenida',
      registradas: 200,
      fallidas: 0,
      borradores: 5,
      mensaje: expect.stringContaining('200 facturas'),
    });
    expect(await progress(company)).toMatchObject((await daysOf(company)) ?? {});
    await world.sql`delete from certificates where company_id = ${company.id}`;
    expect((await start(company)).status).toBe(403);
  });
});

describe('registering picked drafts', () => {
  it('registers only those, by date, and goes on with them after a crash', async () => {
    const company = await withDrafts('A28015865', 10);
    const picked = ['B-8', 'B-10', 'B-9']; // The oldest.
    // A process that died before it began: another one runs it.
    await openRun(world.sql, company.id, world.deps.clock(), { docNos: picked });
    expect(await progress(company)).toMatchObject({ estado: 'en-marcha', total: 3 });
    const { status, body } = await start(company, ['B-1']);
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({ message: expect.stringContaining('se están registrando otros') }),
    ]);
    const again = expectOk(await start(company, ['B-9', 'B-8', 'B-10']));
    expect(again, 'the same ones again').toMatchObject({ estado: 'en-marcha', total: 3 });
    expect((await start(company, ['B-8', 'B-9'])).status, 'some of them').toBe(409);
    await resumeRuns(world.deps);
    expect(await ended(company)).toMatchObject({
      estado: 'terminada',
      total: 3,
      registradas: 3,
      borradores: 7,
    });
    await assertWellRegistered(company, 3);
    const left = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices where company_id = ${company.id} and status = 'Borrador'`;
    const names = left.map(({ doc_no }) => doc_no);
    expect(names.filter((name) => picked.includes(name))).toEqual([]);

    expect(expectOk(await start(company, ['B-7', 'B-8'])).total, 'B-8 is registered').toBe(1);
    await ended(company);
    expect((await start(company, ['B-7', 'B-8'])).status).toBe(409);
    expect(expectOk(await start(company)).total, 'and the others all at once').toBe(6);
    await ended(company);
    await assertWellRegistered(company, 10);
  });

  it('says which of them could not be registered, and stops when asked to', async () => {
    const company = await withDrafts('A39000013', 4);
    await openRun(world.sql, company.id, world.deps.clock(), { docNos: ['B-1', 'B-2'] });
    expectOk(await company.call('POST', '/api/PostData/PararRegistrarTodas'));
    await carryRun(world.deps, company.id);
    expect(await progress(company)).toMatchObject({ estado: 'parada', borradores: 4 });
    expectOk(
      await company.call('POST', '/api/PostData/SetFacturas', {
        invoiceDate: '2026-01-02',
        invoiceClient: company.customerNo,
        accionFactura: 0,
        invoiceItems: [],
      }),
    );
    expectOk(await start(company, ['B-1', 'B-5']));
    expect(await ended(company)).toMatchObject({
      registradas: 1,
      fallidas: 1,
      fallos: [{ DocNo: 'B-5' }],
    });
  });

  it('does nothing if the process only knows how to register all drafts', async () => {
    const company = await withDrafts('A48265169', 3);
    await openRun(world.sql, company.id, world.deps.clock(), { docNos: ['B-1'] });
    const [run] = await world.sql<{ last_invoice_id: bigint }[]>`
      select last_invoice_id from register_runs where company_id = ${company.id}`;
    expect(run?.last_invoice_id, 'the column that it reads').toBe(0n);
  });

  it('deletes picked drafts, and leaves what is registered', async () => {
    const company = await withDrafts('A95758389', 4);
    expectOk(await start(company, ['B-1']));
    await ended(company);
    const [registered] = await cadenaOf(company);
    const Nos = ['B-2', 'B-3', registered?.num_serie_factura, 'B-99'];
    expect(
      expectOk(await company.call('POST', '/api/PostData/EliminarBorradores', { Nos })),
    ).toEqual({
      eliminados: 2,
    });
    expect((await progress(company)).borradores).toBe(1);
    expect(await cadenaOf(company)).toHaveLength(1);
  });
});

describe('a client in an imported file', () => {
  it('keeps its town with the same address, loses it with another, and takes the one of the file', async () => {
    const company = await world.signUp('B63272603');
    const { customerNo: No } = company;
    expectOk(
      await company.call('POST', '/api/PostData/UpdateClientes', { No, municipio: 'Barcelona' }),
    );
    const bring = async (Address: string, postCode: string, town = '') => {
      const place = [Address, postCode, town, 'España'];
      const row = ['', 'Cliente de Prueba, S.A.', 'A58818501', ...place, 'otro@ejemplo.es'];
      const file = await fillTemplate({ Clientes: [row] });
      const { clientes } = expectOk(
        await company.call<ImportExcelAnswer>('POST', '/api/PostData/ImportExcel', {
          File: file.toString('base64'),
        }),
      );
      expectOk(await company.call('POST', '/api/PostData/SaveData', { Clientes: clientes }));
      return findCustomer(world.sql, company.id, No);
    };
    expect(await bring('Gran Vía, 2', '08013')).toMatchObject({
      Email: 'otro@ejemplo.es',
      municipio: 'Barcelona',
    });
    const moved = await bring('Rúa Nova, 1', '15001');
    expect([moved?.Address, moved?.municipio]).toEqual(['Rúa Nova, 1', undefined]);
    const told = await bring('Rúa Nova, 3', '15001', 'A Coruña');
    expect([told?.Address, told?.municipio]).toEqual(['Rúa Nova, 3', 'A Coruña']);
  });
});

describe('a file that takes long to save', () => {
  it('keeps nobody in the company from creating clients, products and drafts meanwhile', async () => {
    const company = await world.signUp('A28229813');
    await importDrafts(company, 1);
    const first = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices where company_id = ${company.id}`;
    const file = await fillTemplate({
      Clientes: [['', 'Nueva, S.L.', 'B12345674', 'C/ Mayor, 3', '28013', 'Madrid', 'España']],
      Productos: [['', 'Hora', '45', 'HORA']],
      Facturas: [line('R-0', 'A58818501', { precio: '7' }), line('N-1', 'B12345674')],
    });
    const { clientes, items, facturas } = expectOk(
      await company.call<ImportExcelAnswer>('POST', '/api/PostData/ImportExcel', {
        File: file.toString('base64'),
      }),
    );
    const body = { Clientes: clientes, Items: items, Facturas: facturas };
    const post = (call: string, fields: object) =>
      company.call<{ No: string; DocNo: string }>('POST', `/api/PostData/${call}`, fields);
    const made: { No: string; DocNo: string }[] = [];
    // It waits at the draft that it changes, holding all locks that it has taken so far.
    const saving = await world.sql.begin(async (tx) => {
      await tx`select from invoices where company_id = ${company.id} for update`;
      const answer = company.call('POST', '/api/PostData/SaveData', body);
      await eventually(async () => {
        const [stands] = await world.sql`
          select from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock'`;
        return stands;
      });
      made.push(
        expectOk(await post('SetClientes', { Name: 'Entretanto' })),
        expectOk(
          await post('SetProductos', { Name: 'Entretanto', UnitOfMeasure: 'UD', UnitPrice: '1' }),
        ),
        expectOk(await post('SetFacturas', { invoiceItems: [], accionFactura: 0 })),
      );
      return { answer };
    });
    expect(expectOk(await saving.answer)).toEqual({ clientes: 1, items: 1, facturas: 2 });
    const codes = await world.sql<{ no: string }[]>`
      select no from customers where company_id = ${company.id}
      union all select no from products where company_id = ${company.id}
      union all select doc_no from invoices where company_id = ${company.id} order by no`;
    const names = codes.map(({ no }) => no);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(
      expect.arrayContaining(
        made.map(({ No, DocNo }) => No ?? DocNo).concat(first[0]?.doc_no ?? ''),
      ),
    );
  });

  it('does not say that nothing was saved when only the confirmation of its commit was lost', async () => {
    const company = await withDrafts(randomCompanyNif(), 1);
    const [run] = await world.sql<{ token: string }[]>`
      select token from import_runs where company_id = ${company.id}`;
    await endImportRun(world.sql, company.id, run?.token ?? '', { message: 'No se guardó nada.' });
    const answer = await company.call<Importacion>('GET', '/api/GetData/GetImportacion');
    expect(expectOk(answer)).toMatchObject({ estado: 'terminada', resultado: { facturas: 1 } });
    expect(answer.body).not.toHaveProperty('mensaje');
  });

  it('takes no number for refused rows, nor for those that already have one', async () => {
    const company = await world.signUp('A46103834');
    await importDrafts(company, 2);
    const numbers = () => world.sql`
      select name, last_number from counters
       where company_id = ${company.id} and name in ('customer', 'product', 'draft') order by name`;
    const before = await numbers();
    await importDrafts(company, 2);
    const wrong = {
      Clientes: [],
      Items: [],
      Facturas: [
        {
          referencia: 'X-1',
          cliente: 'NADIE',
          invoiceDate: '2026-01-15',
          invoiceItems: [{ description: 'Nada', price: '1' }],
        },
      ],
    };
    expect((await company.call('POST', '/api/PostData/SaveData', wrong)).status).toBe(400);
    expect(await numbers()).toEqual(before);
  });
});

describe('the same customers and products, written by two users at once', () => {
  it('are written one after the other, without a deadlock', async () => {
    const { id, customerNo } = await world.signUp('A08663619');
    const codes = Array.from({ length: 400 }, (_, i) => `Z${String(i).padStart(4, '0')}`);
    const customer = await findCustomer(world.sql, id, customerNo);
    if (!customer) throw new Error('The company has a customer.');
    const write = (order: readonly string[], name: string) =>
      world.sql.begin(async (tx) => {
        await writeCustomers(
          tx,
          id,
          order.map((No) => ({ ...customer, No, Name: name, VATRegistrationNo: '' })),
        );
        await writeProducts(
          tx,
          id,
          order.map((no) => ({ no, name, unitOfMeasure: 'UD', unitPrice: '1.00', tax: '' })),
        );
      });
    await write(codes, 'antes');
    for (let round = 0; round < 10; round++) {
      await Promise.all([write(codes, 'una'), write(codes.toReversed(), 'otra')]);
    }
    const names =
      await world.sql`select distinct name from customers where company_id = ${id} and no like 'Z%'`;
    expect(names).toHaveLength(1);
  });
});
