import { describe, expect, it } from 'vitest';
import type { IssuedDesglose } from './invoice.ts';
import {
  type Booked,
  cobroRow,
  LIBRO_COLUMNS,
  type LibroRow,
  libroRows,
} from './libro-expedidas.ts';
import { sumText } from './money.ts';

const detalle = (change: Partial<IssuedDesglose> = {}): IssuedDesglose => ({
  Impuesto: '01',
  ClaveRegimen: '01',
  CalificacionOperacion: 'S1',
  OperacionExenta: null,
  vatRate: '21',
  recargoRate: null,
  base: '100.00',
  quota: '21.00',
  recargo: '0.00',
  ...change,
});
const at10 = (base: string, quota: string) => detalle({ vatRate: '10', base, quota });

const invoice = (numSerie: string, change: Partial<Booked> = {}): Booked => ({
  numSerie,
  tipoFactura: 'F1',
  tipoRectificativa: null,
  fechaExpedicion: '2026-11-20',
  fechaOperacion: null,
  rectifies: [],
  sustituye: [],
  desglose: [detalle()],
  total: '121.00',
  cliente: { nombre: 'Talleres Ruiz, S.L.', nif: 'B12345674', idOtro: null },
  ...change,
});
const named = (...numbers: string[]) =>
  numbers.map((numSerie) => ({ numSerie, fecha: '2026-11-20', externa: false }));

const short = (rows: readonly LibroRow[]) =>
  rows.map(({ numero, tipo, base, cuota, total }) => [numero, tipo, base, cuota, total]);

it('has the columns of the AEAT, from A to AJ', () => {
  expect(LIBRO_COLUMNS).toHaveLength(36);
  const groups = LIBRO_COLUMNS.flatMap(({ group }) => group ?? []);
  expect(groups).toEqual([
    ...['Autoliquidación', 'Actividad', 'Tipo de Factura', 'Concepto de Ingreso'],
    ...['Ingreso Computable', 'Fecha Expedición', 'Fecha Operación'],
    ...['Identificación de la Factura', 'NIF Destinatario', 'Nombre Destinatario'],
    ...['Clave de Operación', 'Calificación de la Operación', 'Operación Exenta'],
    ...['Total Factura', 'Base Imponible', 'Tipo de IVA', 'Cuota IVA Repercutida'],
    ...['Tipo de Recargo Eq.', 'Cuota Recargo Eq.'],
    'Cobro (Operación Criterio de Caja de IVA y/o artículo 7.2.1º de Reglamento del IRPF)',
    ...['Tipo Retención del IRPF', 'Importe Retenido del IRPF', 'Registro Acuerdo Facturación'],
    ...['Inmueble', 'Referencia Externa'],
  ]);
});

it('has each title and each value in its column', () => {
  const letterOf = (column: number) =>
    column < 26 ? String.fromCharCode(65 + column) : `A${String.fromCharCode(39 + column)}`;
  const columns = LIBRO_COLUMNS.map(({ title, kind, of }, column) => [
    ...[letterOf(column), title ?? '', kind, of ?? ''],
  ]);
  expect(columns.map((column) => column.join(' '))).toEqual([
    ...['A Ejercicio year ejercicio', 'B Periodo text periodo', 'C Código text ', 'D Tipo text '],
    ...['E Grupo o Epígrafe del IAE text ', 'F  text tipoFactura', 'G  text ', 'H  amount '],
    ...['I  day fechaExpedicion', 'J  day fechaOperacion', 'K Serie text serie'],
    ...['L Número text numero', 'M Número-Final text ', 'N Tipo text idType'],
    ...['O Código País text pais', 'P Identificación text identificacion', 'Q  text nombre'],
    ...['R  text clave', 'S  text calificacion', 'T  text exenta', 'U  amount total'],
    ...['V  amount base', 'W  amount tipo', 'X  amount cuota', 'Y  amount tipoRecargo'],
    ...['Z  amount cuotaRecargo', 'AA Fecha day fechaCobro', 'AB Importe amount importeCobro'],
    'AC Medio Utilizado text medio',
    'AD Identificación Medio Utilizado text identificacionMedio',
    ...['AE  amount ', 'AF  amount ', 'AG  text ', 'AH Situación text '],
    ...['AI Referencia Catastral text ', 'AJ  text referencia'],
  ]);
});

