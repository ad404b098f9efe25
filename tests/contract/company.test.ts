import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changePicture } from '../../src/operations/change-picture.ts';
import { saveMaintenance } from '../../src/store/app-settings.ts';
import { untilTrue, yearOf } from '../support/world.ts';
import { type AccountApp, claimsOf, openAccountApp, PASSWORD, signUpBody } from './account-app.ts';

const ALREADY = 'Ya existe una cuenta con estos datos. Inicia sesión o recupera tu contraseña.';

let app: AccountApp;
beforeAll(async () => {
  app = await openAccountApp();
});
afterAll(() => app.close());

/** As if an invoice had been registered: only its existence matters here. */
async function insertRegistered(
  companyId: number,
  {
    docNo,
    status = 'Registrada',
    customerNo = '',
  }: Record<'docNo' | 'status' | 'customerNo', string>,
) {
  await app.sql`
    insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no,
           registered_at)
    values (${companyId}, ${docNo}, ${status}, 'F1', '2026-11-20', ${customerNo}, now())`;
  await app.sql`
    update cadenas set last_seq = last_seq + 1, last_huella = ${docNo}
     where company_id = ${companyId}`;
}

/** A certificate that nobody opens. */
async function insertCertificate(companyId: number) {
  await app.sql`
    insert into certificates (company_id, kek_id, sealed_key, sealed, file_name, titular, nif, tipo, emisor, serie,
           huella_certificado, valido_desde, valido_hasta, updated_at)
    values (${companyId}, 'k', '', '', 'a.p12', 'Ana', '', 'representante', 'AC', '01', 'AB', '2026-01-01',
            '2099-01-01', now())`;
}

