/**
 * «Dejarla como estaba»: a refused correction or anulación is given up, and the invoice is again what the AEAT holds.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConciliarRegistrosAnswer } from '../../src/contract/evidence.ts';
import type { EditInvoice, Finding } from '../../src/contract/invoices.ts';
import { addDays } from '../../src/domain/dates.ts';
import { pageOfBook } from '../../src/store/libro-expedidas.ts';
import {
  draftOf,
  expectOk,
  monthOf,
  openWorld,
  type TestCompany,
  type World,
  yearOf,
} from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  // The numbers are those of a company's first year.
  await world.behave({ rechazar: { [FIRST]: 0 }, aceptarConErrores: { [FIRST]: 0 } });
  company = await world.signUp();
});

const FIRST = `00001/${yearOf(new Date())}`;
const OTHER_LINE = { description: 'Corregida', quantity: '1', price: '300,00', tax: 'IVA21' };

async function registerOne(): Promise<string> {
  return expectOk(await company.register()).DocNo;
}

async function correct(draftNo: string, changes: object): Promise<void> {
  const answer = await company.register({ draftNo, ...changes } as never);
  expectOk(answer);
}

const giveUp = (No: string) =>
  company.call<{ Status: string }>('POST', '/api/PostData/DejarFactura', { No });

const editOf = async (No: string) =>
  expectOk(await company.call<EditInvoice>('POST', '/api/PostData/GetEditInvoice', { No }));

const monthsTotal = async () => {
  const [row] = await world.sql<{ total: string; invoices: number }[]>`
    select sum(total)::text as total, sum(invoices)::int as invoices from invoice_months
     where company_id = ${company.id}`;
  return row;
};

/** What each invoice comes to in the book of issued invoices. */
const booked = async () => {
  const everything = { since: null, until: null, after: null };
  const { invoices } = await pageOfBook(world.sql, company.id, everything, 10);
  return invoices.map(({ invoice }) => [invoice.numSerie, invoice.total]);
};

/** Compares the blocks of the history's pages with its invoices. */
async function expectBlocksRight(): Promise<void> {
  const rows = await world.sql<{ sort: string; counted: number; standing: number }[]>`
    select b.sort, sum(b.invoices)::int as counted,
           (select count(*)::int from invoices
             where company_id = ${company.id} and status in ('Registrada', 'Anulada')) as standing
      from invoice_blocks b where b.company_id = ${company.id} group by b.sort`;
  expect(rows.filter(({ counted, standing }) => counted !== standing)).toEqual([]);
}

const registrosHere = () => world.sql<{ seq: bigint; huella: string; xml: string }[]>`
  select seq, huella, xml from registros where company_id = ${company.id} order by seq`;