it('says everything of an invoice in a row, and leaves out what it does not have', () => {
  expect(libroRows(invoice('00001/26'), [])).toEqual([
    {
      ejercicio: '2026',
      periodo: '4T',
      tipoFactura: 'F1',
      fechaExpedicion: '2026-11-20',
      fechaOperacion: null,
      serie: null,
      numero: '00001/26',
      idType: null,
      pais: null,
      identificacion: 'B12345674',
      nombre: 'Talleres Ruiz, S.L.',
      clave: '01',
      calificacion: 'S1',
      exenta: null,
      total: '121.00',
      base: '100.00',
      tipo: '21',
      cuota: '21.00',
      tipoRecargo: null,
      cuotaRecargo: null,
      referencia: null,
    },
  ]);
});

it('has a row for each rate or cause, whose totals add up to that of the invoice', () => {
  const rows = libroRows(
    invoice('1', {
      desglose: [
        at10('50.05', '5.01'),
        detalle({ recargoRate: '5.2', recargo: '5.20' }),
        detalle({ vatRate: '5', recargoRate: '0', base: '20.00', quota: '1.00' }),
        detalle({ CalificacionOperacion: 'S2', vatRate: null, base: '7.00', quota: '0.00' }),
        detalle({
          CalificacionOperacion: null,
          OperacionExenta: 'E5',
          vatRate: null,
          base: '30.00',
          quota: '0.00',
        }),
        // 10 € to another Member State, at its 19 %.
        detalle({
          ClaveRegimen: '17',
          CalificacionOperacion: 'N2',
          vatRate: null,
          base: '11.90',
          quota: '0.00',
        }),
      ],
      // 55,06 + 126,20 + 21 + 7 + 30 + 11,90.
      total: '251.16',
    }),
    [],
  );
  expect(
    rows.map((row) => [
      ...[row.clave, row.calificacion, row.exenta, row.tipo, row.base, row.cuota],
      ...[row.tipoRecargo, row.cuotaRecargo, row.total],
    ]),
  ).toEqual([
    ['01', 'S1', null, '10', '50.05', '5.01', null, null, '55.06'],
    ['01', 'S1', null, '21', '100.00', '21.00', '5.2', '5.20', '126.20'],
    ['01', 'S1', null, '5', '20.00', '1.00', '0', '0.00', '21.00'],
    ['01', 'S2', null, '0', '7.00', '0.00', null, null, '7.00'],
    ['01', null, 'E5', null, '30.00', null, null, null, '30.00'],
    ['17', 'N2', null, null, '11.90', null, null, null, '11.90'],
  ]);
  expect(sumText(rows.map(({ total }) => total))).toBe('251.16');
});

it('has the whole price of what is taxed on its margin in the total of that line', () => {
  // Sold for 300 €, of which 121 are the margin with its tax; and 10 € at 10 %.
  const desglose = [at10('10.00', '1.00'), detalle({ ClaveRegimen: '03' })];
  const rows = libroRows(invoice('1', { desglose, total: '311.00' }), []);
  expect(short(rows)).toEqual([
    ['1', '10', '10.00', '1.00', '11.00'],
    ['1', '21', '100.00', '21.00', '300.00'],
  ]);
  const [almostFree] = libroRows(
    invoice('1', { desglose: [detalle({ ClaveRegimen: '03' })], total: '121.01' }),
    [],
  );
  expect(almostFree?.total).toBe('121.01');
  const returned = detalle({ ClaveRegimen: '03', base: '-100.00', quota: '-21.00' });
  const credit = libroRows(invoice('2', { desglose: [returned], total: '-300.00' }), []);
  expect(short(credit)).toEqual([['2', '21', '-100.00', '-21.00', '-300.00']]);
});

it.each([
  ['IGIC', '03'],
  ['IPSI', '02'],
] as const)('has what is sold with %s as not subject, under the clave 08', (_, Impuesto) => {
  const desglose = [detalle({ Impuesto, ClaveRegimen: '01', vatRate: '7', quota: '7.00' })];
  const [row] = libroRows(invoice('1', { desglose, total: '107.00' }), []);
  expect(row).toMatchObject({
    clave: '08',
    calificacion: 'N2',
    base: '107.00',
    tipo: null,
    cuota: null,
    total: '107.00',
  });
});

