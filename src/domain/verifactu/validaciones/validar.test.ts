import { describe, expect, it } from 'vitest';
import {
  ABONO,
  BROKEN,
  type Broken,
  CORREGIDA,
  F2,
  factura,
  OTRO_CLIENTE,
  RECTIFIES,
  TICKET,
  tangled,
  tax,
  usedGoods,
  withRecargo,
} from '../../../../tests/fixtures/verifactu/broken.ts';
import {
  CLIENTE,
  CLIENTE_EXT,
  CLIENTE_UE,
  EMISOR,
  item,
  ORIGINAL,
} from '../../../../tests/fixtures/verifactu/invoices.ts';
import type { ClienteEmitido, Emisor } from '../../invoice.ts';
import type { Territory } from '../../postal-code.ts';
import type { InvoiceItemInput } from '../../totals.ts';
import { type Corregida, casoDe, DOCUMENTOS, type FacturaAValidar } from './regla.ts';
import { REGLAS, validarFactura } from './validar.ts';

/** Sold for 100,00 €, with costs of 60,00 €. */
const USED_TICKET = { ...TICKET, base: '33.06', cuota: '6.94', total: '100.00' };

const broken = (f: FacturaAValidar) => {
  const caso = casoDe(f);
  return REGLAS.filter(({ busca }) => busca(caso).length > 0).map(({ id }) => id);
};

describe('each rule', () => {
  it.each(REGLAS.map(({ id }) => id))('%s has a draft that breaks only this rule', (id) => {
    const [campo, changes, also = []] = BROKEN[id] ?? ['', {}];
    const invoice = factura(changes);
    expect(broken(invoice).toSorted()).toEqual([id, ...also].toSorted());
    const rule = REGLAS.find((candidate) => candidate.id === id);
    expect(rule?.busca(casoDe(invoice)).map((hallazgo) => hallazgo.campo)).toEqual([campo]);
  });

  it('cites its document; if the AEAT answers with a code, its validations', () => {
    for (const { id, documento, codigo, fuente } of REGLAS) {
      expect([id, DOCUMENTOS[documento]]).toEqual([id, expect.stringMatching(/\d{4}|Huella/)]);
      if (codigo !== undefined) expect([id, documento]).toEqual([id, 'validaciones']);
      expect(fuente).not.toBe('');
    }
  });

  it('is explained in full sentences, without the AEAT’s jargon or ours', () => {
    for (const [, changes] of Object.values(BROKEN)) {
      for (const { mensaje } of validarFactura(factura(changes))) {
        expect(mensaje).toMatch(/^[«A-ZÁÉÍÓÚÑ0-9].*[.]$/s);
        expect(mensaje).not.toMatch(/undefined|null|NaN| {2}|«»|[a-z][A-Z]\w+|\d{4}-\d{2}-\d{2}/);
      }
    }
  });

  it('that names a line names the one beside which it is shown, counted from 1', () => {
    const named = Object.values(BROKEN).flatMap(([, changes]) =>
      validarFactura(factura(changes)).flatMap(({ campo, mensaje }) => {
        const index = /^invoiceItems\.(\d+)\./.exec(campo)?.[1];
        const line = /línea (\d+)/.exec(mensaje)?.[1];
        return index && line ? [{ mensaje, shown: Number(index) + 1, line: Number(line) }] : [];
      }),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter(({ shown, line }) => shown !== line)).toEqual([]);
  });
});

describe('a rule with a limit', () => {
  const anySeries = { lastDateOfSeries: null };

  it.each<[string, Broken]>([
    ['fecha-antigua', { draft: { invoiceDate: '2024-10-28' }, rest: anySeries }],
    ['numero-largo', { rest: { numSerie: '1'.repeat(60) } }],
    ['serie-de-otro-ano', { rest: { numSerie: '00042/26' } }],
    ['operacion-remota', { draft: { fechaOperacion: '2006-11-20' } }],
    ['operacion-lejana', { draft: { fechaOperacion: '2027-12-31', claveRegimen: '15' } }],
    ['retencion', { draft: { retencionIRPF: '50' } }],
    ['descuento', { items: [{ ...item('100'), discount: '100' }] }],
    ['margen-negativo', { items: [usedGoods('100', '100')] }],
    [
      'rectificada-posterior',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, fecha: '2026-11-20' }] } },
    ],
    [
      'operacion-fuera-de-plazo',
      { draft: { invoiceDate: '2026-11-15', fechaOperacion: '2026-10-01' }, rest: anySeries },
    ],
    [
      'operacion-fuera-de-plazo',
      { draft: { invoiceDate: '2026-01-15', fechaOperacion: '2025-12-31' }, rest: anySeries },
    ],
    [
      'fuera-de-plazo',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, fecha: '2022-11-20' }] } },
    ],
  ])('lets through what is just within it: %s', (id, changes) => {
    expect(broken(factura(changes))).not.toContain(id);
  });

  it.each<[string, Broken]>([
    [
      'operacion-fuera-de-plazo',
      { draft: { invoiceDate: '2026-11-16', fechaOperacion: '2026-10-31' }, rest: anySeries },
    ],
    [
      'operacion-posterior',
      { draft: { invoiceDate: '2026-11-18', fechaOperacion: '2026-11-20' }, rest: anySeries },
    ],
    ['retencion', { draft: { retencionIRPF: '50,01' } }],
    ['descuento', { items: [{ ...item('100'), discount: '100,01' }] }],
  ])('stops what is just beyond it: %s', (id, changes) => {
    expect(broken(factura(changes))).toContain(id);
  });
});

