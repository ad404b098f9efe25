import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApp, openAccountApp } from './account-app.ts';

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

interface Client {
  readonly No: string;
  readonly Name: string;
  readonly VATRegistrationNo: string;
}

describe('lists that the client already has', () => {
  it('are reported unchanged until any of their rows differs, whoever changed it', async () => {
    const { token, id } = await app.signUp();
    const ask = async (list: string, etag?: unknown, as = token) => {
      const { status, body, headers } = await app.call<unknown>('GET', `/api/GetData/${list}`, {
        token: as,
        ...(etag ? { headers: { 'if-none-match': String(etag) } } : {}),
      });
      return { status, body, etag: headers.etag, kept: headers['cache-control'] };
    };
    const client = { No: 'Z1', Name: 'Zaguán', VATRegistrationNo: '' };
    const product = { No: 'Z1', Name: 'Zócalo', UnitOfMeasure: 'UD', UnitPrice: '1,5' };
    const updated = { updated_at: new Date(0) };
    const { sql } = app;
    const changes: readonly [string, () => Promise<unknown>][] = [
      ['GetClientes', () => app.post('PostData/SetClientes', client, token)],
      [
        'GetClientes',
        () => app.post('PostData/UpdateClientes', { ...client, Email: 'z@z.es' }, token),
      ],
      // Changed back to its earlier content, in a row version of its own.
      ['GetClientes', () => app.post('PostData/UpdateClientes', { ...client, Email: '' }, token)],
      // By another process, whatever time its clock says.
      [
        'GetClientes',
        () =>
          sql`update customers set ${sql({ name: 'Zar', ...updated })} where company_id = ${id} and no = 'Z1'`,
      ],
      [
        'GetClientes',
        () => sql`update customers set archived_at = now() where company_id = ${id} and no = 'Z1'`,
      ],
      ['GetProductos', () => app.post('PostData/SetProductos', product, token)],
      [
        'GetProductos',
        () => app.post('PostData/UpdateProductos', { ...product, UnitPrice: '1,51' }, token),
      ],
      [
        'GetProductos',
        () =>
          sql`update products set ${sql({ unit_price: '2', ...updated })} where company_id = ${id}`,
      ],
      ['GetProductos', () => app.post('PostData/DeleteProducto', { No: 'Z1' }, token)],
    ];
    for (const [list, change] of changes) {
      const before = await ask(list);
      expect([before.status, before.kept]).toEqual([200, 'no-store']);
      expect(await ask(list, before.etag)).toEqual({ ...before, status: 304, body: undefined });
      await change();
      const after = await ask(list, before.etag);
      expect(after.status).toBe(200);
      expect(after.body).not.toEqual(before.body);
      expect(after).toEqual(await ask(list));
    }
    const { etag } = await ask('GetClientes');
    expect((await ask('GetClientes', etag, (await app.signUp()).token)).status).toBe(200);
    expect((await ask('GetClientes', etag, 'x')).status).toBe(401);
  });
});