describe('a refused correction that is given up', () => {
  it('leaves the invoice as the AEAT has it, in its form, amounts, paper and story', async () => {
    const docNo = await registerOne();
    await world.behave({ aceptarConErrores: { [docNo]: 2005 } });
    await company.sendAll();
    const before = { detail: await company.detailOf(docNo), edit: await editOf(docNo) };
    const bookedBefore = await booked();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    await correct(docNo, { invoiceItems: [OTHER_LINE], notas: 'Corregida' });
    await company.sendAll();
    expect(await booked()).toEqual([[docNo, '363.00']]);
    const behind = await registerOne();
    expect(await company.sendAll()).toMatchObject({ estado: 'parado', enEspera: 1 });
    expect((await company.detailOf(docNo)).fila.AmountIncludingVat).toBe(363); // 300 + 63
    const cadena = await registrosHere();

    expect(expectOk(await giveUp(docNo))).toEqual({
      DocNo: docNo,
      Status: 'Aceptado con errores',
    });
    const after = { detail: await company.detailOf(docNo), edit: await editOf(docNo) };
    expect(after.detail.fila).toEqual(before.detail.fila);
    expect((await booked()).slice(0, 1)).toEqual(bookedBefore);
    const { csv, huella, huellaAnterior, eslabon, qr, emitida } = after.detail;
    const { detail } = before;
    expect([csv, huella, huellaAnterior, eslabon, qr, emitida]).toEqual([
      ...[detail.csv, detail.huella, detail.huellaAnterior, detail.eslabon, detail.qr],
      detail.emitida,
    ]);
    expect(csv).toMatch(/^A-/);
    expect(after.detail.rechazo).toBeUndefined();
    const { version: _, ...form } = after.edit;
    expect(form).toEqual({ ...before.edit, version: undefined });
    expect(after.detail.historia.slice(-2).map(({ titulo }) => titulo)).toEqual([
      'Rechazada por la AEAT',
      'Dejada como estaba',
    ]);
    // Two invoices with the same amount.
    const total = detail.fila.AmountIncludingVat * 2;
    expect(await monthsTotal()).toMatchObject({
      invoices: 2,
      total: expect.stringContaining(String(total)),
    });

    // Nothing was declared or withdrawn, and what waited behind it is sent.
    expect(await registrosHere()).toEqual(cadena);
    await world.behave({ rechazar: { [docNo]: 0 }, aceptarConErrores: { [docNo]: 0 } });
    await company.sendAll();
    expect((await company.detailOf(behind)).fila.Status).toBe('Registrada');
    expect(expectOk(await company.call('GET', '/api/GetData/VerificarCadena'))).toMatchObject({
      registros: 3,
      correcta: true,
    });

    // Later it can still be corrected, replacing what is there.
    await correct(docNo, { notas: 'Ahora sí' });
    await company.sendAll();
    expect((await company.detailOf(docNo)).fila.Status).toBe('Registrada');
    const held = (await world.held(company.nif)).filter((r) => r.NumSerieFactura === docNo);
    expect(held.at(-1)).toMatchObject({ Subsanacion: 'S', RechazoPrevio: 'S' });
    await expectBlocksRight();
  });

  it('goes back to what was accepted, however many times it was refused', async () => {
    const docNo = await registerOne();
    await world.behave({ aceptarConErrores: { [docNo]: 2005 } });
    await company.sendAll();
    await correct(docNo, { notas: 'La buena' }); // Accepted, still with its error.
    await company.sendAll();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    for (const notas of ['Mala', 'Peor']) {
      await correct(docNo, { notas, invoiceItems: [OTHER_LINE] });
      await company.sendAll();
    }
    expectOk(await company.annul(docNo));
    await company.sendAll();
    expect(expectOk(await giveUp(docNo)).Status).toBe('Aceptado con errores');
    expect(await editOf(docNo)).toMatchObject({ notas: 'La buena' });
  });

  it('is found by its accepted text again, and no longer by the text of the correction', async () => {
    const docNo = await registerOne();
    await world.behave({ aceptarConErrores: { [docNo]: 2005 } });
    await company.sendAll();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    const other = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Zapatería Marbella, S.L.',
        VATRegistrationNo: 'B87654323',
        Address: 'Calle Real, 3',
        postCode: '29600',
        countryCode: 'ES',
      }),
    );
    await correct(docNo, { invoiceClient: other.No });
    await company.sendAll();
    expectOk(await giveUp(docNo));
    const found = async (search: string) =>
      expectOk(
        await company.call<{ rows: { DocNo: string }[] }>(
          'GET',
          `/api/GetData/GetPendingInvoices?page=1&search=${encodeURIComponent(search)}`,
        ),
      ).rows.map(({ DocNo }) => DocNo);
    expect(await found('Zapatería')).toEqual([]);
    expect(await found('Cliente de Prueba')).toEqual([docNo]);
  });
});

it('is rectified as the AEAT has it while the refused correction is pending', async () => {
  const docNo = await registerOne();
  await world.behave({ aceptarConErrores: { [docNo]: 2005 } });
  await company.sendAll();
  const before = await company.detailOf(docNo);
  await world.behave({ rechazar: { [docNo]: 1100 } });
  await correct(docNo, { invoiceItems: [OTHER_LINE] });
  await company.sendAll();
  const [offered] = expectOk(
    await company.call<{ base: number; total: number }[]>(
      'GET',
      `/api/GetData/GetFacturasEmitidas?numeros=${encodeURIComponent(docNo)}`,
    ),
  );
  const { Amount: base, AmountIncludingVat: total } = before.fila;
  expect(offered).toMatchObject({ base, total });
  const { DocNo } = expectOk(
    await company.register({ type: 'abono', tipoRectificativa: 'S', invoiceToRectify: docNo }),
  );
  expect((await company.detailOf(DocNo)).emitida).toMatchObject({
    importeRectificacion: { base: before.emitida?.base },
  });
});