describe('the order of the dates in a series', () => {
  it.each([
    ['2026-11-19', /Pon esa fecha o una posterior/],
    // Registered while our clock was a day ahead: no date is both that late and not after today.
    ['2026-11-21', /del 21\/11\/2026 .* aún no ha llegado: .* empieza otra serie/],
  ])('after an invoice of %s says what can be done', (lastDateOfSeries, words) => {
    const draft = { invoiceDate: '2026-11-18' };
    const found = validarFactura(factura({ draft, rest: { lastDateOfSeries } }));
    expect(found).toMatchObject([{ mensaje: expect.stringMatching(words) }]);
  });
});

it.each([
  ['0', true],
  ['12.34', true],
  ['999999999.99', true],
  ['1000000000.00', false],
  ['-0.01', false],
  ['12,345', false],
  ['doce', false],
])('suplidos of %j are accepted: %s', (suplidos, isAccepted) => {
  const found = broken(factura({ draft: { suplidos, suplidosConcepto: 'Tasa' } }));
  expect(found).toEqual(isAccepted ? [] : ['suplidos']);
});

describe('a retention on an invoice to a client abroad', () => {
  const told = (change: Partial<typeof CLIENTE_EXT>, retencionIRPF = '15') =>
    validarFactura(
      factura({
        draft: { retencionIRPF },
        cliente: { ...CLIENTE_EXT, ...change },
        items: [item('100', 'SERVEXT')],
      }),
    )
      .filter(({ campo }) => campo === 'retencionIRPF')
      .map(({ mensaje }) => mensaje);

  it('is warned of, but not as if only an establishment withheld (RD 439/2007 art. 76.1.d)', () => {
    expect(told({})).toEqual([
      'Un cliente de fuera de España solo retiene IRPF si opera aquí, casi siempre con un establecimiento permanente, y Example Inc. no tiene NIF español. Quita la retención si no es el caso.',
    ]);
  });

  it('is not, if that client has a Spanish NIF, or there is none', () => {
    expect(told({ nif: 'W0032484H', idOtro: null })).toEqual([]);
    expect(told({}, '')).toEqual([]);
  });
});

it.each([
  [
    { price: '1.000.000.000.000' },
    'El precio de la línea 1 tiene más de 12 cifras antes de la coma. Comprueba si sobra alguna.',
  ],
  [
    { price: '1,1234567' },
    'El precio de la línea 1 debe ser un número, con coma decimal y 6 decimales como mucho.',
  ],
  [
    { quantity: '1234567890123' },
    'La cantidad de la línea 1 tiene más de 12 cifras antes de la coma. Comprueba si sobra alguna.',
  ],
  [
    { discount: '33,333' },
    'El descuento de la línea 1 debe ser un porcentaje entre 0 y 100, con dos decimales como mucho.',
  ],
])('says what is wrong with the number in %j', (change, sentence) => {
  const invoice = factura({ items: [{ ...item('100'), ...change }] });
  expect(validarFactura(invoice).map(({ mensaje }) => mensaje)).toContain(sentence);
});

it('says only once that an amount of another program’s invoice is not one', () => {
  const originals = [{ ...ORIGINAL, externa: true }];
  const draft = { ...ABONO, tipoRectificativa: 'S' as const, cuotaRectificada: '21' };
  const said = (baseRectificada: string) =>
    validarFactura(factura({ draft: { ...draft, baseRectificada }, rest: { originals } }))
      .filter(({ campo }) => campo === 'baseRectificada')
      .map(({ mensaje }) => mensaje);
  expect(said('cien')).toEqual(['Escribe un importe en euros, con dos decimales como mucho.']);
  expect(said('')).toEqual([expect.stringMatching(/^Escribe la base y la cuota/)]);
  expect(said('100')).toEqual([]);
});

it('asks for both amounts of what is replaced of another program', () => {
  const originals = [{ ...ORIGINAL, externa: true }];
  const said = (amounts: Broken['draft']) =>
    broken(
      factura({ draft: { ...ABONO, tipoRectificativa: 'S', ...amounts }, rest: { originals } }),
    );
  expect(said({ baseRectificada: '100', cuotaRectificada: '21' })).toEqual([]);
  expect(said({ baseRectificada: '100' })).toEqual(['sustitucion-externa']);
  expect(said({ baseRectificada: '100', cuotaRectificada: '' })).toEqual(['sustitucion-externa']);
  expect(said({ baseRectificada: '', cuotaRectificada: '21' })).toEqual(['sustitucion-externa']);
});

it.each(['\n', '\r\n', '\r', '\u2028', '\u2029'])(
  'says that numbers with %j between them are separated by commas',
  (between) => {
    const original = { ...ORIGINAL, externa: true, numSerie: `00001/26${between}00002/26` };
    const invoice = factura({ draft: ABONO, rest: { originals: [original] } });
    expect(validarFactura(invoice).map(({ mensaje }) => mensaje)).toContain(
      'Después de «00001/26» hay un salto de línea. Separa con comas los números de las facturas.',
    );
  },
);

it('names at once the tickets of an F3 that were exchanged meanwhile, as many as one reads', () => {
  const saidOf = (exchanged: number) => {
    const originals = Array.from({ length: 30 }, (_, n) => ({
      ...TICKET,
      numSerie: `${n + 1}/LOS`,
      ...(n < exchanged && { canjeadaPor: n === 0 ? '8/LO' : '9/LO' }),
    }));
    return validarFactura(
      factura({ draft: { invoiceType: 2 }, items: [item('3000')], rest: { originals } }),
    ).map(({ mensaje }) => mensaje);
  };
  expect(saidOf(0)).toEqual([]);
  expect(saidOf(1)).toEqual(['La factura 1/LOS ya se canjeó por la 8/LO. Quítala de la lista.']);
  expect(saidOf(3)).toEqual([
    'Estas facturas ya se canjearon: 1/LOS (por la 8/LO), 2/LOS (por la 9/LO) y 3/LOS (por la 9/LO). Quítalas de la lista.',
  ]);
  expect(saidOf(20)).toEqual([expect.stringMatching(/ 19\/LOS .* y 20\/LOS \(por la 9\/LO\)\./)]);
  expect(saidOf(21)).toEqual([expect.stringMatching(/ 20\/LOS \(por la 9\/LO\) y 1 más\. Quíta/)]);
});