describe('SetDatosEmpresa1', () => {
  const set = (token: string, body: Record<string, string>) =>
    app.post<{ tokenJWT?: string; message?: string; codigo?: string; errores?: string[] }>(
      'PostData/SetDatosEmpresa1',
      body,
      token,
    );

  it('changes nothing and asks for no password if nothing changes', async () => {
    const company = await app.signUp();
    app.advanceClock(11 * 60);
    expect(
      await set(company.token, { Email: company.email.toUpperCase(), Password: '' }),
    ).toMatchObject({ status: 200, body: {} });
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(200);
  });

  it('changes the e-mail, returns a token for it, ends the other sessions and notifies both addresses', async () => {
    const company = await app.signUp();
    const other = await app.login(company.email);
    const { email } = signUpBody();
    const { status, body } = await set(company.token, { Email: email, Password: '' });
    expect(status).toBe(200);
    const token = body.tokenJWT ?? '';
    expect(claimsOf(token)).toMatchObject({ email, sub: String(company.id) });
    expect((await app.get('GetDatosEmpresa', token)).body).toMatchObject({ Email: email });
    for (const old of [company.token, other]) {
      expect((await app.get('GetDatosEmpresa', old)).status).toBe(401);
    }
    await expect(app.login(company.email)).rejects.toThrow('401');
    expect(await app.login(email)).toBeTruthy();
    for (const address of [company.email, email]) {
      expect((await app.queuedFor(address)).at(-1)).toMatchObject({
        kind: 'correo-cambiado',
        oldEmail: company.email,
        newEmail: email,
      });
    }
  });

  it('changes the password and ends every session, including this one', async () => {
    const company = await app.signUp();
    const { status, body } = await set(company.token, {
      Email: company.email,
      Password: 'otra frase bien larga',
    });
    expect([status, body]).toEqual([200, {}]);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);
    await expect(app.login(company.email)).rejects.toThrow('401');
    expect(await app.login(company.email, 'otra frase bien larga')).toBeTruthy();
    expect((await app.queuedFor(company.email)).at(-1)?.kind).toBe('contrasena-cambiada');
  });

  it('asks for the current password ten minutes after signing in', async () => {
    const company = await app.signUp();
    const change = { Email: signUpBody().email, Password: '' };
    app.advanceClock(10 * 60 + 1);
    const asked = await set(company.token, change);
    expect([asked.status, asked.body.codigo, asked.body.message]).toEqual([
      400,
      'REAUTHENTICATE',
      'Escribe tu contraseña actual para confirmar que eres tú.',
    ]);
    const wrong = await set(company.token, { ...change, PasswordActual: 'no es esta, seguro' });
    expect([wrong.status, wrong.body.message]).toEqual([
      400,
      'La contraseña actual no es correcta.',
    ]);
    const right = await set(company.token, { ...change, PasswordActual: PASSWORD });
    expect([right.status, typeof right.body.tokenJWT]).toEqual([200, 'string']);
  });

  it('does not let the current password be guessed in a stolen session', async () => {
    const company = await app.signUp();
    const guess = () =>
      set(company.token, { Email: signUpBody().email, PasswordActual: 'no es esta, seguro' });
    for (let i = 0; i < 5; i++) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
  });

  it('does not let an account find out who else has one, nor write to one address after another', async () => {
    const company = await app.signUp();
    const taken = await app.signUp();
    for (let i = 0; i < 9; i++) {
      expect((await set(company.token, { Email: taken.email })).status).toBe(409);
    }
    const { email } = signUpBody();
    const moved = await set(company.token, { Email: email });
    expect(moved.status).toBe(200);
    const next = signUpBody().email;
    expect((await set(moved.body.tokenJWT ?? '', { Email: next })).status).toBe(429);
    expect(await app.queuedFor(next)).toEqual([]);
    app.advanceClock(60 * 60);
    expect((await set(await app.login(email), { Email: next })).status).toBe(200);
  });

  it('gives an e-mail to only one of two companies that want it at once', async () => {
    const companies = await Promise.all([1, 2, 3, 4].map(() => app.signUp()));
    const { email } = signUpBody();
    const answers = await Promise.all(companies.map(({ token }) => set(token, { Email: email })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  });

  it('refuses an e-mail that has an account, a malformed one and a weak password', async () => {
    const company = await app.signUp();
    const taken = await app.signUp();
    expect(await set(company.token, { Email: taken.email })).toMatchObject({
      status: 409,
      body: { message: [ALREADY] },
    });
    expect((await set(company.token, { Email: 'a@b' })).status).toBe(400);
    expect((await set(company.token, { Password: company.email })).body.errores).toEqual([
      'La contraseña no puede contener tu correo electrónico.',
    ]);
    expect((await set(company.token, { Password: PASSWORD })).body.errores).toEqual([
      'La nueva contraseña debe ser distinta de la actual.',
    ]);
    expect((await app.get('GetDatosEmpresa', company.token)).body).toMatchObject({
      Email: company.email,
    });
  });
});

describe('SetDatosEmpresa2', () => {
  const set = (token: string, body: Record<string, string>) =>
    app.post<Record<string, unknown>>('PostData/SetDatosEmpresa2', body, token);
  const data = (nif: string) => ({
    Name: 'Taller Nuevo',
    VATRegistrationNo: nif,
    Address: 'Plaza Mayor, 2',
    countryCode: 'ES',
    postCode: '28013',
  });

  it('changes the data and answers them like GetDatosEmpresa', async () => {
    const company = await app.signUp();
    const { status, body } = await set(company.token, data(company.cifNif));
    expect([status, body]).toEqual([200, (await app.get('GetDatosEmpresa', company.token)).body]);
    expect(body).toMatchObject({ Name: 'Taller Nuevo', Address: 'Plaza Mayor, 2' });
  });

  it('changes the taxes when the company moves to the Canaries and back', async () => {
    const company = await app.signUp();
    const taxes = async () => {
      const { body } = await app.get<{ VATProdPostingGroup: string }[]>(
        'GetGrupoIVA',
        company.token,
      );
      return new Set(body.map(({ VATProdPostingGroup }) => VATProdPostingGroup));
    };
    expect(await taxes()).toContain('IVA21');
    await set(company.token, { ...data(company.cifNif), postCode: '35001' });
    expect(await taxes()).not.toContain('IVA21');
    expect([...(await taxes())].some((tax) => tax.startsWith('IGIC'))).toBe(true);
    await set(company.token, data(company.cifNif));
    expect(await taxes()).toContain('IVA21');
    // Rennes, not Las Palmas.
    const abroad = { countryCode: 'FR', postCode: '35000' };
    await set(company.token, { ...data(company.cifNif), ...abroad });
    expect(await taxes()).toContain('IVA21');
    const other = await app.signUp(abroad);
    expect((await app.get('GetGrupoIVA', other.token)).body).toContainEqual(
      expect.objectContaining({ VATProdPostingGroup: 'IVA21' }),
    );
  });

  it('does not let an account find out which other NIFs have one', async () => {
    const company = await app.signUp();
    const other = await app.signUp();
    for (let i = 0; i < 10; i++) {
      expect((await set(company.token, data(other.cifNif))).status).toBe(409);
    }
    expect((await set(company.token, data(other.cifNif))).status).toBe(429);
    // Anything else can still be changed.
    expect((await set(company.token, data(company.cifNif))).status).toBe(200);
  });

  it('corrects a NIF until the first invoice is registered, and never to another account’s', async () => {
    const company = await app.signUp();
    const other = await app.signUp();
    const { cifNif } = signUpBody();
    expect((await set(company.token, data(cifNif))).body).toMatchObject({
      VATRegistrationNo: cifNif,
    });
    expect(await set(company.token, data(other.cifNif))).toMatchObject({
      status: 409,
      body: { message: [ALREADY] },
    });
    await insertRegistered(company.id, { docNo: '00001/26', status: 'Registrada', customerNo: '' });
    const { status, body } = await set(company.token, data(signUpBody().cifNif));
    expect([status, body.message]).toEqual([409, expect.stringContaining(cifNif)]);
    expect((await set(company.token, { ...data(cifNif), Name: 'Con otro nombre' })).status).toBe(
      200,
    );
  });

  it('keeps the counter when the NIF is corrected, unless its numbers were used under that NIF', async () => {
    const company = await app.signUp();
    const year = yearOf(app.deps.clock());
    const choose = async (NoSerie: string) =>
      expect(
        (await app.post('PostData/reiniciarContador', { NoSerie }, company.token)).status,
      ).toBe(200);
    const kinds = async () =>
      (
        await app.sql<{ text: string }[]>`
          select kind || ' ' || next_number || suffix as text from series
           where company_id = ${company.id} order by kind`
      ).map(({ text }) => text);
    await choose(`00348/${year}`);
    const before = await kinds();
    const mended = await set(company.token, data(signUpBody().cifNif));
    expect(mended).toMatchObject({ status: 200, body: { NoSerie: `00348/${year}` } });
    expect(mended.body.message).toBeUndefined();
    expect(await kinds()).toEqual(before);

    // By an account with that NIF that was closed.
    const closed = await app.signUp();
    await insertRegistered(closed.id, {
      docNo: `00350/${year}`,
      status: 'Registrada',
      customerNo: '',
    });
    expect((await app.post('PostData/DeleteAccount', undefined, closed.token)).status).toBe(200);
    const taken = await set(company.token, data(closed.cifNif));
    expect(taken.body).toMatchObject({
      NoSerie: `00001/${year}-2`,
      message: expect.stringContaining(
        `00348/${year} o posteriores: tu contador empieza en 00001/${year}-2`,
      ),
    });
    expect(await app.get('GetDatosEmpresa', company.token)).toMatchObject({
      body: { NoSerie: `00001/${year}-2` },
    });
  });

  it('names every field that is wrong', async () => {
    const company = await app.signUp();
    const { status, body } = await set(company.token, {
      Name: ' ',
      VATRegistrationNo: 'B12345670',
      Address: '',
      countryCode: 'ES',
      postCode: '1001',
    });
    expect(status).toBe(400);
    expect(body.message).toEqual([
      'Escribe el nombre de la empresa.',
      expect.stringContaining('B12345670'),
      'Escribe la dirección de la empresa.',
      expect.stringContaining('01001'),
    ]);
  });
});

describe('SetDatosEmpresa3', () => {
  it('stores the defaults for new clients and simplified invoices', async () => {
    const company = await app.signUp();
    const choice = {
      PaymentTerms: '60D',
      PaymentMethod: 'TARJETA',
      CustomerPostingGroup: 'NAC',
      Customer: '',
    };
    const answer = await app.post('PostData/SetDatosEmpresa3', choice, company.token);
    expect(answer).toMatchObject({ status: 200, body: choice });
    const { body } = await app.post('PostData/SetClientes', { Name: 'Nuevo' }, company.token);
    expect(body).toMatchObject({ PaymentTerms: '60D', PaymentMethod: 'TARJETA' });
  });

  it('refuses a customer that is being deleted', async () => {
    const company = await app.signUp();
    const { body: client } = await app.post<{ No: string }>(
      'PostData/SetClientes',
      { Name: 'Mostrador' },
      company.token,
    );
    const { chosen } = await app.sql.begin(async (tx) => {
      await tx`select from companies where id = ${company.id} for update`;
      const chosen = app.post('PostData/SetDatosEmpresa3', { Customer: client.No }, company.token);
      await untilTrue(
        () => app.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        (waiting) => waiting.length > 0,
      );
      await tx`delete from customers where company_id = ${company.id} and no = ${client.No}`;
      return { chosen };
    });
    expect((await chosen).status).toBe(404);
  });

  it('changes what is sent, and leaves the rest as it was', async () => {
    const company = await app.signUp();
    const { body: before } = await app.post('PostData/SetDatosEmpresa3', {}, company.token);
    const change = (given: Record<string, string>) =>
      app.post('PostData/SetDatosEmpresa3', given, company.token);
    const { body: client } = await app.post<{ No: string }>(
      'PostData/SetClientes',
      { Name: 'Mostrador' },
      company.token,
    );
    // At the same time, as by two users.
    await Promise.all([
      change({ PaymentTerms: '60D' }),
      change({ PaymentMethod: 'TARJETA' }),
      change({ Customer: client.No }),
      change({ Telefono: '910 000 000' }),
    ]);
    const after = {
      ...before,
      PaymentTerms: '60D',
      PaymentMethod: 'TARJETA',
      Customer: client.No,
      Telefono: '910 000 000',
    };
    expect((await change({})).body).toEqual(after);
    expect((await change({ Customer: '' })).body).toEqual({ ...after, Customer: '' });
    expect((await change({ PaymentTerms: '' })).status).toBe(400);
    const long = await change({ DatosRegistrales: 'x'.repeat(151) });
    expect(long).toMatchObject({
      status: 400,
      body: { message: [expect.stringContaining('pasar de 150')] },
    });
  });

  it('stores the usual retention in the form that invoices use, and changes none automatically', async () => {
    const company = await app.signUp();
    const change = (RetencionPorDefecto: string | number) =>
      app.post<{ message?: unknown; RetencionPorDefecto: string }>(
        'PostData/SetDatosEmpresa3',
        { RetencionPorDefecto },
        company.token,
      );
    const kept = async () =>
      (await app.get<{ RetencionPorDefecto: string }>('GetDatosEmpresa', company.token)).body
        .RetencionPorDefecto;
    for (const [given, said] of [
      ['15', '15'],
      ['7,00', '7'],
      ['2.8', '2,8'],
      [19, '19'],
    ] as const) {
      expect((await change(given)).body.RetencionPorDefecto).toBe(said);
    }
    for (const wrong of ['51', '-1', 'quince', '1,234']) {
      const { status, body } = await change(wrong);
      expect([status, body.message]).toEqual([400, [expect.stringContaining('entre 0 y 50')]]);
    }
    expect(await kept()).toBe('19');

    // It is what the form begins with: a call without a retention has none.
    const lines = [{ description: 'Pan', quantity: '1', price: '10', tax: 'IVA21' }];
    const { body: saved } = await app.post<{ DocNo: string }>(
      'PostData/SetFacturas',
      { accionFactura: 0, invoiceDate: '2026-11-20', invoiceItems: lines },
      company.token,
    );
    const { body: draft } = await app.post<{ retencionIRPF?: string }>(
      'PostData/GetEditInvoice',
      { No: saved.DocNo },
      company.token,
    );
    expect(draft.retencionIRPF ?? '').toBe('');

    expect((await change('')).body.RetencionPorDefecto).toBe('');
    expect((await change('0')).body.RetencionPorDefecto).toBe('');
  });

  it('keeps a usual tax that the company may use, while it may', async () => {
    const company = await app.signUp();
    const set = (call: string, body: object) =>
      app.post<{ message?: unknown; ImpuestoPorDefecto?: string }>(
        `PostData/${call}`,
        body,
        company.token,
      );
    const change = (ImpuestoPorDefecto: string) => set('SetDatosEmpresa3', { ImpuestoPorDefecto });
    for (const tax of ['IVA10', '', 'MODULOS10', 'EXESAN']) {
      expect((await change(tax)).body.ImpuestoPorDefecto).toBe(tax);
    }
    // Of the Canaries, of clients of the Union, no longer in force, and codes by hand.
    for (const tax of ['IGIC7', 'INTRAUE', 'IVA5', '01/01/S1/10', 'iva10']) {
      const { status, body } = await change(tax);
      expect([status, body.message]).toEqual([400, [expect.stringContaining('impuesto habitual')]]);
    }
    expect((await set('SetDatosEmpresa3', { Telefono: '' })).body.ImpuestoPorDefecto).toBe(
      'EXESAN',
    );

    const moveTo = (postCode: string) =>
      set('SetDatosEmpresa2', {
        Name: 'Taller Nuevo',
        VATRegistrationNo: company.cifNif,
        Address: 'Plaza Mayor, 2',
        countryCode: 'ES',
        postCode,
      });
    // Where the tax is the same one, it stays.
    const toBilbao = await moveTo('48001');
    expect(toBilbao.body).toMatchObject({ ImpuestoPorDefecto: 'EXESAN' });
    expect(toBilbao.body.message).toBeUndefined();
    const toLasPalmas = await moveTo('35001');
    expect(toLasPalmas.body).toMatchObject({
      ImpuestoPorDefecto: '',
      message: expect.stringContaining('elige otra vez tu impuesto habitual'),
    });
    expect((await change('IGICPEQ')).body.ImpuestoPorDefecto).toBe('IGICPEQ');
  });

  it('refuses values that are not in the lists, and another company’s client', async () => {
    const company = await app.signUp();
    const other = await app.signUp();
    const { body: client } = await app.post<{ No: string }>(
      'PostData/SetClientes',
      { No: 'SUYO', Name: 'De la otra' },
      other.token,
    );
    const set = (defaults: object) =>
      app.post('PostData/SetDatosEmpresa3', defaults, company.token);
    const choices = { PaymentTerms: 'X', PaymentMethod: 'X', CustomerPostingGroup: 'X' };
    const { status, body } = await set(choices);
    expect([status, (body.message as string[]).length]).toEqual([400, 3]);
    const theirs = await set({ ...choices, Customer: client.No });
    expect([theirs.status, theirs.body.message]).toEqual([
      404,
      'El cliente «SUYO» no existe. Elige en «Cliente de las simplificadas» uno de los tuyos.',
    ]);
  });
});

describe('reiniciarContador', () => {
  const restart = (token: string, NoSerie: string) =>
    app.post<{ NoSerie?: string; message?: string }>(
      'PostData/reiniciarContador',
      { NoSerie },
      token,
    );

  it('restarts the six series', async () => {
    const company = await app.signUp();
    const { status, body } = await restart(company.token, ' 00001/LO ');
    expect([status, body.NoSerie]).toEqual([200, '00001/LO']);
    const rows = await app.sql<{ kind: string; suffix: string; next_number: bigint }[]>`
      select kind, suffix, next_number from series where company_id = ${company.id} order by kind`;
    expect(rows.map((row) => [row.kind, row.suffix, row.next_number])).toEqual([
      ['F', '/LO', 1n],
      ['G', '/LOG', 1n],
      ['M', '/LOM', 1n],
      ['R', '/LOR', 1n],
      ['RS', '/LORS', 1n],
      ['S', '/LOS', 1n],
    ]);
  });

  it('keeps the date of the last invoice when a series only jumps ahead', async () => {
    const company = await app.signUp();
    await restart(company.token, '00001/LO');
    await app.sql`
      update series set last_date = '2026-11-19' where company_id = ${company.id} and kind = 'F'`;
    const lastDate = async () => {
      const [row] = await app.sql<{ last_date: string | null }[]>`
        select last_date from series where company_id = ${company.id} and kind = 'F'`;
      return row?.last_date;
    };
    expect((await restart(company.token, '0050/LO')).status).toBe(200);
    expect(await lastDate()).toBe('2026-11-19');
    expect((await restart(company.token, '00001/LP')).status).toBe(200);
    expect(await lastDate()).toBeNull();
    // The AEAT has a number of it that was lost here.
    await app.sql`
      insert into registros_perdidos
      values (${company.id}, '00060/LO', '20-11-2026', '', '', null, 'Correcto', now())`;
    expect((await restart(company.token, '00060/LO')).status).toBe(409);
    expect((await restart(company.token, '00061/LO')).status).toBe(200);
    expect(await lastDate()).toBe('2026-11-20');
  });

  it('also keeps it when a series that was left is resumed, even in another account', async () => {
    const company = await app.signUp();
    const row = { status: 'Registrada', customerNo: '' };
    await insertRegistered(company.id, { ...row, docNo: '00007/LO' });
    await insertRegistered(company.id, { ...row, docNo: '00002/LOR' });
    const lastDates = async (id: number) =>
      await app.sql<{ kind: string; last_date: string }[]>`
        select kind, last_date from series
         where company_id = ${id} and last_date is not null order by kind`;
    const expected = [
      { kind: 'F', last_date: '2026-11-20' },
      { kind: 'R', last_date: '2026-11-20' },
    ];
    await restart(company.token, '00001/LP');
    expect(await lastDates(company.id)).toEqual([]);
    await restart(company.token, '00008/LO');
    expect(await lastDates(company.id)).toEqual(expected);

    expect((await app.post('PostData/DeleteAccount', undefined, company.token)).status).toBe(200);
    const again = await app.signUp({ cifNif: company.cifNif });
    await restart(again.token, '00008/LO');
    expect(await lastDates(again.id)).toEqual(expected);
  });

  it.each(['', '/LO', 'Ñ00001', '00001<LO', `00001/${'L'.repeat(60)}`])(
    'refuses «%s», saying why',
    async (text) => {
      const company = await app.signUp();
      const { status, body } = await restart(company.token, text);
      expect([status, typeof body.message]).toEqual([400, 'string']);
    },
  );

  it('refuses a number that is assigned while all others are searched', async () => {
    const company = await app.signUp();
    const answer = await app.sql.begin(async (tx) => {
      await tx`select from cadenas where company_id = ${company.id} for update`;
      const restarted = restart(company.token, '00001/LO');
      await untilTrue(
        () => app.sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        (waiting) => waiting.length > 0,
      );
      await tx`
        insert into invoices (company_id, id, doc_no, status, tipo_factura, posting_date, registered_at)
        values (${company.id}, 1, '00003/LO', 'En espera', 'F1', '2026-11-20', now())`;
      await tx`
        insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura, fecha_expedicion_factura,
               huella, huella_anterior, fecha_hora_huso_gen_registro, generated_at, xml)
        values (${company.id}, 1, 1, 'Alta', '00003/LO', '20-11-2026', '', '', '', now(), '')`;
      await tx`update cadenas set last_seq = 1 where company_id = ${company.id}`;
      return { restarted };
    });
    expect((await answer.restarted).status).toBe(409);
  });

  it('refuses numbers in use, also in the other three series, and earlier ones that would reach them', async () => {
    const company = await app.signUp();
    const row = { status: 'Registrada', customerNo: '' };
    await insertRegistered(company.id, { ...row, docNo: '00007/LO' });
    await insertRegistered(company.id, { ...row, docNo: '00002/LPR' });
    for (const used of ['00007/LO', '00001/LO', '1/LO', '00001/LP']) {
      expect([used, (await restart(company.token, used)).status]).toEqual([used, 409]);
    }
    for (const free of ['00008/LO', '00003/LP', '00001/LOS']) {
      expect([free, (await restart(company.token, free)).status]).toEqual([free, 200]);
    }
  });
});

describe('SetCompanyPicture', () => {
  const set = (token: string, picture: string) =>
    app.post<{ message?: string }>('PostData/SetCompanyPicture', picture, token);
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#0F7B5F' } });
  const kept = async (token: string) =>
    Buffer.from((await app.get<string>('GetCompanyPicture', token)).body, 'base64');

  it('stores its own PNG, of at most 700 pixels, without the hidden data of the file', async () => {
    const company = await app.signUp();
    const png = await picture(1400, 700).png().toBuffer();
    const smuggled = Buffer.concat([png, Buffer.from('<script>alert(1)</script>')]);
    expect(await set(company.token, smuggled.toString('base64'))).toMatchObject({
      status: 200,
      body: {},
    });
    const result = await kept(company.token);
    expect(await sharp(result).metadata()).toMatchObject({
      format: 'png',
      width: 700,
      height: 350,
    });
    expect(result.includes('script')).toBe(false);
  });

  it('accepts a JPG, and a data URL', async () => {
    const company = await app.signUp();
    const jpeg = await picture(40, 20).jpeg().toBuffer();
    const { status } = await set(
      company.token,
      `data:image/jpeg;base64,${jpeg.toString('base64')}`,
    );
    expect(status).toBe(200);
    expect(await sharp(await kept(company.token)).metadata()).toMatchObject({
      format: 'png',
      width: 40,
    });
  });

  it('draws those of a company one after another, and the later of two stays', async () => {
    const { id, token } = await app.signUp();
    const pictures = [picture(3000, 3000), picture(20, 10)].map((one) => one.png().toBuffer());
    const [slow = '', quick = ''] = (await Promise.all(pictures)).map((png) =>
      png.toString('base64'),
    );
    await Promise.all([changePicture(app.deps, id, slow), changePicture(app.deps, id, quick)]);
    expect(await sharp(await kept(token)).metadata()).toMatchObject({ width: 20 });
    await Promise.all([changePicture(app.deps, id, slow), changePicture(app.deps, id, '')]);
    expect((await app.get<string>('GetCompanyPicture', token)).body).toBe('');
  });

  it('removes the picture if the text is empty', async () => {
    const company = await app.signUp();
    await set(company.token, (await picture(10, 10).png().toBuffer()).toString('base64'));
    expect((await set(company.token, '')).status).toBe(200);
    expect((await app.get<string>('GetCompanyPicture', company.token)).body).toBe('');
  });

  it('refuses an SVG, a broken image, one too big to draw and one over 2 MB', async () => {
    const company = await app.signUp();
    const png = await picture(100, 100).png().toBuffer();
    const wide = await sharp({
      create: { width: 4100, height: 4000, channels: 3, background: '#fff' },
    })
      .png()
      .toBuffer();
    const cases: [string, Buffer, number][] = [
      ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415],
      ['half a PNG', png.subarray(0, 60), 415],
      ['16.4 million pixels', wide, 415],
      ['2 MB and a byte', Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), 413],
    ];
    for (const [what, data, status] of cases) {
      const answer = await set(company.token, data.toString('base64'));
      expect([what, answer.status, typeof answer.body.message]).toEqual([what, status, 'string']);
    }
    expect((await set(company.token, 'A'.repeat(4 * 1024 * 1024))).status).toBe(413);
  });
});