describe('clients', () => {
  const set = (token: string, body: object) =>
    app.post<Client & { message: string[] }>('PostData/SetClientes', body, token);
  const update = (token: string, body: object) =>
    app.post<Client & { message: string[] }>('PostData/UpdateClientes', body, token);
  const remove = (token: string, No: string) =>
    app.post<{ message?: string }>('PostData/DeleteCliente', { No }, token);
  const list = async (token: string) => (await app.get<Client[]>('GetClientes', token)).body;

  it('requires only the name, and starts with the defaults of the company', async () => {
    const { token } = await app.signUp();
    const { status, body } = await set(token, { Name: '  Hotel Mirador  ' });
    expect([status, body]).toEqual([
      200,
      {
        No: 'C00002', // C00001 is the customer of simplified invoices.
        Name: 'Hotel Mirador',
        VATRegistrationNo: '',
        Address: '',
        postCode: '',
        countryCode: 'ES',
        Email: '',
        PaymentMethod: 'TRANSF',
        PaymentTerms: '30D',
        CustomerPostingGroup: 'NAC',
      },
    ]);
    expect(await list(token)).toContainEqual(body);
  });

  it('keeps its kind of identification until it is changed, and checks its number accordingly', async () => {
    const { token } = await app.signUp();
    const passport = { Name: 'Ana Viajera', VATRegistrationNo: 'XDB 12', tipoIdentificacion: '03' };
    const { No } = (await set(token, passport)).body;
    // A program that does not know the field does not lose it.
    const renamed = { No, Name: 'Ana', VATRegistrationNo: 'XDB 12' };
    expect((await update(token, renamed)).body).toMatchObject({ tipoIdentificacion: '03' });
    const wrong = await update(token, { ...renamed, tipoIdentificacion: '' });
    expect(wrong.status).toBe(400);
    const abroad = await set(token, { ...passport, countryCode: 'FR', tipoIdentificacion: '07' });
    expect(abroad.body.message).toEqual([expect.stringContaining('NIF español')]);
    const entity = { No, Name: 'Ana', VATRegistrationNo: 'A58818501', tipoIdentificacion: '07' };
    expect((await update(token, entity)).status).toBe(400);
    const nif = { No, Name: 'Ana', VATRegistrationNo: '12345678Z', tipoIdentificacion: '' };
    expect((await update(token, nif)).body).not.toHaveProperty('tipoIdentificacion');
  });

  it('accepts a multipart form, and tidies what was typed', async () => {
    const { token } = await app.signUp();
    const form = new FormData();
    const typed = {
      No: 'HOTEL',
      Name: 'Hotel Mirador del Moncayo, S.A.',
      VATRegistrationNo: 'a-58.818.501',
      Address: 'Calle Alta, 3',
      postCode: '50001',
      countryCode: 'ES',
      Email: ' Reservas@MIRADOR.example ',
      PaymentMethod: 'TARJETA',
      PaymentTerms: 'CON',
      CustomerPostingGroup: 'NAC',
    };
    for (const [name, value] of Object.entries(typed)) form.set(name, value);
    const { status, body } = await app.call('POST', '/api/PostData/SetClientes', {
      token,
      body: form,
    });
    expect([status, body]).toEqual([
      200,
      { ...typed, VATRegistrationNo: 'A58818501', Email: 'Reservas@mirador.example' },
    ]);
  });

  it('sorts names in Spanish order', async () => {
    const { token } = await app.signUp();
    for (const Name of ['Oso', 'Ñandú', 'nube', 'Árbol', 'Zeta']) await set(token, { Name });
    expect((await list(token)).map(({ Name }) => Name)).toEqual([
      'Árbol',
      'Cliente de mostrador',
      'nube',
      'Ñandú',
      'Oso',
      'Zeta',
    ]);
  });

  it('names every field that is wrong', async () => {
    const { token } = await app.signUp();
    const { status, body } = await set(token, {
      Name: '\u200b',
      VATRegistrationNo: '12345678A',
      postCode: '1001',
      Email: 'a@b',
      PaymentTerms: 'X',
      PaymentMethod: 'X',
      CustomerPostingGroup: 'X',
    });
    expect(status).toBe(400);
    expect(body.message).toEqual([
      'Escribe el nombre del cliente.',
      expect.stringContaining('12345678A'),
      expect.stringContaining('01001'),
      expect.stringContaining('correo electrónico'),
      'Elige el término de pago de la lista.',
      'Elige la forma de pago de la lista.',
      'Elige el grupo contable de la lista.',
    ]);
  });

  it('checks a NIF-IVA of a company in the Union, and only the length elsewhere', async () => {
    const { token } = await app.signUp();
    const french = { Name: 'Boulangerie', countryCode: 'FR', CustomerPostingGroup: 'UE' };
    expect((await set(token, { ...french, VATRegistrationNo: 'FR41303265045' })).status).toBe(400);
    expect(
      (await set(token, { ...french, VATRegistrationNo: 'fr 40 303265045' })).body,
    ).toMatchObject({ VATRegistrationNo: 'FR40303265045' });
    const swiss = { Name: 'Bäckerei', countryCode: 'CH', CustomerPostingGroup: 'EXT' };
    expect((await set(token, { ...swiss, VATRegistrationNo: 'CHE-116.281.710' })).status).toBe(200);
    expect((await set(token, { ...swiss, VATRegistrationNo: '1'.repeat(21) })).status).toBe(400);
  });

  it('assigns codes that clash neither with typed ones nor with each other', async () => {
    const { token } = await app.signUp();
    await set(token, { No: 'C00003', Name: 'Con código' });
    const created = await Promise.all(
      Array.from({ length: 10 }, (_, i) => set(token, { Name: `Cliente ${i}` })),
    );
    const codes = created.map(({ body }) => body.No).sort();
    expect(codes).toEqual([
      'C00002',
      ...Array.from({ length: 9 }, (_, i) => `C${String(i + 4).padStart(5, '0')}`),
    ]);
    expect(await set(token, { No: 'C00003', Name: 'Repetido' })).toMatchObject({
      status: 409,
      body: { message: 'Ya existe un cliente con el código C00003.' },
    });
  });

  it('changes a client', async () => {
    const { token } = await app.signUp();
    const { body: client } = await set(token, { Name: 'Antes' });
    const { status, body } = await update(token, { ...client, Name: 'Después', postCode: '28001' });
    expect([status, body]).toEqual([200, { ...client, Name: 'Después', postCode: '28001' }]);
    expect((await update(token, { ...client, No: 'NADIE' })).status).toBe(404);
  });

  it('changes what is sent, and leaves the rest as it was', async () => {
    const { token } = await app.signUp();
    const card = { Name: 'Antes', Address: 'C/ Una 1', Email: 'a@b.es', countryCode: 'PT' };
    const { body: before } = await set(token, { ...card, CustomerPostingGroup: 'UEPART' });
    const change = { No: before.No, Name: 'Después', Email: null };
    expect((await update(token, change)).body).toEqual({ ...before, Name: 'Después' });
    const emptied = { No: before.No, Address: '' };
    expect((await update(token, emptied)).body).toEqual({
      ...before,
      Name: 'Después',
      Address: '',
    });
  });

  it('keeps all of several simultaneous changes', async () => {
    const { token } = await app.signUp();
    const changes = {
      Name: 'Después',
      Address: 'C/ Otra 2',
      postCode: '28001',
      Email: 'b@c.es',
      VATRegistrationNo: 'A58818501',
    };
    for (let round = 0; round < 5; round++) {
      const { body: before } = await set(token, { Name: 'Antes' });
      const answers = await Promise.all(
        Object.entries(changes).map(([field, value]) =>
          update(token, { No: before.No, [field]: value }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
      expect(await list(token)).toContainEqual({ ...before, ...changes });
    }
  });

  it('deletes a client without invoices, and archives one with invoices', async () => {
    const { token, id } = await app.signUp();
    await set(token, { No: 'SIN', Name: 'Sin facturas' });
    await set(token, { No: 'CON', Name: 'Con facturas' });
    await app.sql`
      insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no)
      values (${id}, 'B-1', 'Borrador', 'F1', '2026-11-20', 'CON')`;
    expect(await remove(token, 'SIN')).toMatchObject({ status: 200, body: {} });
    expect((await remove(token, 'CON')).body.message).toContain('sus facturas lo conservan');
    expect((await list(token)).map(({ No }) => No)).toEqual(['C00001']);
    for (const gone of ['SIN', 'CON']) expect((await remove(token, gone)).status).toBe(404);
    expect((await set(token, { No: 'CON', Name: 'Otro' })).status).toBe(409);
  });

  it('still returns a deleted client with the invoices that are made out to it', async () => {
    const { token } = await app.signUp();
    await set(token, { No: 'CON', Name: 'Con facturas' });
    const draft = { type: 'factura', invoiceType: 0, invoiceClient: 'CON', accionFactura: 0 };
    const { DocNo: No } = (
      await app.post<{ DocNo: string }>(
        'PostData/SetFacturas',
        { ...draft, typeClient: 'NAC', claveRegimen: '01', invoiceItems: '[]' },
        token,
      )
    ).body;
    type Edit = { clienteEliminado?: { Name: string } };
    const opened = async () => [
      (await app.post<Edit>('PostData/GetEditInvoice', { No }, token)).body,
      (await app.post<{ borrador: Edit }>('PostData/GetInvoiceDetail', { No }, token)).body
        .borrador,
    ];
    for (const edit of await opened()) expect(edit).not.toHaveProperty('clienteEliminado');
    await remove(token, 'CON');
    for (const edit of await opened()) {
      expect(edit.clienteEliminado).toMatchObject({ No: 'CON', Name: 'Con facturas' });
    }
  });

  it('keeps the client of simplified invoices until another one replaces it', async () => {
    const { token } = await app.signUp();
    const { status, body } = await remove(token, 'C00001');
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining('Elige otro en tu perfil'),
    ]);
  });

  it('does not know another company’s clients', async () => {
    const mine = await app.signUp();
    const theirs = await app.signUp();
    await set(theirs.token, { No: 'SUYO', Name: 'De la otra' });
    expect((await update(mine.token, { No: 'SUYO', Name: 'Mío ahora' })).status).toBe(404);
    expect((await remove(mine.token, 'SUYO')).status).toBe(404);
    expect((await list(mine.token)).map(({ No }) => No)).not.toContain('SUYO');
    expect(await list(theirs.token)).toContainEqual(
      expect.objectContaining({ No: 'SUYO', Name: 'De la otra' }),
    );
  });
});

describe('products', () => {
  const set = (token: string, body: object) =>
    app.post<{ No: string; UnitPrice: number; message: string[] }>(
      'PostData/SetProductos',
      body,
      token,
    );

  it.each([
    ['12,5', 12.5],
    ['1.234,56', 1234.56],
    ['0.125', 0.125],
    [0.1, 0.1],
    ['0,123456', 0.123456],
    ['', null],
    ['-1', null],
    ['0,1234567', null],
    ['doce', null],
  ])('reads the price «%s» as %s', async (typed, price) => {
    const { token } = await app.signUp();
    const { status, body } = await set(token, { Name: 'Pan', UnitPrice: typed });
    expect([status, price === null ? null : body.UnitPrice]).toEqual([
      price === null ? 400 : 200,
      price,
    ]);
  });

  it('changes what is sent, and leaves the rest as it was', async () => {
    const { token } = await app.signUp();
    const { body: before } = await set(token, { Name: 'Pan', UnitPrice: '1,234' });
    const change = { No: before.No, Name: 'Hogaza' };
    expect((await app.post('PostData/UpdateProductos', change, token)).body).toEqual({
      ...before,
      Name: 'Hogaza',
      UnitPrice: 1.234,
    });
  });

  it('stores the tax that it is usually sold with, one of its territory', async () => {
    const { token } = await app.signUp();
    const { body: bread } = await set(token, { Name: 'Pan', VATProdPostingGroup: 'IVA4' });
    expect(bread).toMatchObject({ VATProdPostingGroup: 'IVA4' });
    const change = (fields: object) =>
      app.post('PostData/UpdateProductos', { No: bread.No, ...fields }, token);
    expect((await change({ UnitPrice: '2' })).body).toEqual({ ...bread, UnitPrice: 2 });
    for (const VATProdPostingGroup of ['IGIC7', 'CAJA21', 'ISP', 'IVA5', 'nada']) {
      expect(await change({ VATProdPostingGroup })).toMatchObject({
        status: 400,
        body: { message: ['Elige el impuesto de la lista.'] },
      });
    }
    const { VATProdPostingGroup: _, ...untaxed } = { ...bread, UnitPrice: 2 } as Record<
      string,
      unknown
    >;
    expect((await change({ VATProdPostingGroup: '' })).body).toEqual(untaxed);
  });

  it('creates, lists, changes and deletes', async () => {
    const { token } = await app.signUp();
    const { body: product } = await set(token, {
      Name: ' Barra de pan ',
      UnitPrice: '1,2',
      UnitOfMeasure: 'UD',
    });
    expect(product).toEqual({
      No: 'P00001',
      Name: 'Barra de pan',
      UnitOfMeasure: 'UD',
      UnitPrice: 1.2,
    });
    expect((await app.get('GetProductos', token)).body).toEqual([product]);
    const dearer = { ...product, UnitPrice: '1,30' };
    expect((await app.post('PostData/UpdateProductos', dearer, token)).body).toEqual({
      ...product,
      UnitPrice: 1.3,
    });
    expect(await set(token, { No: 'P00001', Name: 'Otro' })).toMatchObject({ status: 409 });
    const remove = () => app.post('PostData/DeleteProducto', { No: 'P00001' }, token);
    expect(await remove()).toMatchObject({ status: 200, body: {} });
    expect((await remove()).status).toBe(404);
    expect((await app.post('PostData/UpdateProductos', dearer, token)).status).toBe(404);
  });

  it('names every field that is wrong', async () => {
    const { token } = await app.signUp();
    expect(
      (await set(token, { Name: '\u3164', UnitPrice: 'x', UnitOfMeasure: 'X' })).body.message,
    ).toEqual([
      'Escribe el nombre del producto.',
      'El precio debe ser un número desde 0, con 12 cifras y 6 decimales como mucho.',
      'Elige la unidad de la lista.',
    ]);
  });

  it('does not know another company’s products', async () => {
    const mine = await app.signUp();
    const theirs = await app.signUp();
    await set(theirs.token, { No: 'SUYO', Name: 'Pan', UnitPrice: '1' });
    const change = { No: 'SUYO', Name: 'Mío', UnitPrice: '2' };
    expect((await app.post('PostData/UpdateProductos', change, mine.token)).status).toBe(404);
    expect((await app.post('PostData/DeleteProducto', { No: 'SUYO' }, mine.token)).status).toBe(
      404,
    );
    expect((await app.get('GetProductos', mine.token)).body).toEqual([]);
  });
});

describe('catalogs', () => {
  it('returns the countries to anybody, Spain first', async () => {
    const { status, body } = await app.get<{ value: string; label: string }[]>('GetPaises');
    expect([status, body[0], body.length > 200]).toEqual([
      200,
      { value: 'ES', label: 'España' },
      true,
    ]);
  });

  it.each([
    ['GetTerminosPago', '30D'],
    ['GetFormasPago', 'TRANSF'],
    ['GetGrupoContable', 'NAC'],
    ['GetUnitOfMeasure', 'UD'],
    ['GetClavesRegimen', '01'],
  ])('returns %s as values and labels', async (call, value) => {
    const { token } = await app.signUp();
    const { body } = await app.get<{ value: string; label: string }[]>(call, token);
    expect(body.find((entry) => entry.value === value)?.label).toEqual(expect.any(String));
    for (const entry of body) expect(Object.keys(entry)).toEqual(['value', 'label']);
  });

  it('returns the taxes of the territory, one for each pair of groups', async () => {
    const { token } = await app.signUp();
    const canary = await app.signUp({ postCode: '38001' });
    const { body } = await app.get<Record<string, unknown>[]>('GetGrupoIVA', token);
    expect(body).toContainEqual(
      expect.objectContaining({
        VATProdPostingGroup: 'IVA21',
        VATBusPostingGroup: 'NAC',
        VATCalculationType: 'Normal',
        VATPercentage: 21,
      }),
    );
    const pairs = body.map((g) => `${g.VATProdPostingGroup}|${g.VATBusPostingGroup}`);
    expect(new Set(pairs).size).toBe(pairs.length);
    const canaryTaxes = await app.get<Record<string, unknown>[]>('GetGrupoIVA', canary.token);
    expect(canaryTaxes.body).not.toEqual([]);
    expect(canaryTaxes.body.every((g) => !String(g.VATProdPostingGroup).startsWith('IVA'))).toBe(
      true,
    );
  });
});

describe('Idempotency-Key', () => {
  const create = (token: string, key: string, Name: string) =>
    app.call<Client & { message: string }>('POST', '/api/PostData/SetClientes', {
      token,
      body: { Name },
      headers: { 'idempotency-key': key },
    });
  const names = async (token: string) =>
    (await app.get<Client[]>('GetClientes', token)).body.map(({ Name }) => Name);

  it('returns the first answer again, and does nothing', async () => {
    const { token } = await app.signUp();
    const first = await create(token, 'uno', 'Hotel');
    const again = await create(token, 'uno', 'Hotel');
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await names(token)).toEqual(['Cliente de mostrador', 'Hotel']);
    expect(await create(token, 'uno', 'Otro hotel')).toMatchObject({ status: 409 });
    expect((await create(token, 'dos', 'Hotel')).body.No).not.toBe(first.body.No);
  });

  it('executes one of ten equal calls at once', async () => {
    const { token } = await app.signUp();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => create(token, 'a la vez', 'Hotel')),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await names(token)).toEqual(['Cliente de mostrador', 'Hotel']);
  });

  it('allows retrying a refused call, and is forgotten after a day', async () => {
    const { token, email } = await app.signUp();
    expect((await create(token, 'tres', '')).status).toBe(400);
    expect((await create(token, 'tres', 'Hotel')).status).toBe(200);
    app.advanceClock(24 * 3600 + 1);
    expect((await create(await app.login(email), 'tres', 'Hotel')).status).toBe(200);
    expect(await names(await app.login(email))).toEqual(['Cliente de mostrador', 'Hotel', 'Hotel']);
  });

  it('belongs to one company', async () => {
    const mine = await app.signUp();
    const theirs = await app.signUp();
    await create(mine.token, 'cuatro', 'Hotel');
    expect((await create(theirs.token, 'cuatro', 'Hostal')).body.Name).toBe('Hostal');
  });
});
