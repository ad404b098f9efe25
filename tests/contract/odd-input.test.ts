import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountApp, openAccountApp } from './account-app.ts';

interface Refusal {
  readonly message: string | string[];
}

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

let app: AccountApp;
let token: string;
beforeAll(async () => {
  app = await openAccountApp();
  ({ token } = await app.signUp());
});
afterAll(() => app.close());

const draft = (change: object = {}) => ({
  accionFactura: 0,
  invoiceDate: '2026-11-20',
  invoiceItems: [{ description: 'Pan', quantity: '1', price: '10' }],
  ...change,
});
const save = async (change: object) => {
  const { status, body } = await app.post<Refusal>('PostData/SetFacturas', draft(change), token);
  return { status, text: [body.message].flat().join(' ') };
};

describe('a draft', () => {
  it.each(['2026-02-29', '2026-13-01', '0000-01-01', '2026-1-1', 'mañana'])(
    'is not saved with the day «%s»',
    async (day) => {
      expect(await save({ invoiceDate: day })).toEqual({
        status: 400,
        text: 'El campo «invoiceDate»: la fecha debe ser un día que exista, con la forma AAAA-MM-DD.',
      });
    },
  );

  it('refuses the same values in its other dates, which may be empty', async () => {
    const { status, text } = await save({ fechaOperacion: '2026-04-31' });
    expect([status, text]).toEqual([400, expect.stringContaining('un día que exista')]);
    expect((await save({ fechaOperacion: '', invoiceToRectifyDate: '' })).status).toBe(200);
    expect((await save({ invoiceDate: '2028-02-29' })).status).toBe(200);
  });

  it.each([
    ['a price', [{ price: '1' }, { price: '999999999999', quantity: '2' }], 2],
    ['a quantity', [{ price: '-999999999999', quantity: '999999999999' }], 1],
    ['its VAT', [{ price: '999999999999' }], 1],
    ['a discount', [{ price: '999999999999', discount: '-999999999999' }], 1],
  ])(
    'is not saved when %s makes an amount too big, and the line is named',
    async (_, lines, line) => {
      expect(await save({ invoiceItems: lines })).toEqual({
        status: 400,
        text: `El importe de la línea ${line} es demasiado grande: una factura no puede pasar de 999.999.999.999,99 €.`,
      });
    },
  );

  it('is saved with the biggest possible amount', async () => {
    const invoiceItems = [{ price: '999999999999,99', tax: 'EXENTO20' }];
    expect((await save({ invoiceItems })).status).toBe(200);
  });
});

it.each([true, [1], '0x1', '1e0', 'uno', {}])(
  'an invoice is not registered because its accionFactura is %j',
  async (accionFactura) => {
    expect(await save({ accionFactura })).toEqual({
      status: 400,
      text: 'El campo «accionFactura»: tiene que ser un número.',
    });
  },
);

it.each([
  ['DeleteInvoice', { No: [] }, 'El campo «No»: tiene que ser un texto.'],
  ['DescargarFacturas', { Nos: 'x' }, 'El campo «Nos»: tiene que ser una lista.'],
])(
  '%s of %j is refused in one sentence, which says nothing of its length',
  async (call, body, sentence) => {
    const answer = await app.post<Refusal>(`PostData/${call}`, body, token);
    expect([answer.status, answer.body.message]).toEqual([400, [sentence]]);
  },
);

it.each(['invoiceType', 'crmemoType', 'version'])('%s is a number, also as text', async (name) => {
  expect((await save({ [name]: true })).status).toBe(400);
  expect((await save({ [name]: ' 1 ' })).status).toBe(200);
  expect((await save({ [name]: '' })).status).toBe(200);
});

it.each([
  ['99999999999999999999999', 'no puede pasar de 1000000.'],
  ['-99999999999999999999999', 'no puede ser menor que 1.'],
])('a page %s is refused in one sentence', async (page, sentence) => {
  const { status, body } = await app.get<Refusal>(`GetInvoices?page=${page}`, token);
  expect([status, body.message]).toEqual([400, [`El campo «page»: ${sentence}`]]);
});