it('lets a rectificativa name a thousand invoices, as the schema does', () => {
  const said = (count: number) =>
    broken(
      factura({
        draft: ABONO,
        rest: {
          originals: Array.from({ length: count }, (_, n) => ({
            ...ORIGINAL,
            numSerie: `${10_000 + n}/26`,
          })),
        },
      }),
    );
  expect(said(1000)).toEqual([]);
  expect(said(1001)).toEqual(['demasiadas-facturas']);
});

it('tells a simplified service abroad once, and nothing of what goes through the one-stop shop', () => {
  const toCompany = tax('SERVUE', { VATBusPostingGroup: 'NAC' });
  const said = (changes: Broken) => broken(factura({ ...F2, ...changes }));
  expect(said({ items: [item('100', '01/01/N2')] })).toEqual(['f2-servicio-fuera']);
  expect(said({ groups: toCompany, items: [item('100', 'SERVUE')] })).toEqual(['f2-internacional']);
  expect(said({ items: [{ ...item('100', '01/17/N2'), tipoDestino: '19' }] })).toEqual([]);
});

it('says nothing of another day of the operation while that day is none', () => {
  const draft = { fechaOperacion: '2026-11-31' };
  expect(broken(factura({ draft, rest: { corregida: CORREGIDA } }))).toEqual([
    'operacion-inexistente',
  ]);
});

it('proposes a simplified invoice only where one may replace the draft', () => {
  const simplified = (changes: Broken) =>
    validarFactura(factura({ ...changes, cliente: null })).map(({ mensaje }) =>
      /simplificada/.test(mensaje),
    );
  expect(simplified({})).toEqual([true]);
  expect(simplified({ draft: { invoiceType: 2 }, rest: { originals: [TICKET] } })).toEqual([false]);
});