describe('subscription, demo data and maintenance', () => {
  it('expires after 30 days', async () => {
    const company = await app.signUp();
    const expired = async (token: string) =>
      (await app.get<boolean>('GetSubscriptionExpired', token)).body;
    expect(await expired(company.token)).toBe(false);
    expect((await app.get('GetDataBaseDemo', company.token)).body).toBe(true);
    app.advanceClock(30 * 86_400 + 1);
    const token = await app.login(company.email);
    expect(await expired(token)).toBe(true);
    expect((await app.get('GetDatosSubscripcion', token)).body).toMatchObject({
      type: 'Demo',
      enabled: false,
    });
  });

  it('shows the maintenance that the administrator sets', async () => {
    const { token } = await app.signUp();
    const read = async () => [
      (await app.get('GetEnableMantenimiento', token)).body,
      (await app.get('GetTextMantenimiento', token)).body,
    ];
    expect(await read()).toEqual([false, '']);
    await saveMaintenance(app.sql, { enabled: true, text: 'Esta noche, de 2 a 3.' });
    expect(await read()).toEqual([true, 'Esta noche, de 2 a 3.']);
  });

  it('tells anybody who provides the service', async () => {
    const { status, body } = await app.get('GetConfiguracion');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      version: app.deps.config.version,
      entornoAEAT: 'simulador',
      desarrollo: true,
    });
    expect(JSON.stringify(body)).not.toContain(app.deps.config.jwtSecret);
  });
});