describe('a draft of a program that omits nothing', () => {
  const opened = async (fields: object) => {
    const saved = await app.post<{ DocNo: string }>('PostData/SetFacturas', fields, token);
    const { DocNo: No } = saved.body;
    return (await app.post<object>('PostData/GetEditInvoice', { No }, token)).body;
  };

  it('may have nulls for missing fields, also in its lines and inside the text of a form', async () => {
    const plain = draft();
    const [line] = plain.invoiceItems;
    const nulls = draft({
      invoiceNumber: null,
      invoiceToRectify: null,
      tipoRectificativa: null,
      fechaOperacion: null,
      notas: null,
      draftNo: null,
      invoiceItems: [{ ...line, discount: null, productNo: null, total: null }],
    });
    const expected = await opened(plain);
    expect(await opened(nulls)).toEqual(expected);
    const text = { ...plain, invoiceItems: JSON.stringify(nulls.invoiceItems) };
    expect(await opened(text)).toEqual(expected);
  });

  it('may have empty texts for missing fields', async () => {
    const names = ['tipoRectificativa', 'claveRegimen', 'isSimplificada', 'typeClient'];
    const empty = draft(Object.fromEntries(names.map((name) => [name, ''])));
    expect(await opened(empty)).toMatchObject({
      tipoRectificativa: 'I',
      isSimplificada: false,
      typeClient: 'NAC',
    });
  });

  it('has its prices and quantities answered with a decimal comma, whichever way they were sent', async () => {
    const lines = [
      { description: 'Pan', quantity: 2.5, price: 1.234 },
      { description: 'Sal', quantity: '2.5', price: '1.234,50' },
      { description: 'Agua', quantity: '', price: 'doce' },
    ];
    expect(await opened(draft({ invoiceItems: lines }))).toMatchObject({
      invoiceItems: [
        { quantity: '2,5', price: '1,234' },
        { quantity: '2,5', price: '1.234,50' },
        { quantity: '', price: 'doce' },
      ],
    });
  });

  it('is kept with a line that lacks its price, which nobody means to give away', async () => {
    const line = { description: 'Pan', quantity: '1', Price: '10' };
    const lacking = draft({ invoiceItems: [line] });
    expect(await opened(lacking)).toMatchObject({ invoiceItems: [{ price: '' }] });
    const { body } = await app.post<{ errores: { campo: string; gravedad: string }[] }>(
      'PostData/ValidarFactura',
      lacking,
      token,
    );
    expect(body.errores).toContainEqual(
      expect.objectContaining({ campo: 'invoiceItems.0.price', gravedad: 'bloquea' }),
    );
  });

  it.each([
    [{ isSimplificada: true }, 'the tick'],
    [{ invoiceType: 1 }, 'its F2'],
    [{ type: 'abono', crmemoType: 4 }, 'its R5'],
  ])('%o is simplified by %s, and its fields agree', async (fields, _) => {
    const kind = { isSimplificada: true, invoiceType: 1, crmemoType: 4 };
    expect(await opened(draft(fields))).toMatchObject(kind);
  });

  it.each([
    ['True', true],
    ['on', true],
    [' TRUE ', true],
    ['1', true],
    ['False', false],
    ['off', false],
    ['0', false],
  ])('is simplified or not as «%s» says', async (isSimplificada, expected) => {
    expect(await opened(draft({ isSimplificada }))).toMatchObject({ isSimplificada: expected });
  });

  it.each([
    [{ invoiceItems: '[{"price":"1"' }, 'El campo «invoiceItems»: tiene que ser una lista.'],
    [{ invoiceItems: '' }, 'El campo «invoiceItems»: falta.'],
    [
      { invoiceDate: '0000-00-00' },
      'El campo «invoiceDate»: la fecha debe ser un día que exista, con la forma AAAA-MM-DD.',
    ],
  ])('is refused with one message: %o', async (fields, text) => {
    expect(await save(fields)).toEqual({ status: 400, text });
  });

  it('is refused when it is unclear whether it is simplified', async () => {
    expect(await save({ isSimplificada: 'quizá' })).toEqual({
      status: 400,
      text: 'El campo «isSimplificada»: tiene que ser verdadero o falso.',
    });
  });
});