describe('a good invoice', () => {
  it.each<[string, Broken]>([
    ['F1', {}],
    ['F1 of the day of the last one', { draft: { invoiceDate: '2026-11-19' } }],
    ['F1 first of its series', { rest: { lastDateOfSeries: null } }],
    ['F2 of 400 € without customer', { ...F2, items: [item('330,58')] }],
    ['F3', { draft: { invoiceType: 2 }, rest: { originals: [TICKET] } }],
    [
      'F3 of two',
      {
        draft: { invoiceType: 2 },
        items: [item('200')],
        rest: { originals: [TICKET, { ...TICKET, numSerie: '00002/LOS' }] },
      },
    ],
    [
      'R1 with the tax in its prices, as what it rectifies',
      {
        draft: { ...ABONO, ivaIncluido: true },
        rest: { originals: [{ ...ORIGINAL, ivaIncluido: true }] },
      },
    ],
    [
      'R1 of all that used goods were sold for',
      {
        draft: ABONO,
        items: [usedGoods('100', '60')],
        rest: {
          originals: [{ ...ORIGINAL, base: '33.06', cuota: '6.94', total: '100.00' }],
        },
      },
    ],
    [
      'F3 of used goods and of what corrected them',
      {
        draft: { invoiceType: 2 },
        items: [usedGoods('90', '60')],
        rest: {
          originals: [
            { ...USED_TICKET, corregidaPor: ['00001/LOR'] },
            {
              ...USED_TICKET,
              numSerie: '00001/LOR',
              base: '24.79',
              cuota: '5.21',
              total: '90.00',
              tipoFactura: 'R5',
              corrige: [USED_TICKET.numSerie],
              sustituido: USED_TICKET,
            },
          ],
        },
      },
    ],
    [
      'recargo of two rates, and what is exempt or at 0 %',
      {
        cliente: { ...CLIENTE, postingGroup: 'NACRE' },
        items: [item('100'), item('10', 'IVA4'), item('5', 'IVA0'), item('20', 'EXENTO20')],
      },
    ],
    ['used goods', { items: [usedGoods('100', '60')] }],
    ['codes chosen by hand', { items: [item('100', '01/20/S1/10')] }],
    [
      'R1 por sustitución of an invoice of another program',
      {
        draft: {
          ...ABONO,
          tipoRectificativa: 'S',
          baseRectificada: '100,00',
          cuotaRectificada: '21,00',
        },
        rest: { originals: [{ ...ORIGINAL, externa: true }] },
      },
    ],
    [
      'R4 of a rectificativa',
      {
        draft: { ...ABONO, crmemoType: 3 },
        items: [item('0')],
        rest: { originals: [{ ...ORIGINAL, tipoFactura: 'R1' }] },
      },
    ],
    ['R1', { draft: ABONO, rest: RECTIFIES }],
    [
      'R1 of the whole invoice',
      { draft: ABONO, items: [item('100'), item('10', 'IVA4')], rest: RECTIFIES },
    ],
    [
      'R1 of what an earlier one left',
      {
        draft: ABONO,
        items: [item('60')],
        rest: {
          originals: [{ ...ORIGINAL, corregidaPor: ['00001/LOR'], cambios: ['-50.00'] }],
        },
      },
    ],
    [
      'R1 por sustitución of an invoice together with its abono, and corrected itself',
      {
        draft: { ...ABONO, tipoRectificativa: 'S' },
        rest: {
          numSerie: '00009/LOR',
          originals: [
            { ...ORIGINAL, corregidaPor: ['00001/LOR', '00009/LOR'] },
            {
              ...ORIGINAL,
              numSerie: '00001/LOR',
              tipoFactura: 'R1',
              base: '-10.00',
              cuota: '-2.10',
              corregidaPor: ['00009/LOR'],
            },
          ],
        },
      },
    ],
    [
      'R4 por sustitución of an abono by a smaller one',
      {
        draft: { ...ABONO, crmemoType: 3, tipoRectificativa: 'S' },
        items: [item('50', 'IVA21', '-1')],
        rest: {
          originals: [{ ...ORIGINAL, tipoFactura: 'R1', base: '-100.00', cuota: '-21.00' }],
        },
      },
    ],
    ['R1 por sustitución', { draft: { ...ABONO, tipoRectificativa: 'S' }, rest: RECTIFIES }],
    [
      'R4 of nothing but data',
      { draft: { ...ABONO, crmemoType: 3 }, items: [item('0')], rest: RECTIFIES },
    ],
    ['R5', { draft: { ...ABONO, isSimplificada: true }, cliente: null, rest: RECTIFIES }],
    [
      'service to a company of the Canaries',
      {
        cliente: { ...CLIENTE, nif: 'A39200019', postCode: '35001', postingGroup: 'CAN' },
        items: [item('100', 'SERVCAN')],
      },
    ],
    ['service to a company abroad', { cliente: CLIENTE_EXT, items: [item('100', 'SERVEXT')] }],
    ['export', { cliente: CLIENTE_EXT, items: [item('100', 'EXPORT')] }],
    ['recargo', { cliente: { ...CLIENTE, postingGroup: 'NACRE' } }],
    ['criterio de caja', { draft: { claveRegimen: '07' } }],
    ['rent of premises', { draft: { claveRegimen: '11', retencionIRPF: '19' } }],
    [
      'works for a town hall',
      {
        draft: { claveRegimen: '14', fechaOperacion: '2027-03-01' },
        cliente: { ...CLIENTE, nif: 'P2807900B' },
      },
    ],
    ['IGIC', { territory: 'canarias', items: [item('100', 'IGIC7')] }],
    [
      'IGIC of a retailer, not subject',
      { territory: 'canarias', items: [item('100', '03/17/N2')] },
    ],
    ['IPSI', { territory: 'ceuta-melilla', items: [item('100', 'IPSI4')] }],
    [
      'operation of last month, in time',
      {
        draft: { invoiceDate: '2026-11-15', fechaOperacion: '2026-10-31' },
        rest: { lastDateOfSeries: null },
      },
    ],
    [
      '5 % of then, rectified now',
      {
        draft: { ...ABONO, fechaOperacion: '2023-05-02' },
        items: [item('100', 'IVA5')],
        rest: RECTIFIES,
      },
    ],
  ])('has no errors: %s', (_what, changes) => {
    expect(validarFactura(factura(changes))).toEqual([]);
  });

  it.each([
    'IVA21',
    'IVA10',
    'IVA4',
    'IVA0',
    'EXENTO20',
    'EXENTO22',
    'EXENTO24',
    'ISP',
    'NOSUJETO',
  ])('may contain %s', (name) => {
    expect(validarFactura(factura({ items: [item('100', name)] }))).toEqual([]);
  });
});

describe('recargo de equivalencia', () => {
  it.each([
    [21, 5.2],
    [21, 1.75],
    [10, 1.4],
    [4, 0.5],
  ])('goes with the rate %s: it is %s', (rate, recargo) => {
    expect(broken(factura(withRecargo(rate, recargo)))).toEqual([]);
  });

  it.each([
    [5, 0.5, '2022-12-31'],
    [5, 0.62, '2023-01-01'],
    [5, 0.62, '2024-09-30'],
    [7.5, 1, '2024-10-01'],
    [7.5, 1, '2024-12-31'],
    [2, 0.26, '2024-10-01'],
    [2, 0.26, '2024-12-31'],
  ])('went with the rate %s: it was %s on %s', (rate, recargo, day) => {
    expect(broken(factura(withRecargo(rate, recargo, day)))).toEqual(['operacion-fuera-de-plazo']);
  });
});

describe('an intra-Community supply with keys chosen by hand', () => {
  const items = [item('100', '01/01/E5')];
  const found = (cliente: typeof CLIENTE_UE) =>
    validarFactura(factura({ cliente, items })).map(({ campo, gravedad }) => [campo, gravedad]);

  it('requires a NIF-IVA (Ley 37/1992 art. 25), and VIES', () => {
    const document = { CodigoPais: 'DE', IDType: '04', ID: 'HRB1234' } as const;
    expect(found({ ...CLIENTE_UE, idOtro: document })).toEqual([['invoiceItems.0.tax', 'bloquea']]);
    expect(found(CLIENTE_UE)).toEqual([['invoiceClient', 'avisa']]);
  });
});

it('says once that a number has the year before, if its series names years', () => {
  const warnings = (numSerie: string, lastDateOfSeries: string | null) =>
    validarFactura(factura({ rest: { numSerie, lastDateOfSeries } })).map(({ campo }) => campo);
  for (const numSerie of ['00042/25', '00042/25RS', '00042/2025', 'F2025-00042', 'F25/00042']) {
    expect(warnings(numSerie, '2025-12-30')).toEqual(['invoiceNumber']);
    expect(warnings(numSerie, '2026-01-02')).toEqual([]);
    expect(warnings(numSerie, null)).toEqual([]);
  }
  const others = [
    '00042/26',
    '00025/LO',
    '2025',
    '00042/125',
    '00042/12025',
    '00042/251',
    'F20257-1',
  ];
  for (const numSerie of others) expect(warnings(numSerie, '2025-12-30')).toEqual([]);
});