it('is not corrected to another date or series, and the form says so before registering', async () => {
  const docNo = await registerOne();
  await world.behave({ rechazar: { [docNo]: 1100 } });
  await company.sendAll();
  await world.behave({ rechazar: { [docNo]: 0 } });
  const draft = draftOf(company.customerNo, world.deps.clock());
  const dayBefore = new Date(Date.parse(draft.invoiceDate) - 86_400_000).toISOString().slice(0, 10);
  const other = {
    draftNo: docNo,
    invoiceDate: dayBefore,
    invoiceItems: [{ ...OTHER_LINE, tax: 'ISPTEC' }],
  };
  const { errores } = expectOk(
    await company.call<{ errores: Finding[] }>('POST', '/api/PostData/ValidarFactura', {
      ...draft,
      ...other,
    }),
  );
  const blocking = errores.filter(({ gravedad }) => gravedad === 'bloquea');
  expect(blocking.map(({ campo }) => campo)).toEqual(['invoiceDate', 'invoiceItems']);
  const refused = await company.register(other as never);
  expect([refused.status, refused.body]).toEqual([
    400,
    expect.objectContaining({ message: blocking.map(({ mensaje }) => mensaje) }),
  ]);
  await correct(docNo, { notas: 'La misma fecha y la misma serie' });
  await company.sendAll();
  expect((await company.detailOf(docNo)).fila.Status).toBe('Registrada');
});

it('is not corrected to other amounts while a rectificativa relies on them', async () => {
  const docNo = await registerOne();
  await world.behave({ aceptarConErrores: { [docNo]: 2001 } });
  await company.sendAll();
  await world.behave({ aceptarConErrores: { [docNo]: 0 } });
  const other = { draftNo: docNo, invoiceItems: [OTHER_LINE] };
  const found = async () =>
    expectOk(
      await company.call<{ errores: { campo: string; gravedad: string; mensaje: string }[] }>(
        'POST',
        '/api/PostData/ValidarFactura',
        { ...draftOf(company.customerNo, world.deps.clock()), ...other },
      ),
    ).errores;
  expect(await found()).toEqual([
    {
      campo: 'invoiceItems',
      gravedad: 'avisa',
      mensaje: `La AEAT tiene la factura ${docNo} con otros importes, y tu cliente la pudo recibir con ellos. Si lo que está mal es eso, no la corrijas: haz una rectificativa.`,
    },
  ]);

  const { DocNo: credit } = expectOk(
    await company.register({ type: 'abono', tipoRectificativa: 'S', invoiceToRectify: docNo }),
  );
  const mensaje = `La factura ${credit} se hizo sobre la ${docNo} con los importes que tiene la AEAT: no los cambies. Si están mal, rectifica la ${credit}.`;
  expect(await found()).toEqual([{ campo: 'invoiceItems', gravedad: 'bloquea', mensaje }]);
  const refused = await company.register(other as never);
  expect([refused.status, refused.body]).toEqual([
    400,
    expect.objectContaining({ message: [mensaje] }),
  ]);
  await correct(docNo, { notas: 'Con los mismos importes' });
  await company.sendAll();
  expect((await company.detailOf(docNo)).fila.Status).toBe('Registrada');
});

it('is corrected to other amounts if the AEAT has nothing of it, and warns of the rectificativa of it', async () => {
  const docNo = await registerOne();
  const { DocNo: credit } = expectOk(
    await company.register({ type: 'abono', tipoRectificativa: 'S', invoiceToRectify: docNo }),
  );
  await world.behave({ rechazar: { [docNo]: 1100 } });
  await company.sendAll();
  const warnings = async (draft: object) => {
    const whole = { ...draftOf(company.customerNo, world.deps.clock()), draftNo: docNo, ...draft };
    const { errores } = expectOk(
      await company.call<{ errores: object[] }>('POST', '/api/PostData/ValidarFactura', whole),
    );
    return errores;
  };
  expect(await warnings({})).toEqual([]);
  expect(await warnings({ invoiceItems: [OTHER_LINE] })).toEqual([
    {
      campo: 'invoiceItems',
      gravedad: 'avisa',
      mensaje: `La factura ${credit} se hizo sobre la ${docNo} y está registrada con los importes de antes. Si los cambias aquí, anula o rectifica después la ${credit}.`,
    },
  ]);
});

