import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factura, usedGoods } from '../../tests/fixtures/verifactu/broken.ts';
import {
  CLIENTE,
  EMISOR,
  issued,
  item,
  ORIGINAL,
  SAMPLES,
  type Sample,
} from '../../tests/fixtures/verifactu/invoices.ts';
import { terminosPago } from './catalogs/catalogs.ts';
import type { TipoIdentificacion } from './invoice.ts';
import {
  clienteEmitido,
  isReplacingAbono,
  issuedLine,
  type Original,
  totalOf,
  totalTogether,
  vencimientos,
} from './issue.ts';
import { textToCents } from './money.ts';

const CARD = {
  No: 'C-1',
  Name: 'Acme',
  VATRegistrationNo: 'B12345674',
  Address: 'Calle Mayor, 1',
  postCode: '28013',
  countryCode: 'ES',
  Email: 'acme@ejemplo.es',
  CustomerPostingGroup: 'NAC',
};
const customer = (
  countryCode: string,
  VATRegistrationNo: string,
  CustomerPostingGroup = 'NAC',
  tipoIdentificacion: TipoIdentificacion | '' = '',
) =>
  clienteEmitido({
    ...CARD,
    tipoIdentificacion,
    VATRegistrationNo,
    countryCode,
    CustomerPostingGroup,
  });
const termino = (code: string) => {
  const found = terminosPago.find(({ Code }) => Code === code);
  if (!found) throw new Error(code);
  return found;
};