describe('DeleteAccount', () => {
  const remove = (token: string, body?: object) => app.post('PostData/DeleteAccount', body, token);

  it('closes the account, deletes what the law does not require and keeps what was registered', async () => {
    const company = await app.signUp();
    const { token, id } = company;
    await app.post('PostData/SetClientes', { No: 'CON', Name: 'Con facturas' }, token);
    await app.post('PostData/SetClientes', { No: 'SIN', Name: 'Sin facturas' }, token);
    await app.post('PostData/SetProductos', { Name: 'Pan', UnitPrice: '1,20' }, token);
    await insertRegistered(id, { docNo: '00001/26', status: 'Registrada', customerNo: 'CON' });
    await app.sql`
      insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no)
      values (${id}, 'B-1', 'Borrador', 'F1', '2026-11-20', 'SIN')`;
    await app.sql`
      insert into uploads (company_id, id, invoice_id, file_name, media_type, content, uploaded_at)
      select company_id, gen_random_uuid(), id, 'factura.pdf', 'application/pdf', '%PDF', ${app.deps.clock()}
        from invoices where company_id = ${id}`;

    const removed = await remove(token);
    expect(removed).toMatchObject({ status: 200, body: {} });
    expect(removed.headers['clear-site-data']).toBe('"cache", "storage"');
    expect((await app.get('GetDatosEmpresa', token)).status).toBe(401);
    await expect(app.login(company.email)).rejects.toThrow('401');
    const [left] = await app.sql`
      select (select string_agg(no, ' ') from customers where company_id = ${id}) as customers,
             (select string_agg(doc_no, ' ') from invoices where company_id = ${id}) as invoices,
             (select count(*)::int from products where company_id = ${id}) as products,
             (select count(*)::int from certificates where company_id = ${id}) as certificates,
             (select count(*)::int from uploads where company_id = ${id}) as uploads,
             (select email || password_hash from companies where id = ${id}) as access`;
    expect(left).toEqual({
      customers: 'CON',
      invoices: '00001/26',
      products: 0,
      certificates: 0,
      uploads: 0,
      access: '',
    });
    expect(await app.queuedFor(company.email)).toEqual([
      { kind: 'cuenta-eliminada', companyName: company.fullName },
    ]);
    const again = await app.signUp({ email: company.email, cifNif: company.cifNif });
    expect(again.id).not.toBe(id);
  });

  it('leaves no secret, no trace of who used it, and nothing that was not registered', async () => {
    const { token, id, email } = await app.signUp();
    const { sql } = app;
    const now = app.deps.clock();
    const [there, sealed] = [randomUUID(), { kek_id: 'k', sealed_key: '', sealed: '' }];
    const rows = {
      second_factors: { ...sealed, created_at: now, confirmed_at: now },
      second_factor_codes: { id: 0, code_hash: 'x' },
      bc_connections: {
        ...sealed,
        tenant: 't',
        environment: 'e',
        bc_company: there,
        bc_company_name: 'n',
        client_id: 'c',
        status: 'activa',
        registers_at_once: true,
        writes_back: true,
        since: '2026-01-01',
        every_minutes: 15,
        next_run_at: now,
      },
      bc_cursors: { bc_company: there, entity: 'items', since: now, inclusive: true },
      bc_parties: {
        bc_company: there,
        kind: 'cliente',
        bc_id: there,
        number: '1',
        name: 'n',
        content_hash: 'x',
      },
      bc_tax_codes: { grupo: 'g', codigo: 'c', porcentaje: 21 },
      bc_runs: { cause: 'manual', status: 'terminada', phase: 'acabada', started_at: now },
      recovery_codes: { code_hmac: '', expires_at: now, created_at: now },
      company_pictures: { png: '' },
      uploads: { id: there, file_name: 'f', media_type: 'm', content: '', uploaded_at: now },
      idempotency_keys: { key: 'k', request_hash: 'h' },
      register_runs: { status: 'terminada', last_invoice_id: 1, total: 1, started_at: now },
      import_runs: { token: there, status: 'terminada', total: 1, started_at: now },
      import_readings: { token: there },
      imported_files: { import_id: 'f', imported_at: now },
    };
    await insertCertificate(id);
    for (const [table, row] of Object.entries(rows)) {
      await sql`insert into ${sql(table)} ${sql({ company_id: id, ...row })}`;
    }
    await sql`update sessions set user_agent = 'Firefox', address = '192.0.2.0' where company_id = ${id}`;
    expect((await remove(token)).status).toBe(200);

    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
       where table_schema = 'public' and column_name = 'company_id' order by 1`;
    const left: string[] = [];
    for (const { name } of tables) {
      const kept = await sql`select from ${sql(name)} where company_id = ${id} limit 1`;
      if (kept.length > 0) left.push(name);
    }
    expect(left.join(' ')).toBe(
      'cadenas company_catalogs counters despachos mail_jobs security_events series sessions',
    );
    expect(await app.queuedFor(email)).toMatchObject([{ kind: 'cuenta-eliminada' }]);
    expect(await sql`select user_agent, address from sessions where company_id = ${id}`).toEqual([
      { user_agent: '', address: '' },
    ]);
  });

  it('gives a company that comes back numbers that it has never used', async () => {
    const company = await app.signUp();
    const year = yearOf(app.deps.clock());
    await insertRegistered(company.id, {
      docNo: `00009/${year}`,
      status: 'Registrada',
      customerNo: '',
    });
    await remove(company.token);
    const again = await app.signUp({ cifNif: company.cifNif });
    expect((await app.get('GetDatosEmpresa', again.token)).body).toMatchObject({
      NoSerie: `00001/${year}-2`,
    });
    const restart = (NoSerie: string) =>
      app.post('PostData/reiniciarContador', { NoSerie }, again.token);
    expect((await restart(`00001/${year}`)).status).toBe(409);
    expect((await restart(`00010/${year}`)).status).toBe(200);
  });

  it('allows a NIF three demos a day', async () => {
    const { cifNif } = await app.signUp().then(async (company) => {
      await remove(company.token);
      return company;
    });
    for (let i = 0; i < 2; i++) await remove((await app.signUp({ cifNif })).token);
    expect((await app.post('Auth/NewRegisterDemo', signUpBody({ cifNif }))).status).toBe(429);
    app.advanceClock(86_401);
    expect((await app.post('Auth/NewRegisterDemo', signUpBody({ cifNif }))).status).toBe(200);
  });

  it('waits for what is on its way to the AEAT', async () => {
    const company = await app.signUp();
    await insertCertificate(company.id);
    await insertRegistered(company.id, { docNo: '00001/26', status: 'En espera', customerNo: '' });
    const { status, body } = await remove(company.token);
    expect([status, body.message]).toEqual([
      409,
      'Hay facturas pendientes de envío a la AEAT. Espera a que se envíen o corrígelas antes de eliminar la cuenta.',
    ]);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(200);
  });

  it('can close a demo that is over, of which nothing can be sent or corrected', async () => {
    const company = await app.signUp();
    await insertCertificate(company.id);
    await insertRegistered(company.id, { docNo: '00001/26', status: 'En espera', customerNo: '' });
    await app.sql`
      update companies set subscription_ends_at = ${app.deps.clock()} where id = ${company.id}`;
    expect((await remove(company.token)).status).toBe(200);
    expect((await app.get('GetDatosEmpresa', company.token)).status).toBe(401);

    const paying = await app.signUp();
    await insertRegistered(paying.id, { docNo: '00001/26', status: 'En espera', customerNo: '' });
    await app.sql`
      update companies set subscription_type = 'annual', subscription_ends_at = ${app.deps.clock()}
       where id = ${paying.id}`;
    const { status, body } = await remove(paying.token);
    expect([status, body.message]).toEqual([
      409,
      'Hay facturas pendientes de envío a la AEAT. Sube un certificado vigente para que se envíen antes de eliminar la cuenta.',
    ]);
  });

  it('closes once when requested twice at the same time', async () => {
    const company = await app.signUp();
    const answers = await Promise.all([remove(company.token), remove(company.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it('is refused to a session that is being ended', async () => {
    const company = await app.signUp();
    const other = await app.login(company.email);
    const Password = 'otra frase bien larga';
    const [changed, removed] = await app.whileSessionsEnd(
      company.id,
      () => app.post('PostData/SetDatosEmpresa1', { Password }, company.token),
      () => remove(other),
    );
    expect([changed.status, removed.status]).toEqual([200, 401]);
    expect(await app.login(company.email, Password)).toBeTruthy();
  });

  it('asks for the password when the sign-in is not recent', async () => {
    const company = await app.signUp();
    app.advanceClock(11 * 60);
    expect((await remove(company.token)).body.codigo).toBe('REAUTHENTICATE');
    expect((await remove(company.token, { PasswordActual: PASSWORD })).status).toBe(200);
  });
});

describe('sendMailSupport', () => {
  const send = (token: string, body: object) =>
    app.post<{ message: string | string[] }>('PostData/sendMailSupport', body, token);

  it('queues the question for the provider’s mailbox', async () => {
    const company = await app.signUp();
    const question = { Asunto: 'No veo mi factura', Body: 'Hola:\n¿Dónde está?' };
    expect(await send(company.token, question)).toMatchObject({
      status: 200,
      body: { message: 'Hemos recibido tu consulta. Te responderemos por correo.' },
    });
    expect((await app.queuedFor('correo@ejemplo.es')).at(-1)).toEqual({
      kind: 'soporte',
      asunto: question.Asunto,
      body: question.Body,
      version: app.deps.config.version,
    });
  });

  it('refuses an empty question and a subject of two lines', async () => {
    const company = await app.signUp();
    expect((await send(company.token, { Asunto: '', Body: ' ' })).body.message).toEqual([
      'Escribe el asunto de tu consulta.',
      'Escribe tu mensaje.',
    ]);
    expect(
      (await send(company.token, { Asunto: 'Hola\r\nBcc: a@b.es', Body: 'x' })).body.message,
    ).toEqual(['El asunto debe caber en una sola línea.']);
  });

  it('accepts five an hour', async () => {
    const company = await app.signUp();
    const question = { Asunto: 'Hola', Body: 'Hola' };
    for (let i = 0; i < 5; i++) expect((await send(company.token, question)).status).toBe(200);
    expect((await send(company.token, question)).status).toBe(429);
  });
});