it('is corrected to other amounts if the rectificativa is another program’s, or was refused by the AEAT', async () => {
  // Before ours takes its number, another program's invoice with that number is rectified.
  const today = draftOf('', world.deps.clock()).invoiceDate;
  expectOk(
    await company.register({
      type: 'abono',
      tipoRectificativa: 'S',
      invoiceToRectify: FIRST,
      invoiceToRectifyDate: today,
      baseRectificada: '100',
      cuotaRectificada: '21',
    }),
  );
  const docNo = await registerOne();
  expect(docNo).toBe(FIRST);
  await world.behave({ aceptarConErrores: { [docNo]: 2001 } });
  await company.sendAll();
  const { DocNo: credit } = expectOk(
    await company.register({ type: 'abono', invoiceToRectify: docNo }),
  );
  await world.behave({ rechazar: { [credit]: 1100 } });
  await company.sendAll();
  expect((await company.detailOf(credit)).fila.Status).toBe('Rechazado');
  await correct(docNo, { invoiceItems: [OTHER_LINE] });
  await world.behave({ rechazar: { [credit]: 0 } });
});

it('still names another program’s invoice when it is corrected after ours took that number', async () => {
  const theirs = {
    type: 'abono',
    invoiceToRectify: FIRST,
    invoiceToRectifyDate: addDays(draftOf('', world.deps.clock()).invoiceDate, -9),
  } as const;
  const { DocNo: credit } = expectOk(await company.register(theirs));
  await world.behave({ aceptarConErrores: { [credit]: 2001 } });
  await company.sendAll();
  await world.behave({ aceptarConErrores: { [credit]: 0 } });
  expect(await registerOne()).toBe(FIRST);
  const named = async () => (await company.detailOf(credit)).emitida?.rectifies;
  const before = await named();
  expect(before).toMatchObject([{ numSerie: FIRST, externa: true }]);
  await correct(credit, { ...theirs, notas: 'Corregida' });
  expect(await named()).toEqual(before);
  expect((await company.detailOf(FIRST)).rectificadaPor ?? []).toEqual([]);
});

it('keeps its type when it is corrected, and says so', async () => {
  const { DocNo: ticket } = expectOk(
    await company.register({ isSimplificada: true, invoiceClient: '' }),
  );
  const docNo = await registerOne();
  await world.behave({ aceptarConErrores: { [docNo]: 2001 } });
  await company.sendAll();
  const exchanging = { draftNo: docNo, invoiceType: 2, invoiceToRectify: ticket };
  expect(await company.register(exchanging as never)).toMatchObject({
    status: 400,
    body: { message: [expect.stringMatching(/está registrada como F1, y corregirla no cambia/)] },
  });
});

it('is compared with what the AEAT holds, not with a refused correction', async () => {
  const docNo = await registerOne();
  await world.behave({ aceptarConErrores: { [docNo]: 2001 } });
  await company.sendAll();
  await world.behave({ aceptarConErrores: { [docNo]: 0 }, rechazar: { [docNo]: 1100 } });
  await correct(docNo, { notas: 'Corregida' });
  await company.sendAll();
  expect((await company.detailOf(docNo)).fila.Status).toBe('Rechazado');
  const { No } = expectOk(
    await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
      Name: 'Otro nombre, S.A.',
      VATRegistrationNo: 'A58818501',
      Address: 'Gran Vía, 2',
      postCode: '08013',
      countryCode: 'ES',
      Email: 'otro@ejemplo.es',
    }),
  );
  // What the AEAT found wrong is the recipient: changing it brings no warning.
  const draft = { ...draftOf(No, world.deps.clock()), draftNo: docNo };
  const { errores } = expectOk(
    await company.call<{ errores: object[] }>('POST', '/api/PostData/ValidarFactura', draft),
  );
  expect(errores).toEqual([]);
});