describe('the period', () => {
  it.each([
    ['2026-01-01', null, '2026', '1T'],
    ['2026-04-03', '2026-03-30', '2026', '1T'],
    ['2026-07-01', '2026-06-30', '2026', '2T'],
    ['2027-01-02', '2026-12-31', '2026', '4T'],
  ])(
    'of %s, for an operation of %s, is %s %s',
    (fechaExpedicion, fechaOperacion, year, quarter) => {
      const [row] = libroRows(invoice('1', { fechaExpedicion, fechaOperacion }), []);
      expect(row).toMatchObject({ ejercicio: year, periodo: quarter });
      expect(row).toMatchObject({ fechaExpedicion, fechaOperacion });
    },
  );

  // The operation is the one rectified, in a quarter that was declared; 2027-03-31 is that of a clave 14 or 15.
  it.each([
    ['2026-12-20', '2027', '1T'],
    ['2027-03-31', '2027', '1T'],
    ['2027-05-31', '2027', '2T'],
  ])(
    'of a rectificativa of 2027-01-05, for an operation of %s, is %s %s',
    (fechaOperacion, year, quarter) => {
      const wrong = invoice('1', { fechaExpedicion: '2026-12-20' });
      for (const tipoRectificativa of ['I', 'S'] as const) {
        const rows = libroRows(
          invoice('R1', {
            tipoFactura: 'R1',
            tipoRectificativa,
            fechaExpedicion: '2027-01-05',
            fechaOperacion,
            rectifies: named('1'),
          }),
          [wrong],
        );
        expect(rows.map(({ ejercicio, periodo }) => [ejercicio, periodo])).toEqual(
          rows.map(() => [year, quarter]),
        );
        expect(rows.at(-1)).toMatchObject({ fechaOperacion });
      }
    },
  );
});

describe('the recipient', () => {
  const of = (change: Partial<Booked>) => {
    const [row] = libroRows(invoice('1', change), []);
    return [row?.idType, row?.pais, row?.identificacion, row?.nombre];
  };
  const abroad = (IDType: '02' | '04' | '07', ID: string, CodigoPais?: string) => ({
    cliente: { nombre: 'Otto GmbH', nif: null, idOtro: { IDType, ID, CodigoPais } },
  });

  it('is a NIF, a NIF-IVA without country, or a document with it', () => {
    expect(of({})).toEqual([null, null, 'B12345674', 'Talleres Ruiz, S.L.']);
    expect(of(abroad('02', 'DE123456789'))).toEqual(['02', null, 'DE123456789', 'Otto GmbH']);
    expect(of(abroad('04', 'X-1', 'CH'))).toEqual(['04', 'CH', 'X-1', 'Otto GmbH']);
    expect(of(abroad('04', '9'.repeat(21), 'CH'))[2]).toBe('9'.repeat(20));
  });

  it('is a NIF too if it is in no census: the book has no document of that kind', () => {
    expect(of(abroad('07', '12345678Z', 'ES'))).toEqual([null, null, '12345678Z', 'Otto GmbH']);
  });

  it('is the final consumer of a simplified invoice', () => {
    const nobody = [null, null, null, 'VENTAS A CONSUMIDOR FINAL'];
    expect(of({ tipoFactura: 'F2', cliente: null })).toEqual(nobody);
    expect(of({ tipoFactura: 'R5' })).toEqual(nobody);
    expect(of({ tipoFactura: 'F2' })).toEqual(nobody);
  });

  it('has no more than 40 characters, no control characters, and nothing that a spreadsheet would run', () => {
    const called = (nombre: string) =>
      of({ cliente: { nombre, nif: 'B12345674', idOtro: null } })[3];
    expect(called('Ñ'.repeat(60))).toBe('Ñ'.repeat(40));
    expect(called('Uno\u0007\nDos')).toBe('Uno Dos');
    expect(called('=1+1')).toBe("'=1+1");
  });
});