describe('a body that is sent as plain text', () => {
  const plain = (call: string, body: string) =>
    app.app.inject({
      method: 'POST',
      url: `/api/PostData/${call}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain;charset=UTF-8' },
      payload: body,
    });

  it('is read as the JSON that it is', async () => {
    const saved = await plain('SetFacturas', JSON.stringify(draft()));
    expect([saved.statusCode, saved.json().Status]).toEqual([200, 'Borrador']);
    expect((await plain('SetCompanyPicture', '""')).statusCode).toBe(200);
  });

  it('is accepted as text where a text is expected, and refused elsewhere', async () => {
    expect((await plain('SetCompanyPicture', PIXEL)).statusCode).toBe(200);
    for (const text of ['No=B-1', '{"No":', 'B-1']) {
      const refused = await plain('GetEditInvoice', text);
      expect([refused.statusCode, refused.json().message]).toEqual([
        415,
        'Ese tipo de contenido no se admite.',
      ]);
    }
  });
});

describe('emoji, each of which takes two units of UTF-16', () => {
  const bread = (count: number) => '🥖'.repeat(count);
  const answer = async (call: string, body: object) => {
    const { status, body: told } = await app.post<Refusal>(`PostData/${call}`, body, token);
    return [status, ...[told.message ?? []].flat()];
  };

  it.each([
    ['SetClientes', 'Name', 120, 'El nombre del cliente no puede pasar de 120 caracteres.'],
    ['SetProductos', 'Name', 250, 'El nombre del producto no puede pasar de 250 caracteres.'],
  ])('of %s, in «%s» there may be as many as letters: %i', async (call, field, most, sentence) => {
    expect(await answer(call, { [field]: bread(most) })).toEqual([200]);
    expect(await answer(call, { [field]: bread(most + 1) })).toEqual([400, sentence]);
  });

  it('fit into the description of a line as the OpenAPI counts them', async () => {
    const of = (count: number) => ({ invoiceItems: [{ description: bread(count) }] });
    expect((await save(of(1000))).status).toBe(200);
    expect(await save(of(1001))).toEqual({
      status: 400,
      text: 'El campo «invoiceItems.0.description»: tiene que tener 1000 caracteres como mucho.',
    });
  });
});

describe('text that cannot be stored', () => {
  const refused = (field: string) => ({
    status: 400,
    text: `El campo «${field}» lleva un carácter que no se admite. Escribe de nuevo su texto.`,
  });

  it.each(['a\ud800b', '\udc00', 'a\u0000b'])('is refused in a body', async (text) => {
    expect(await save({ notas: text })).toEqual(refused('notas'));
    expect(await save({ invoiceItems: [{ description: text }] })).toEqual(refused('description'));
  });

  it('is refused in JSON inside a form', async () => {
    for (const escaped of ['\\ud800', '\\u0000']) {
      const form = new FormData();
      form.set('invoiceDate', '2026-11-20');
      form.set('invoiceItems', `[{"description":"${escaped}"}]`);
      const { status, body } = await app.call<Refusal>('POST', '/api/PostData/SetFacturas', {
        token,
        body: form,
      });
      expect({ status, text: body.message }).toEqual(refused('description'));
    }
  });

  it('is refused, naming its field, if it was not sent in UTF-8', async () => {
    const lost = (field: string) =>
      `El campo «${field}» lleva el signo «\ufffd», que queda donde una letra no se pudo leer. Escríbela de nuevo; si lo envía un programa, tiene que hacerlo en UTF-8.`;
    const sent = async (body: string, type: string, call: string) => {
      const answer = await app.app.inject({
        method: 'POST',
        url: `/api/PostData/${call}`,
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        payload: Buffer.from(body, 'latin1'),
      });
      return [answer.statusCode, answer.json().message];
    };
    const json = JSON.stringify(draft({ invoiceItems: [{ description: 'Camión' }] }));
    for (const type of ['application/json', 'application/json; charset=iso-8859-1', 'text/plain']) {
      expect(await sent(json, type, 'SetFacturas')).toEqual([400, lost('description')]);
    }
    const part = 'Content-Disposition: form-data; name="Name"';
    const form = `--x\r\n${part}\r\n\r\nCamión\r\n--x--\r\n`;
    expect(await sent(form, 'multipart/form-data; boundary=x', 'SetProductos')).toEqual([
      400,
      lost('Name'),
    ]);
  });

  it('does not include a complete surrogate pair', async () => {
    expect((await save({ notas: 'Gracias 🥖' })).status).toBe(200);
  });
});

// Last, because it moves the clock beyond the life of a session.
describe('a draft without a date', () => {
  it('gets today’s date where the company is', async () => {
    const days = async (of: string) => {
      const undated = { ...draft(), invoiceDate: undefined };
      const { DocNo } = (await app.post<{ DocNo: string }>('PostData/SetFacturas', undated, of))
        .body;
      const { body } = await app.post<{ invoiceDate: string }>(
        'PostData/GetEditInvoice',
        { No: DocNo },
        of,
      );
      const empty = { ...undated, invoiceDate: '' };
      expect((await app.post('PostData/SetFacturas', empty, of)).status).toBe(200);
      const checked = await app.post('PostData/ValidarFactura', undated, of);
      return [body.invoiceDate, checked.status];
    };
    // A quarter past midnight in Madrid, still yesterday in the Canaries.
    const now = app.deps.clock();
    const midnight = new Date(`${madrid(now)}T23:15:00Z`);
    app.advanceClock((midnight.getTime() - now.getTime()) / 1000);
    const mainland = await app.signUp();
    const canarian = await app.signUp({ postCode: '35001' });
    const here = madrid(app.deps.clock());
    const there = app.deps.clock().toLocaleDateString('sv-SE', { timeZone: 'Atlantic/Canary' });
    expect(await days(mainland.token)).toEqual([here, 200]);
    expect(await days(canarian.token)).toEqual([there, 200]);
    const breton = await app.signUp({ postCode: '35000', countryCode: 'FR' });
    expect(await days(breton.token)).toEqual([here, 200]);
  });
});

const madrid = (date: Date) => date.toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' });