describe('a refused anulación that is given up', () => {
  it('leaves the invoice in force, and a later one annuls it', async () => {
    const docNo = await registerOne();
    await company.sendAll();
    const before = await company.detailOf(docNo);
    await world.behave({ rechazar: { [docNo]: 1100 } });
    expectOk(await company.annul(docNo));
    await company.sendAll();
    expect(before.csv).toMatch(/^A-/);
    expect((await company.detailOf(docNo)).csv, 'the AEAT still has it').toBe(before.csv);
    const behind = await registerOne();
    expect(expectOk(await giveUp(docNo)).Status).toBe('Registrada');
    const after = await company.detailOf(docNo);
    expect(after.fila).toEqual(before.fila);
    expect([after.csv, after.huella, after.eslabon]).toEqual([
      ...[before.csv, before.huella, before.eslabon],
    ]);
    await expectBlocksRight();
    await world.behave({ rechazar: { [docNo]: 0 } });
    await company.sendAll();
    expect((await company.detailOf(behind)).fila.Status).toBe('Registrada');
    expectOk(await company.annul(docNo));
    await company.sendAll();
    expect((await company.detailOf(docNo)).fila.Status).toBe('Anulada');
    // The one given up was sent and refused all the same.
    expect((await world.held(company.nif)).at(-1)).toMatchObject({
      NumSerieFactura: docNo,
      TipoRegistro: 'Anulacion',
      RechazoPrevio: 'S',
    });
    expect(await monthsTotal()).toMatchObject({ invoices: 1 });
    await expectBlocksRight();
  });

  it('is annulled here too when the AEAT says that it already has the anulación', async () => {
    const docNo = await registerOne();
    await company.sendAll();
    await world.behave({ rechazar: { [docNo]: 3001 } });
    expectOk(await company.annul(docNo));
    await company.sendAll();
    expect(await company.annul(docNo)).toMatchObject({
      status: 409,
      body: {
        message: `La AEAT ya tiene anulada la factura ${docNo}: no hace falta anularla otra vez. Pulsa «Dejarla como anulada», y lo estará también aquí.`,
      },
    });
    expect(expectOk(await giveUp(docNo)).Status).toBe('Anulada');
    expect((await company.detailOf(docNo)).fila).toMatchObject({
      Status: 'Anulada',
      ErrorMessage: expect.stringContaining('La AEAT la tiene anulada'),
    });
    expect(await monthsTotal()).toMatchObject({ invoices: 0 });
    await expectBlocksRight();
  });
});

describe('giving up', () => {
  it('is refused when the AEAT holds nothing to go back to, and leaves the invoice as it is', async () => {
    const docNo = await registerOne();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    await company.sendAll();
    const { status, body } = await giveUp(docNo);
    expect([status, body]).toEqual([
      409,
      expect.objectContaining({
        message: expect.stringMatching(/no tiene .* corrígela o anúlala/),
      }),
    ]);
    expect((await company.detailOf(docNo)).fila.Status).toBe('Rechazado');
  });

  it('happens once if two users ask for it at once or one corrects meanwhile', async () => {
    const docNo = await registerOne();
    await world.behave({ aceptarConErrores: { [docNo]: 2005 } });
    await company.sendAll();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    await correct(docNo, { notas: 'Mala' });
    await company.sendAll();
    const { version } = await editOf(docNo);
    const answers = await Promise.all([giveUp(docNo), giveUp(docNo)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const late = await company.register({ draftNo: docNo, version, notas: 'Tarde' } as never);
    expect(late.status).toBe(409);
    const [row] = await world.sql<{ rechazados: number }[]>`
      select rechazados from despachos where company_id = ${company.id}`;
    expect(row?.rechazados).toBe(0);
  });

  it('is in the log, and the AEAT’s month equals ours', async () => {
    const docNo = await registerOne();
    await company.sendAll();
    await world.behave({ rechazar: { [docNo]: 1100 } });
    expectOk(await company.annul(docNo));
    await company.sendAll();
    expectOk(await giveUp(docNo));
    const { rows, total } = expectOk(
      await company.call<{ rows: { tipo: string; detalle: string }[]; total: number }>(
        'GET',
        '/api/GetData/GetEventosSeguridad?page=1&parte=facturas',
      ),
    );
    expect(rows[0]).toMatchObject({ tipo: 'factura-dejada', detalle: docNo });
    expect(rows).toHaveLength(total);
    const conciliado = expectOk(
      await company.call<ConciliarRegistrosAnswer>(
        'POST',
        '/api/PostData/ConciliarRegistros',
        monthOf(world.deps.clock()),
      ),
    );
    expect(conciliado).toMatchObject({ iguales: 1, distintos: [], soloAqui: [], soloAEAT: [] });
  });
});