it('compares the year of a number only with that of an invoice whose date is one, and later', () => {
  const broken = (invoiceDate: string, numSerie: string, lastDateOfSeries: string) =>
    validarFactura(factura({ draft: { invoiceDate }, rest: { numSerie, lastDateOfSeries } })).map(
      ({ campo }) => campo,
    );
  expect(broken('2026-02-30', '00042/25', '2025-12-30')).toEqual(['invoiceDate']);
  expect(broken('2026-11-20', '00042/27', '2027-01-02')).toEqual(['invoiceDate']);
});

it('says so if the tax is that of the territory where the company was before', () => {
  const messages = (emisor: Emisor, tax: string) =>
    validarFactura(factura({ items: [item('100', tax)], groups: [], rest: { emisor } })).map(
      ({ mensaje }) => mensaje,
    );
  const inCanarias = { ...EMISOR, postCode: '35001', provincia: 'Las Palmas' };
  expect(messages(inCanarias, 'IVA21')).toEqual([
    expect.stringMatching(/IVA21 de la línea 1 es IVA, que no se paga.*«Elegir los códigos…»/),
  ]);
  expect(messages(EMISOR, 'IGIC7')).toEqual([expect.stringContaining('es IGIC')]);
  expect(messages(EMISOR, 'IVA21')).toEqual([
    expect.stringContaining('IVA21 de la línea 1 no se usa con el grupo contable'),
  ]);
});

describe('a rectificativa of an invoice of another customer', () => {
  const warnings = (tipoRectificativa: 'I' | 'S', clientes: readonly ClienteEmitido[]) =>
    validarFactura(
      factura({
        draft: { ...ABONO, tipoRectificativa },
        rest: {
          originals: clientes.map((cliente, n) => ({
            ...ORIGINAL,
            numSerie: `0000${n}/LO`,
            cliente,
          })),
        },
      }),
    ).map(({ campo }) => campo);
  /** The card that the customer of the invoice had before its NIF was corrected. */
  const before = { ...CLIENTE, nif: '89890003T' };
  /** The same customer in a card of its own. */
  const twice = { ...CLIENTE, no: 'C-9' };

  it('warns por diferencias: what is given back belongs to the one who has the invoice', () => {
    expect(warnings('I', [OTRO_CLIENTE])).toEqual(['invoiceToRectify']);
    expect(warnings('I', [before])).toEqual([]);
    expect(warnings('I', [twice])).toEqual([]);
  });

  it('may correct the customer por sustitución, but only one', () => {
    expect(warnings('S', [OTRO_CLIENTE])).toEqual([]);
    expect(warnings('S', [OTRO_CLIENTE, OTRO_CLIENTE])).toEqual([]);
    expect(warnings('S', [OTRO_CLIENTE, CLIENTE])).toEqual(['invoiceToRectify']);
  });
});

describe('an R3 of the 20 November 2026', () => {
  const found = (fechas: readonly string[], tax = 'IVA21') =>
    validarFactura(
      factura({
        draft: { ...ABONO, crmemoType: 2 },
        items: [item('100', tax)],
        rest: {
          originals: fechas.map((fecha, n) => ({ ...ORIGINAL, numSerie: `0000${n}/LO`, fecha })),
        },
      }),
    ).flatMap(({ mensaje }) => (mensaje.includes('80.Cuatro') ? [mensaje] : []));

  it('may be of what has been unpaid for six months to a year and a half, to the day', () => {
    expect(found(['2026-05-20'])).toEqual([]);
    expect(found(['2025-05-20', '2026-05-20'])).toEqual([]);
    expect(found(['2026-05-20', '2026-05-21'])).toEqual([
      expect.stringMatching(
        /^No han pasado seis meses desde la factura 00001\/LO: .* 21\/11\/2026/,
      ),
    ]);
    expect(found(['2025-05-19'])).toEqual([
      expect.stringMatching(/^La factura 00000\/LO tiene más de año y medio/),
    ]);
  });

  it('has other terms for IGIC, and none if it is not known when the invoice was made', () => {
    expect(found(['2026-11-10'], 'IGIC7')).toEqual([]);
    expect(found([''])).toEqual([]);
  });
});