describe('an issued invoice', () => {
  it('is plain JSON', () => {
    for (const sample of Object.values(SAMPLES)) {
      const invoice = issued(sample);
      expect(JSON.parse(JSON.stringify(invoice))).toEqual(invoice);
    }
  });

  it('has what its form says and what the company adds', () => {
    const invoice = issued({
      draft: {
        fechaOperacion: '2026-11-15',
        retencionIRPF: '15',
        suplidos: '30',
        suplidosConcepto: ' Tasas del registro ',
        notas: ' Gracias ',
      },
      items: [item('100')],
    });
    expect(invoice).toMatchObject({
      tipoFactura: 'F1',
      tipoRectificativa: null,
      numSerie: '00001/LO',
      fechaExpedicion: '2026-11-20',
      fechaOperacion: '2026-11-15',
      emisor: EMISOR,
      cliente: CLIENTE,
      desglose: [{ ClaveRegimen: '01', vatRate: '21', base: '100.00', quota: '21.00' }],
      suplidos: { importe: '30.00', concepto: 'Tasas del registro' },
      retencionRate: '15',
      retencion: '15.00',
      payable: '136.00', // 121.00 − 15.00 + 30.00
      claveRegimen: '01',
      notas: 'Gracias',
      formaPago: 'Transferencia bancaria',
      terminoPago: termino('30D').Description,
      vencimientos: [{ fecha: '2026-12-20', importe: '136.00' }],
      esDemo: false,
    });
    expect(invoice.qr).toMatch(/importe=121\.00$/);
  });

  it('has nothing of what its form does not say', () => {
    const invoice = issued({ draft: { fechaOperacion: '2026-11-20' }, items: [item('100')] });
    expect(invoice).toMatchObject({
      fechaOperacion: null, // It is that of the invoice.
      retencionRate: null,
      retencion: '0.00',
      payable: '121.00',
      notas: '',
    });
    for (const part of ['ivaIncluido', 'ivaDestino', 'suplidos', 'pagado', 'iban']) {
      expect(invoice).not.toHaveProperty(part);
    }
    const bare = issued({ draft: { suplidos: '30' }, items: [item('100')] });
    expect(bare.suplidos).toEqual({ importe: '30.00', concepto: '' });
  });

  it('says that its prices include the tax, and what each State taxes of them', () => {
    const draft = { isSimplificada: true, ivaIncluido: true };
    expect(issued({ draft, items: [item('121')], cliente: null })).toMatchObject({
      ivaIncluido: true,
      base: '100.00',
      total: '121.00',
    });
    const oss = { ...item('80', 'OSS'), tipoDestino: '19' };
    expect(issued({ ...SAMPLES['f1-oss'], items: [oss] })).toMatchObject({
      ivaDestino: [{ tipo: '19', base: '80.00', cuota: '15.20' }],
      total: '95.20',
    });
  });

  it('has each line as text, with its codes', () => {
    const hour = { ...item('100'), discount: '10', unit: 'HORA', productNo: 'P-1' };
    const { lines, desglose } = issued({ items: [hour, item('60', 'EXENTO20')] });
    const { description } = hour;
    const plain = { impuesto: 'IVA', recargoRate: null, quantity: '1' };
    expect(lines).toEqual([
      {
        ...plain,
        description,
        price: '100.00',
        discount: '10',
        unit: 'HORA',
        productNo: 'P-1',
        tax: 'IVA21',
        CalificacionOperacion: 'S1',
        OperacionExenta: null,
        vatRate: '21',
        base: '90.00',
        total: '108.90',
      },
      {
        ...plain,
        description,
        price: '60.00',
        discount: '0',
        unit: null,
        productNo: null,
        tax: 'EXENTO20',
        CalificacionOperacion: null,
        OperacionExenta: 'E1',
        vatRate: null,
        base: '60.00',
        total: '60.00',
      },
    ]);
    const group = { Impuesto: '01', ClaveRegimen: '01', recargoRate: null, recargo: '0.00' };
    expect(desglose).toEqual([
      {
        ...group,
        CalificacionOperacion: 'S1',
        OperacionExenta: null,
        vatRate: '21',
        base: '90.00',
        quota: '18.90',
      },
      {
        ...group,
        CalificacionOperacion: null,
        OperacionExenta: 'E1',
        vatRate: null,
        base: '60.00',
        quota: '0.00',
      },
    ]);
    const oss = { ...item('80', 'OSS'), tipoDestino: '19' };
    expect(issued({ ...SAMPLES['f1-oss'], items: [oss] }).lines).toMatchObject([
      { tipoDestino: '19', ClaveRegimen: '17' },
    ]);
  });

  it('says how it rectifies, if it does', () => {
    const items = [item('100')];
    const methods = [
      issued({ draft: { tipoRectificativa: 'S' }, items }),
      issued(SAMPLES['r1-diferencias']),
      issued(SAMPLES['r1-sustitucion']),
    ].map(({ tipoRectificativa }) => tipoRectificativa);
    expect(methods).toEqual([null, 'I', 'S']);
  });

  it('takes off what was paid with the tickets that it replaces', () => {
    const paid = (importe: string, sample: Sample = SAMPLES.f3) =>
      issued({ ...sample, pagadoAntes: { importe, fecha: '2026-11-10', formaPago: 'Tarjeta' } });
    expect(paid('10.00')).toMatchObject({
      total: '22.00',
      pagado: { importe: '10.00', fecha: '2026-11-10' },
      payable: '12.00',
      formaPago: 'Transferencia bancaria',
      vencimientos: [{ fecha: '2026-12-20', importe: '12.00' }],
    });
    expect(paid('21.99').formaPago).toBe('Transferencia bancaria');
    for (const [importe, payable] of [
      ['22.00', '0.00'],
      ['30.00', '-8.00'],
    ] as const) {
      expect(paid(importe)).toMatchObject({
        payable,
        formaPago: 'Tarjeta',
        terminoPago: '',
        vencimientos: [],
      });
    }
    const other = paid('22.00', { items: [item('100')] });
    expect(other).toMatchObject({ payable: '121.00', formaPago: 'Transferencia bancaria' });
    expect(other).not.toHaveProperty('pagado');
  });

  it('has its amounts as the text of the registro', () => {
    expect(issued(SAMPLES['f1-recargo'])).toMatchObject({
      base: '105.00',
      vat: '21.00',
      recargo: '5.20',
      cuotaTotal: '26.20',
      total: '131.20',
      lines: [
        { quantity: '1', price: '100.00', vatRate: '21', recargoRate: '5.2', total: '126.20' },
        {},
      ],
    });
  });

  it('por diferencias is negative, except for what was typed', () => {
    const { lines, total } = issued(SAMPLES['r1-diferencias']);
    expect(lines[0]).toMatchObject({ quantity: '1', price: '100.00', base: '-100.00' });
    expect(total).toBe('-131.40');
  });

  it('rectifies or replaces what it names, never both', () => {
    const reference = { numSerie: ORIGINAL.numSerie, fecha: ORIGINAL.fecha, externa: false };
    expect(issued(SAMPLES['r1-sustitucion'])).toMatchObject({
      rectifies: [reference],
      sustituye: [],
      importeRectificacion: { base: '110.00', cuota: '21.40', recargo: '0.00' },
    });
    expect(issued(SAMPLES.f3)).toMatchObject({ rectifies: [], importeRectificacion: null });
    expect(issued(SAMPLES.f3).sustituye).toHaveLength(1);
    expect(issued(SAMPLES['f1-exenta']).rectifies).toEqual([]);
  });

  it('adds up the invoices that a single one replaces', () => {
    const originals = [
      ORIGINAL,
      { ...ORIGINAL, numSerie: '00002/LO', base: '0.10', cuota: '0.02' },
    ];
    expect(issued({ ...SAMPLES['r1-sustitucion'], originals }).importeRectificacion).toEqual({
      base: '110.10',
      cuota: '21.42',
      recargo: '0.00',
    });
  });

  it('counts once what one of them had replaced itself', () => {
    const { base, cuota, recargo } = ORIGINAL;
    const replacing = {
      ...ORIGINAL,
      numSerie: '00001/LOR',
      base: '150.00',
      cuota: '31.50',
      corrige: [ORIGINAL.numSerie],
      sustituido: { base, cuota, recargo },
    };
    const declared = (...originals: Original[]) =>
      issued({ ...SAMPLES['r1-sustitucion'], originals }).importeRectificacion;
    const changed = { base: '150.00', cuota: '31.50', recargo: '0.00' };
    expect(declared(ORIGINAL, replacing)).toEqual(changed);
    expect(declared(replacing, ORIGINAL)).toEqual(changed);
    expect(declared(replacing)).toEqual(changed);

    const again = {
      ...replacing,
      numSerie: '00002/LOR',
      base: '80.00',
      cuota: '16.80',
      corrige: [ORIGINAL.numSerie, replacing.numSerie],
      sustituido: changed,
    };
    expect(declared(ORIGINAL, replacing, again)?.base).toBe('80.00');
    const difference = {
      ...ORIGINAL,
      numSerie: '00003/LOR',
      base: '-10.00',
      cuota: '-2.10',
      corrige: [ORIGINAL.numSerie],
    };
    expect(declared(ORIGINAL, difference)?.base).toBe('100.00');
  });

  it('stores the total of the replaced ones if it is more than base and quota', () => {
    const used = { ...ORIGINAL, base: '33.06', cuota: '6.94', total: '100.00' };
    const { importeRectificacion } = issued({
      ...SAMPLES['r1-sustitucion'],
      originals: [used, ORIGINAL],
    });
    expect(importeRectificacion).toEqual({
      base: '143.06',
      cuota: '28.34',
      recargo: '0.00',
      total: '231.40',
    });
  });

  it('contains each legal mention once', () => {
    const items = [item('1', 'ISP'), item('2', 'ISP'), item('3', 'EXENTO20'), item('4')];
    expect(issued({ items }).menciones).toEqual([
      'Inversión del sujeto pasivo (art. 84.Uno.2.º Ley 37/1992)',
      'Operación exenta de IVA, artículo 20 de la Ley 37/1992',
    ]);
  });

  it('describes the operation with as many lines as fit in 500 characters', () => {
    const line = (description: string) => ({ ...item('1'), description });
    expect(issued({ items: [line(' Uno\n y  dos '), line('Tres')] }).descripcionOperacion).toBe(
      'Uno y dos; Tres',
    );
    const long = issued({ items: [line('a'.repeat(300)), line('b'.repeat(300))] });
    expect(long.descripcionOperacion).toBe('a'.repeat(300));
    const longer = issued({ items: [line('a'.repeat(600))] });
    expect(longer.descripcionOperacion).toHaveLength(500);
    // An emoji is one character, of two units of UTF-16.
    const drawn = issued({ items: [line('🧁'.repeat(298)), line('b'.repeat(200))] });
    expect(drawn.descripcionOperacion).toBe(`${'🧁'.repeat(298)}; ${'b'.repeat(200)}`);
  });

  it('stores no customer if it is simplified', () => {
    expect(issued({ ...SAMPLES.f2, cliente: CLIENTE }).cliente).toBeNull();
  });
});