describe('the number', () => {
  const parts = (numSerie: string) =>
    libroRows(invoice(numSerie), []).map(({ serie, numero }) => [serie, numero]);

  it('is split only if it does not fit: its last 20 characters stay', () => {
    expect(parts('A'.repeat(20))).toEqual([[null, 'A'.repeat(20)]]);
    expect(parts(`SERIE${'1'.repeat(20)}`)).toEqual([['SERIE', '1'.repeat(20)]]);
  });

  it('is taken for no formula, and neither is its series', () => {
    expect(parts('=1/26')).toEqual([[null, "'=1/26"]]);
    expect(parts(`+A${'-'.repeat(20)}`)).toEqual([["'+A", `'${'-'.repeat(20)}`]]);
  });
});

describe('an invoice that names others', () => {
  const first = invoice('1', { desglose: [detalle(), at10('50.00', '5.00')], total: '176.00' });
  const replacing = (numSerie: string, ...numbers: string[]) =>
    invoice(numSerie, {
      tipoFactura: 'R4',
      tipoRectificativa: 'S',
      fechaExpedicion: '2027-01-05',
      rectifies: named(...numbers),
      desglose: [at10('150.00', '15.00')],
      total: '165.00',
    });

  it('por diferencias is a row of its own, and says which one it rectifies', () => {
    const rows = libroRows(
      invoice('R1', {
        tipoFactura: 'R1',
        tipoRectificativa: 'I',
        rectifies: named('1'),
        desglose: [at10('-20.00', '-2.00')],
        total: '-22.00',
      }),
      [first],
    );
    expect(short(rows)).toEqual([['R1', '10', '-20.00', '-2.00', '-22.00']]);
    expect(rows[0]?.referencia).toBe('Rectifica 1');
  });

  it('por sustitución comes behind the wrong one, negative, both in its own period', () => {
    const rows = libroRows(replacing('R1', '1'), [{ ...first, fechaOperacion: '2026-09-30' }]);
    expect(short(rows)).toEqual([
      ['1', '21', '-100.00', '-21.00', '-121.00'],
      ['1', '10', '-50.00', '-5.00', '-55.00'],
      ['R1', '10', '150.00', '15.00', '165.00'],
    ]);
    expect(
      rows.map((row) => [row.tipoFactura, row.fechaExpedicion, row.ejercicio, row.periodo]),
    ).toEqual([
      ['F1', '2026-11-20', '2027', '1T'],
      ['F1', '2026-11-20', '2027', '1T'],
      ['R4', '2027-01-05', '2027', '1T'],
    ]);
    expect(rows.map(({ referencia }) => referencia)).toEqual([
      ...['Rectificada por R1', 'Rectificada por R1', 'Rectifica 1'],
    ]);
  });

  it('takes off the recargo of the wrong one too, and no quota of what had none', () => {
    const exempt = { CalificacionOperacion: null, OperacionExenta: 'E5', vatRate: null } as const;
    const desglose = [
      detalle({ recargoRate: '5.2', recargo: '5.20' }),
      detalle({ ...exempt, base: '50.00', quota: '0.00' }),
    ];
    const wrong = invoice('1', { desglose, total: '176.20' });
    expect(
      libroRows(replacing('R1', '1'), [wrong]).map((row) => [
        ...[row.cuota, row.tipoRecargo, row.cuotaRecargo, row.total],
      ]),
    ).toEqual([
      ['-21.00', '5.2', '-5.20', '-126.20'],
      [null, null, null, '-50.00'],
      ['15.00', null, null, '165.00'],
    ]);
  });

  it('takes off only what is left of several that had replaced one another', () => {
    const earlier = replacing('R1', '1');
    for (const originals of [
      [first, earlier],
      [earlier, first],
    ]) {
      expect(short(libroRows(replacing('R2', '1', 'R1'), originals))).toEqual([
        ['R1', '10', '-150.00', '-15.00', '-165.00'],
        ['R2', '10', '150.00', '15.00', '165.00'],
      ]);
    }
  });

  it('takes off and puts back as often as several had replaced the same: the book adds up to the newest', () => {
    const story = [
      first,
      ...['R1', 'R2'].map((number) => replacing(number, '1')),
      ...['R3', 'R4', 'R5'].map((number) => replacing(number, '1', 'R1', 'R2')),
    ];
    const newest = replacing('R6', ...story.map(({ numSerie }) => numSerie));
    const rows = libroRows(newest, story);
    // 1: itself, less R1 and R2, and once more for each of R3 to R5, which put it back. R1: itself, less those three.
    expect(short(rows)).toEqual([
      ['1', '21', '-200.00', '-42.00', '-242.00'],
      ['1', '10', '-100.00', '-10.00', '-110.00'],
      ...['R1', 'R2'].map((number) => [number, '10', '300.00', '30.00', '330.00']),
      ...['R3', 'R4', 'R5'].map((number) => [number, '10', '-150.00', '-15.00', '-165.00']),
      ['R6', '10', '150.00', '15.00', '165.00'],
    ]);
    const book = [...story.flatMap((one) => libroRows(one, story)), ...rows];
    expect(sumText(book.map(({ total }) => total))).toBe('165.00');
  });

  it('takes nothing off if it is an F3, or what it replaces is another program’s', () => {
    const f3 = invoice('2', { tipoFactura: 'F3', sustituye: named('S-1', 'S-2') });
    const tickets = ['S-1', 'S-2'].map((number) => invoice(number, { tipoFactura: 'F2' }));
    expect(short(libroRows(f3, tickets))).toEqual([['2', '21', '100.00', '21.00', '121.00']]);
    expect(libroRows(f3, [])[0]?.referencia).toBe('Sustituye a S-1, S-2');
    const other = {
      ...replacing('R1'),
      rectifies: [{ numSerie: 'VIEJA-9', fecha: '2025-11-20', externa: true }],
    };
    expect(libroRows(other, []).map(({ referencia }) => referencia)).toEqual(['Rectifica VIEJA-9']);
  });

  it('names as many as fit', () => {
    const numbers = Array.from({ length: 9 }, (_, i) => `FACTURA-0${i}`);
    const [row] = libroRows(invoice('2', { tipoFactura: 'F3', sustituye: named(...numbers) }), []);
    expect(row?.referencia).toBe('Sustituye a FACTURA-00 y 8 más');
    // «Sustituye a FACTURA-0123456789, 1 y 2 más» would have 41 characters.
    const fitting = (...some: string[]) =>
      libroRows(invoice('2', { tipoFactura: 'F3', sustituye: named(...some) }), [])[0]?.referencia;
    expect(fitting('FACTURA-012345678', '1', 'LARGA-2', 'LARGA-3')).toBe(
      'Sustituye a FACTURA-012345678, 1 y 2 más',
    );
    expect(fitting('FACTURA-0123456789', '1', 'LARGA-2', 'LARGA-3')).toBe(
      'Sustituye a FACTURA-0123456789 y 3 más',
    );
    expect(fitting('S-1')).toBe('Sustituye a S-1');
    expect(fitting('FACTURA-0123456789', 'FACTURA-LARGA')).toBe(
      'Sustituye a FACTURA-0123456789 y 1 más',
    );
    const [long] = libroRows(invoice('2', { rectifies: named('L'.repeat(60)) }), []);
    expect(long?.referencia).toBe(`Rectifica ${'L'.repeat(30)}`);
  });
});

it('has a row for each cobro, in its own period, with what tells which invoice it is of', () => {
  const cobro = { fecha: '2027-01-04', importe: '-60.50', medio: '01', identificacion: ' =ES91 ' };
  expect(cobroRow(invoice('00001/26'), cobro)).toEqual({
    ejercicio: '2027',
    periodo: '1T',
    tipoFactura: 'F1',
    fechaExpedicion: '2026-11-20',
    fechaOperacion: null,
    serie: null,
    numero: '00001/26',
    idType: null,
    pais: null,
    identificacion: 'B12345674',
    nombre: 'Talleres Ruiz, S.L.',
    clave: '07',
    fechaCobro: '2027-01-04',
    importeCobro: '-60.50',
    medio: '01',
    identificacionMedio: "'=ES91",
  });
  const provedBy = (identificacion: string) =>
    cobroRow(invoice('1'), { ...cobro, identificacion }).identificacionMedio;
  expect(provedBy('')).toBeNull();
  expect(provedBy('ES'.padEnd(35, '9'))).toBe('ES'.padEnd(34, '9'));
});