describe('the correction of an invoice that the AEAT holds with errors', () => {
  const found = (codigo: number, changes: Broken) =>
    validarFactura(factura({ ...changes, rest: { corregida: { ...CORREGIDA, codigo } } })).map(
      ({ gravedad, mensaje }) => `${gravedad}: ${mensaje}`,
    );

  it('brings a warning if it changes the recipient, for which a rectificativa is made (RD 1619/2012 art. 15)', () => {
    expect(found(2005, { cliente: { ...CLIENTE, nombre: 'Otro, S. L.' } })).toEqual([
      expect.stringMatching(
        /^avisa: .* a nombre de Certificado Dos.* y ahora es de Otro, S\. L\. /,
      ),
    ]);
  });

  it('brings a warning if the customer would read other mentions, or another day, with the same amounts', () => {
    const mention = 'Operación exenta de IVA, artículo 20.Uno.9.º de la Ley 37/1992';
    const warnings = (corregida: Partial<Corregida>, menciones: readonly string[] = []) =>
      validarFactura(
        factura({ rest: { corregida: { ...CORREGIDA, ...corregida }, menciones } }),
      ).map(({ mensaje }) => mensaje);
    expect(warnings({ menciones: [mention] }, [mention])).toEqual([]);
    expect(warnings({ menciones: [mention] })).toEqual([expect.stringContaining(`«${mention}»`)]);
    expect(warnings({}, [mention])).toEqual([expect.stringContaining(`«${mention}»`)]);
    expect(warnings({ base: '200.00' }, [mention])).toEqual([
      expect.stringContaining('otros importes'),
    ]);
    expect(warnings({ fechaOperacion: '2026-11-02' })).toEqual([
      expect.stringContaining('con la operación del 02/11/2026, y ahora es del 20/11/2026'),
    ]);
    expect(warnings({ fechaOperacion: '2026-11-02', noConsta: true })).toEqual([]);
  });

  it('brings no warning if that is what the AEAT found wrong, or if the recipient stays the same', () => {
    expect(found(2001, { cliente: { ...CLIENTE, nif: '12345678Z' } })).toEqual([]);
    const uncounted = { CodigoPais: 'ES', IDType: '07', ID: CLIENTE.nif ?? '' } as const;
    expect(found(2009, { cliente: { ...CLIENTE, nif: null, idOtro: uncounted } })).toEqual([]);
    expect(found(2009, { items: [{ ...item('100'), description: 'Consultoría' }] })).toEqual([]);
  });
});

describe('a key of regime chosen for the whole invoice', () => {
  const found = (claveRegimen: string, ...lines: readonly InvoiceItemInput[]) => {
    const cliente = { ...CLIENTE_UE, postingGroup: 'UEPART' };
    const isOss = lines[0]?.tax === 'OSS';
    return validarFactura(
      factura({ draft: { claveRegimen }, items: lines, ...(isOss && { cliente }) }),
    ).find(({ campo, gravedad }) => campo === 'claveRegimen' && gravedad === 'bloquea');
  };
  const used = usedGoods('1000', '600');

  it.each([
    ...['07', '09', '11', '18', '20', '05'].map((clave) => ['used goods', clave, used] as const),
    ['a trip', '07', { ...used, tax: 'AGENCIA21' }],
    ['what is declared when it is paid', '18', item('100', 'CAJA21')],
    ['the one-stop shop', '18', { ...item('1000', 'OSS'), tipoDestino: '19' }],
  ] as const)('does not change the key of %s (%s)', (_what, clave, line) => {
    expect(found(clave, line)?.mensaje).toContain(`, y con la ${clave} perdería su régimen.`);
  });

  it('says which lines keep their own key, and which key', () => {
    expect(found('11', item('10'), used)?.mensaje).toBe(
      'La línea 2 («Vendo bienes usados (REBU)») lleva la clave de régimen 03, y con la 11 perdería su régimen. Elige en «Clave de régimen» la 01, que deja a cada línea la suya, o cambia su impuesto.',
    );
    expect(found('03', used)).toBeUndefined();
    expect(found('', used)).toBeUndefined();
  });
});

describe('a NIF-IVA with a punctuation mark', () => {
  it('has none of the structures of the AEAT', () => {
    const cliente = {
      ...CLIENTE_UE,
      nombre: 'Acme',
      countryCode: 'IE',
      idOtro: { IDType: '02', ID: 'IE8+12345L' },
    } as const;
    expect(validarFactura(factura({ cliente, items: [item('100', 'INTRAUE')] }))).toContainEqual({
      campo: 'invoiceClient',
      codigo: '1103',
      gravedad: 'bloquea',
      mensaje:
        'El NIF-IVA IE8+12345L lleva un signo, y la AEAT solo admite letras y cifras. Pide a Acme el que lo sustituye y escríbelo en su ficha.',
    });
  });
});

describe('key 17 of IVA', () => {
  it.each([
    ['01/17/S1/21', 'no el español'],
    ['01/17/E5', 'no una exención de aquí'],
  ])('is for lines with another State’s tax: %s brings a warning', (name, words) => {
    const found = validarFactura(factura({ cliente: CLIENTE_UE, items: [item('100', name)] }));
    expect(found).toContainEqual({
      campo: 'invoiceItems.0.tax',
      gravedad: 'avisa',
      mensaje: expect.stringContaining(words),
    });
  });
});

describe('a service that a private person may receive', () => {
  const MADRID = CLIENTE;
  const ALEMANIA = {
    ...CLIENTE_UE,
    idOtro: { CodigoPais: 'DE', IDType: '04', ID: 'L01X00T47' },
    postingGroup: 'UEPART',
  } as const;
  const ANDORRA = { ...CLIENTE_EXT, nif: '12345678Z', idOtro: null, countryCode: 'AD' };
  const found = (territory: Territory, cliente: ClienteEmitido, name: string) =>
    validarFactura(factura({ territory, cliente, items: [item('100', name)] })).map(
      ({ campo, gravedad, mensaje }) => [campo, gravedad, mensaje],
    );

  it.each<[Territory, ClienteEmitido, string, string]>([
    ['canarias', MADRID, 'IGICSPEN', 'los servicios corrientes llevan IGIC: elige otro impuesto.'],
    ['canarias', ALEMANIA, 'IGICSEXT', 'que le prestas llevan IGIC: elige otro impuesto.'],
    ['canarias', ANDORRA, 'IGICSEXT', 'llevan IGIC, menos algunos, como la asesoría o la public'],
    ['canarias', { ...MADRID, postCode: '51001', postingGroup: 'CAN' }, 'IGICSCM', 'llevan IGIC'],
    ['ceuta-melilla', MADRID, 'IPSISPEN', 'los servicios corrientes llevan IPSI: elige otro imp'],
    ['ceuta-melilla', ALEMANIA, 'IPSISEXT', 'que le prestas llevan IPSI: elige otro impuesto.'],
    ['peninsula', ALEMANIA, '01/01/N2', 'que le prestas llevan IVA español: elige otro impuesto.'],
  ])('%s: is taxed at the place of the supplier, %o, %s', (territory, cliente, name, words) => {
    expect(found(territory, cliente, name)).toEqual([
      ['invoiceItems.0.tax', 'avisa', expect.stringContaining(words)],
    ]);
  });

  it('brings no reminder if the customer is a company', () => {
    const company = { ...MADRID, nif: 'A39200019' };
    expect(found('canarias', company, 'IGICSPEN')).toEqual([]);
    expect(found('ceuta-melilla', company, 'IPSISPEN')).toEqual([]);
  });
});