it('a rectificativa por sustitución gives money back if what it replaces does', () => {
  const back = { ...ORIGINAL, base: '-110.00', cuota: '-21.40' };
  const abono = { type: 'abono', tipoRectificativa: 'S' } as const;
  expect(isReplacingAbono(abono, [back])).toBe(true);
  expect(isReplacingAbono(abono, [ORIGINAL])).toBe(false);
  expect(isReplacingAbono(abono, [ORIGINAL, back])).toBe(false);
  expect(isReplacingAbono({ ...abono, tipoRectificativa: 'I' }, [back])).toBe(false);
  expect(isReplacingAbono({ ...abono, type: 'factura' }, [back])).toBe(false);
});

it('the total of an invoice is the sum of its parts, if it is not known', () => {
  const parts = { base: '100.00', cuota: '21.00', recargo: '5.20' };
  expect(totalOf(parts)).toBe(12_620n);
  expect(totalOf({ ...parts, total: '130.00' })).toBe(13_000n);
  expect(totalTogether([ORIGINAL, { ...ORIGINAL, ...parts }])).toBe(13_140n + 12_620n);
});

it('the customer is as its card says on the day', () => {
  expect(clienteEmitido({ ...CARD, municipio: 'Madrid', organoGestor: 'L01280796' })).toEqual({
    no: 'C-1',
    nombre: 'Acme',
    nif: 'B12345674',
    idOtro: null,
    direccion: 'Calle Mayor, 1',
    postCode: '28013',
    countryCode: 'ES',
    email: 'acme@ejemplo.es',
    postingGroup: 'NAC',
    municipio: 'Madrid',
    dir3: {
      oficinaContable: '',
      organoGestor: 'L01280796',
      unidadTramitadora: '',
      organoProponente: '',
    },
  });
  for (const part of ['municipio', 'dir3']) expect(clienteEmitido(CARD)).not.toHaveProperty(part);
  // What the invoice states counts before the card.
  const card = { ...CARD, VATRegistrationNo: '12345678Z', tipoIdentificacion: '03' as const };
  expect(clienteEmitido(card).idOtro?.IDType).toBe('03');
  expect(clienteEmitido(card, '07').idOtro?.IDType).toBe('07');
});

describe('the customer is identified', () => {
  /** Twenty characters, of two units of UTF-16. */
  const longest = '𐌰'.repeat(20);

  it.each([
    ['ES', '12.345.678-z', '12345678Z', null],
    ['ES', '', null, null],
    ['DE', '136695976', null, { IDType: '02', ID: 'DE136695976' }],
    ['GR', '094259216', null, { IDType: '02', ID: 'EL094259216' }],
    ['US', '12-3456789', null, { CodigoPais: 'US', IDType: '04', ID: '12-3456789' }],
    ['DE', 'L01X00T47', null, { CodigoPais: 'DE', IDType: '04', ID: 'L01X00T47' }],
    ['MA', 'X1234567L', 'X1234567L', null], // a NIE of who lives abroad
    ['MA', 'L1234567L', 'L1234567L', null], // of a Spaniard abroad without DNI
    ['MA', '12.345.678-Z', '12345678Z', null], // a DNI
    ['MA', '12345678A', null, { CodigoPais: 'MA', IDType: '04', ID: '12345678A' }],
    ['US', 'A58818501', null, { CodigoPais: 'US', IDType: '04', ID: 'A58818501' }],
    ['US', longest, null, { CodigoPais: 'US', IDType: '04', ID: longest }],
  ])('of %s with %j', (country, text, nif, idOtro) => {
    expect(customer(country, text)).toMatchObject({ nif, idOtro });
  });

  it.each([
    ['02', 'DE', '136 695 976', { IDType: '02', ID: 'DE136695976' }],
    ['03', 'ES', 'PASS-77', { CodigoPais: 'ES', IDType: '03', ID: 'PASS-77' }],
    ['06', 'FR', 'PASS-77', { CodigoPais: 'FR', IDType: '06', ID: 'PASS-77' }],
    ['06', 'FR', longest, { CodigoPais: 'FR', IDType: '06', ID: longest }],
    // Always Spain and in the form of a NIF, wherever they live.
    ['07', 'ES', '12.345.678-z', { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' }],
    ['07', 'FR', '12.345.678-z', { CodigoPais: 'ES', IDType: '07', ID: '12345678Z' }],
  ] as const)('by %s, chosen by hand, in %s', (IDType, country, text, idOtro) => {
    expect(customer(country, text, 'NAC', IDType)).toMatchObject({ nif: null, idOtro });
  });

  it.each([
    ['PT', '501964843'],
    ['GR', '094259216'],
    ['SK', '2022749619'],
  ])('of a private person in %s by that number, which is no NIF-IVA', (CodigoPais, ID) => {
    expect(customer(CodigoPais, ID, 'UEPART').idOtro).toEqual({ CodigoPais, IDType: '04', ID });
    expect(customer(CodigoPais, ID, 'UE').idOtro).toMatchObject({ IDType: '02' });
    expect(customer('PT', 'X1234567L', 'UEPART').nif).toBe('X1234567L');
    expect(customer('FR', '12345678Z', 'UEPART').nif).toBe('12345678Z');
    // Everybody there has a number of that form.
    expect(customer('CY', '12345678Z', 'UEPART').idOtro).toMatchObject({ IDType: '04' });
  });
});

it('says no rate on a line taxed on its margin: the quota is not shown (RD 1619/2012 art. 16.2.c)', () => {
  const { lines } = factura({ items: [usedGoods('100', '60')] }).totals;
  expect(lines.map((line) => issuedLine(line, '03'))).toMatchObject([
    { isMargen: true, vatRate: null, recargoRate: null, base: '100.00' },
  ]);
});

describe('vencimientos', () => {
  it.each([
    ['CON', [['2026-11-20', '121.00']]],
    ['30D', [['2026-12-20', '121.00']]],
    ['30FM', [['2026-12-31', '121.00']]],
    ['FM', [['2026-11-30', '121.00']]],
    [
      '30-60',
      [
        ['2026-12-20', '60.50'],
        ['2027-01-19', '60.50'],
      ],
    ],
  ])('%s of 121 € on 20 November', (code, expected) => {
    const due = vencimientos('2026-11-20', 12100n, termino(code));
    expect(due.map(({ fecha, importe }) => [fecha, importe])).toEqual(expected);
  });

  it('gives the last instalment the remaining cent', () => {
    const due = vencimientos('2026-11-20', 10001n, termino('30-60'));
    expect(due.map(({ importe }) => importe)).toEqual(['50.01', '50.00']);
  });

  it('always adds up to the amount to pay, and a credit has nothing due', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 14n });
    fc.assert(
      fc.property(amount, fc.constantFrom(...terminosPago), (cents, term) => {
        const due = vencimientos('2026-01-31', cents, term);
        expect(due.reduce((sum, { importe }) => sum + textToCents(importe), 0n)).toBe(cents);
      }),
    );
    for (const cents of [0n, -12100n]) {
      expect(vencimientos('2026-11-20', cents, termino('30D'))).toEqual([]);
    }
  });
});