describe('a Spanish NIF-IVA', () => {
  it.each([
    ['of who is in Spain', { ...CLIENTE, nif: null, idOtro: { IDType: '02', ID: 'ES12345678Z' } }],
    ['of who is abroad', { ...CLIENTE_UE, idOtro: { IDType: '02', ID: 'ESA58818501' } }],
  ] as const)('%s identifies nobody, not even in an exempt supply', (_, cliente) => {
    const items = [item('100', cliente.countryCode === 'ES' ? '01/01/E5' : 'INTRAUE')];
    const found = validarFactura(factura({ cliente, items }));
    expect(found).toContainEqual({
      campo: 'invoiceClient',
      codigo: '1103',
      gravedad: 'bloquea',
      mensaje: `Un NIF-IVA español no vale aquí: ${cliente.nombre} se identifica con su NIF, con su pasaporte o como no censado. Corrígelo en «Más opciones» o en su ficha.`,
    });
  });
});

describe('the messages', () => {
  it('name the customer and everything that its card lacks', () => {
    const [finding] = validarFactura(
      factura({ cliente: { ...CLIENTE, nombre: 'Acme', nif: null, direccion: '' } }),
    );
    expect(finding).toEqual({
      campo: 'invoiceClient',
      gravedad: 'bloquea',
      mensaje:
        'En la ficha de Acme faltan el NIF y la dirección. Complétala para registrar la factura.',
    });
  });

  it.each([
    ['of an invoice', {}, 'réstalo del precio de su línea; para devolver dinero, haz un abono.'],
    ['of an abono', ABONO, 'en un abono se escribe en positivo lo que devuelves. Quita el signo.'],
    ['por sustitución', { ...ABONO, tipoRectificativa: 'S' }, 'Quita el signo, o hazlo por dif'],
  ] as const)('explain how negative amounts are written, %s', (_of, draft, words) => {
    const items = [item('100'), item('10', 'IVA21', '-1')];
    const found = validarFactura(factura({ draft, items, rest: RECTIFIES }));
    expect(found).toEqual([
      {
        campo: 'invoiceItems.1.quantity',
        gravedad: 'bloquea',
        mensaje: expect.stringContaining(words),
      },
    ]);
  });

  it('say what the AEAT does with a NIF with the other control character if it is wrong', () => {
    const nif = 'B1234567D';
    const [ofCustomer] = validarFactura(factura({ cliente: { ...CLIENTE, nombre: 'Acme', nif } }));
    expect(ofCustomer?.mensaje).toBe(
      'El NIF B1234567D suele acabar en 4. Comprueba que está bien escrito. Si no lo está, la AEAT rechazará la factura: corrígelo en la ficha de Acme.',
    );
    // For the issuer the profile says it: its certificate proves the NIF right.
    expect(validarFactura(factura({ rest: { emisor: { ...EMISOR, nif } } }))).toEqual([]);
  });

  it('point nobody to the IVA form for another tax', () => {
    const draft = { ...ABONO, crmemoType: 2 };
    const [found] = validarFactura(
      factura({ draft, territory: 'canarias', items: [item('100', 'IGIC7')], rest: RECTIFIES }),
    );
    expect(found?.mensaje).toMatch(/^Pregunta a tu asesor .* para recuperar el IGIC, y guarda/);
  });

  it('write amounts and dates as people do', () => {
    const [over] = validarFactura(factura({ ...F2, items: [item('2500')] }));
    expect(over?.mensaje).toContain('esta suma 3.025,00 €');
    const [late] = validarFactura(factura({ draft: { invoiceDate: '2026-11-18' } }));
    expect(late?.mensaje).toContain('19/11/2026');
  });

  it('allow a simplificada of up to 3.000 € to the cent, without the AEAT’s tolerance of 10 €', () => {
    const blocks = (price: string) =>
      validarFactura(factura({ ...F2, items: [item(price, 'EXENTO20')] })).some(
        ({ codigo }) => codigo === '1150',
      );
    expect([blocks('3000'), blocks('3000,01')]).toEqual([false, true]);
  });

  it('allow a difference of a cent in an F3 with prices including tax, which adds up to its tickets', () => {
    const messages = (price: string, ivaIncluido: boolean) =>
      validarFactura(
        factura({
          draft: { invoiceType: 2, ivaIncluido },
          items: [item(price)],
          rest: { originals: [TICKET] },
        }),
      ).map(({ mensaje }) => mensaje);
    expect(messages('121', true)).toEqual([]);
    expect(messages('121,01', true)).toEqual([
      'Las facturas que canjeas suman 121,00 € y esta 121,01 €. Comprueba las líneas.',
    ]);
    // 100.01 × 1.21 = 121.01: each ticket was rounded separately.
    expect(messages('100,01', false)).toEqual([]);
  });

  it('say what is left of an invoice that was already credited', () => {
    const originals = [{ ...ORIGINAL, corregidaPor: ['00001/LOR'], cambios: ['-100.00'] }];
    const again = { draft: ABONO, items: [item('100')], rest: { originals } };
    expect(validarFactura(factura(again)).map(({ mensaje }) => mensaje)).toEqual([
      'Abonas 121,00 € y, contando la rectificativa 00001/LOR, de lo facturado quedan 31,40 €. Comprueba que no está abonado ya.',
    ]);
    // It is the one being corrected, or is rectified together with its invoice.
    const itself = { ...again, rest: { originals, numSerie: '00001/LOR' } };
    expect(validarFactura(factura(itself))).toEqual([]);
  });

  it('do not count twice what a rectificativa had replaced', () => {
    const { base, cuota, recargo } = ORIGINAL;
    const replacing = {
      ...ORIGINAL,
      numSerie: '00001/LOR',
      corrige: [ORIGINAL.numSerie],
      sustituido: { base, cuota, recargo },
    };
    const originals = [ORIGINAL, replacing];
    const more = validarFactura(
      factura({ draft: ABONO, items: [item('200')], rest: { originals } }),
    );
    expect(more.map(({ mensaje }) => mensaje)).toEqual([
      'Abonas 242,00 € y lo facturado son 131,40 €. Comprueba las líneas.',
    ]);
  });

  it('say how to name invoices that replaced each other in too many ways', () => {
    const saidOf = (changes: Broken) =>
      validarFactura(factura(changes))
        .filter(({ gravedad }) => gravedad === 'bloquea')
        .map(({ campo, mensaje }) => [campo, mensaje]);
    const why =
      'Las facturas de la lista se han sustituido unas a otras de demasiadas maneras para saber cuánto suman.';
    const rest = { originals: tangled(ORIGINAL) };
    expect(saidOf({ draft: { ...ABONO, tipoRectificativa: 'S' }, rest })).toEqual([
      [
        'invoiceToRectify',
        `${why} Rectifica solo la más reciente de las que se sustituyeron entre sí.`,
      ],
    ]);
    const tickets = { originals: tangled(TICKET) };
    expect(saidOf({ draft: { invoiceType: 2 }, rest: tickets })).toEqual([
      ['invoiceToRectify', `${why} Anula antes las últimas rectificativas que les hiciste.`],
    ]);
    // One por diferencias says the change itself.
    expect(saidOf({ draft: { ...ABONO, tipoRectificativa: 'I' }, rest })).toEqual([]);
  });

  it('ask for words where there are only symbols or invisible characters', () => {
    const lines = ['🍕', '\u0001', '\u200b', 'Pizza 🍕'].map((description) => ({
      ...item('1'),
      description,
    }));
    const found = validarFactura(factura({ items: lines }));
    expect(found.map(({ campo, gravedad }) => [campo, gravedad])).toEqual([
      ...[0, 1, 2].map((line) => [`invoiceItems.${line}.description`, 'bloquea']),
      ['invoiceItems.3.description', 'avisa'],
    ]);
    expect(found[0]?.mensaje).toContain('la línea 1 no tiene letras ni cifras');
    const [nameless] = validarFactura(factura({ cliente: { ...CLIENTE, nombre: '\u0001' } }));
    expect(nameless).toMatchObject({ campo: 'invoiceClient', gravedad: 'bloquea' });
  });

  it('say which letters are not printed, where, and what is seen in their place', () => {
    const found = validarFactura(
      factura({
        items: [{ ...item('1'), description: 'Té de 静岡 🍵' }, item('1')],
        cliente: { ...CLIENTE, nombre: '株式会社東京, S.L.', direccion: 'Rua do Pó, 3 ✔' },
        draft: { notas: '¡Gracias! 😀' },
      }),
    );
    expect(found.map(({ campo, gravedad, mensaje }) => [campo, gravedad, mensaje])).toEqual([
      [
        'invoiceClient',
        'avisa',
        'El nombre del cliente se imprimirá con «□» en lugar de «株», «式», «会», «社» y otros: la letra del PDF no los tiene.',
      ],
      [
        'invoiceClient',
        'avisa',
        'La dirección del cliente se imprimirá con «□» en lugar de «✔»: la letra del PDF no lo tiene.',
      ],
      [
        'invoiceItems.0.description',
        'avisa',
        'La descripción de la línea 1 se imprimirá con «□» en lugar de «静» y «岡» y sin «🍵»: la letra del PDF no los tiene.',
      ],
      [
        'notas',
        'avisa',
        'El texto de las notas se imprimirá sin «😀»: la letra del PDF no lo tiene.',
      ],
    ]);
  });

  it('name up to four of the letters, wherever they are printed', () => {
    const found = validarFactura(
      factura({
        cliente: { ...CLIENTE, municipio: '東京会社' },
        draft: { suplidos: '10', suplidosConcepto: 'Tasa 静' },
      }),
    );
    expect(found.map(({ campo, mensaje }) => [campo, mensaje])).toEqual([
      [
        'invoiceClient',
        'La población del cliente se imprimirá con «□» en lugar de «東», «京», «会» y «社»: la letra del PDF no los tiene.',
      ],
      [
        'suplidosConcepto',
        'El concepto de los suplidos se imprimirá con «□» en lugar de «静»: la letra del PDF no lo tiene.',
      ],
    ]);
  });

  it('number the lines as they are shown, and refer to them as they are sent', () => {
    const [finding] = validarFactura(factura({ items: [item('1'), item('uno')] }));
    expect(finding).toMatchObject({ campo: 'invoiceItems.1.price' });
    expect(finding?.mensaje).toContain('línea 2');
  });
});
