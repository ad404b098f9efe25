import { describe, expect, it } from 'vitest';
import {
  CLIENTE,
  CLIENTE_EXT,
  CLIENTE_UE,
  DRAFT,
  EMISOR,
  item,
  ORIGINAL,
} from '../../../../tests/fixtures/verifactu/invoices.ts';
import { gruposIva } from '../../catalogs/catalogs.ts';
import type { ClienteEmitido, DraftInvoice } from '../../invoice.ts';
import { signOf } from '../../invoice.ts';
import { parseDecimal } from '../../money.ts';
import type { Territory } from '../../postal-code.ts';
import { computeTotals, type InvoiceItemInput } from '../../totals.ts';
import type { VatGroup } from '../../vat.ts';
import { casoDe, type FacturaAValidar } from './regla.ts';
import { REGLAS, validarFactura } from './validar.ts';

interface Broken {
  readonly draft?: Partial<DraftInvoice>;
  readonly items?: readonly InvoiceItemInput[];
  readonly cliente?: ClienteEmitido | null;
  readonly groups?: readonly VatGroup[];
  readonly territory?: Territory;
  readonly rest?: Partial<FacturaAValidar>;
}

/** A good F1 of 121 € of 20 November 2026, but for what is given. */
function factura({
  draft: changes = {},
  items = [item('100')],
  cliente = CLIENTE,
  territory = 'peninsula',
  groups = gruposIva(territory),
  rest = {},
}: Broken = {}): FacturaAValidar {
  const typeClient = cliente?.postingGroup ?? 'NAC';
  const draft: DraftInvoice = { ...DRAFT, typeClient, ...changes, invoiceItems: items };
  const totals = computeTotals({
    items,
    groups,
    typeClient,
    claveRegimen: draft.claveRegimen,
    sign: signOf(draft),
    retencionBps: parseDecimal(draft.retencionIRPF ?? 0, 2) ?? 0n,
  });
  return {
    draft,
    totals,
    cliente,
    emisor: EMISOR,
    numSerie: '00042/LO',
    today: '2026-11-20',
    lastDateOfSeries: '2026-11-19',
    originals: [],
    ...rest,
  };
}

/** A tax of the catalog with something changed in it. */
function tax(
  name: string,
  changes: Partial<VatGroup>,
  verifactu: Partial<VatGroup['verifactu']> = {},
) {
  const [group] = gruposIva('peninsula').filter((g) => g.VATProdPostingGroup === name);
  if (!group) throw new Error(name);
  return [
    { ...group, ...changes, verifactu: { ...group.verifactu, ...verifactu } },
  ] satisfies VatGroup[];
}

const F2 = { draft: { isSimplificada: true }, cliente: null } as const;
const ABONO = { type: 'abono', invoiceToRectify: ORIGINAL.numSerie } as const;
const RECTIFIES = { originals: [ORIGINAL] };
const withRecargo = (percentage: number, recargo: number, day?: string): Broken => ({
  cliente: { ...CLIENTE, postingGroup: 'NACRE' },
  groups: tax('IVA21', {
    VATBusPostingGroup: 'NACRE',
    VATPercentage: percentage,
    RecargoEquivalencia: recargo,
  }),
  ...(day && { draft: { fechaOperacion: day } }),
});
/** Rates of years ago are billed late: that warning comes with them. */
const LATE = 'operacion-fuera-de-plazo';

/** For each rule, a draft that breaks it, the field it points at, and what else it cannot help breaking. */
const BROKEN: Readonly<Record<string, readonly [campo: string, broken: Broken, also?: string[]]>> =
  {
    f4: ['invoiceType', { draft: { invoiceType: 3 } }],
    'fecha-inexistente': ['invoiceDate', { draft: { invoiceDate: '2026-02-30' } }],
    'fecha-futura': ['invoiceDate', { draft: { invoiceDate: '2026-11-21' } }],
    'fecha-antigua': [
      'invoiceDate',
      { draft: { invoiceDate: '2024-10-27' }, rest: { lastDateOfSeries: null } },
    ],
    'fecha-desordenada': ['invoiceDate', { draft: { invoiceDate: '2026-11-18' } }],
    'numero-largo': ['invoiceNumber', { rest: { numSerie: '1'.repeat(61) } }],
    'numero-no-ascii': ['invoiceNumber', { rest: { numSerie: '00001/Ñ' } }],
    'numero-prohibido': ['invoiceNumber', { rest: { numSerie: '00001=A' } }],
    'operacion-inexistente': ['fechaOperacion', { draft: { fechaOperacion: '2026-11-31' } }],
    'operacion-posterior': ['fechaOperacion', { draft: { fechaOperacion: '2026-11-21' } }],
    'operacion-lejana': [
      'fechaOperacion',
      { draft: { fechaOperacion: '2028-01-01', claveRegimen: '15' } },
    ],
    'operacion-remota': ['fechaOperacion', { draft: { fechaOperacion: '2006-11-19' } }, [LATE]],
    'operacion-fuera-de-plazo': ['fechaOperacion', { draft: { fechaOperacion: '2026-10-15' } }],
    retencion: ['retencionIRPF', { draft: { retencionIRPF: '51' } }],
    'retencion-de-sociedad': [
      'retencionIRPF',
      { draft: { retencionIRPF: '15' }, rest: { emisor: { ...EMISOR, nif: 'A39200019' } } },
    ],
    'emisor-incompleto': ['emisor', { rest: { emisor: { ...EMISOR, direccion: ' ' } } }],
    'emisor-nif': ['emisor', { rest: { emisor: { ...EMISOR, nif: '89890001A' } } }],

    'sin-cliente': ['invoiceClient', { cliente: null }],
    'cliente-incompleto': ['invoiceClient', { cliente: { ...CLIENTE, nif: null, direccion: '' } }],
    'cliente-nif': ['invoiceClient', { cliente: { ...CLIENTE, nif: '89890002A' } }],
    'cliente-nif-inusual': ['invoiceClient', { cliente: { ...CLIENTE, nif: 'A5881850A' } }],
    'cliente-uno-mismo': ['invoiceClient', { cliente: { ...CLIENTE, nif: EMISOR.nif } }],
    'cliente-nif-iva': [
      'invoiceClient',
      { cliente: { ...CLIENTE_UE, idOtro: { IDType: '02', ID: 'DE136695975' } } },
    ],
    'sin-nif-iva': [
      'invoiceItems.0.tax',
      {
        cliente: { ...CLIENTE_UE, idOtro: { CodigoPais: 'DE', IDType: '04', ID: '1' } },
        items: [item('100', 'INTRAUE')],
      },
    ],
    vies: ['invoiceClient', { cliente: CLIENTE_UE, items: [item('100', 'SERVUE')] }],
    'r2-identificacion': [
      'crmemoType',
      { draft: { ...ABONO, crmemoType: 1 }, cliente: CLIENTE_EXT, rest: RECTIFIES },
      ['modelo-952'],
    ],
    'r3-identificacion': [
      'crmemoType',
      { draft: { ...ABONO, crmemoType: 2 }, cliente: CLIENTE_UE, rest: RECTIFIES },
      ['modelo-952'],
    ],
    'grupo-y-pais': ['invoiceClient', { cliente: { ...CLIENTE_EXT, postingGroup: 'NAC' } }],
    'grupo-y-territorio': ['invoiceClient', { cliente: { ...CLIENTE, postCode: '35001' } }],
    'recargo-a-sociedad': [
      'invoiceClient',
      { cliente: { ...CLIENTE, nif: 'B12345674', postingGroup: 'NACRE' } },
    ],

    'sin-factura-rectificada': ['invoiceToRectify', { draft: { type: 'abono' } }],
    'sin-factura-sustituida': ['invoiceToRectify', { draft: { invoiceType: 2 } }],
    'demasiadas-facturas': [
      'invoiceToRectify',
      { draft: ABONO, rest: { originals: Array(1001).fill(ORIGINAL) } },
    ],
    'numero-rectificada': [
      'invoiceToRectify',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, numSerie: 'Ñ1', externa: true }] } },
    ],
    'fecha-rectificada': [
      'invoiceToRectifyDate',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, fecha: '', externa: true }] } },
    ],
    'rectificada-posterior': [
      'invoiceToRectifyDate',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, fecha: '2026-11-21', externa: true }] } },
    ],
    'sustitucion-externa': [
      'tipoRectificativa',
      {
        draft: { ...ABONO, tipoRectificativa: 'S' },
        rest: { originals: [{ ...ORIGINAL, externa: true }] },
      },
    ],
    'fuera-de-plazo': [
      'invoiceToRectify',
      { draft: ABONO, rest: { originals: [{ ...ORIGINAL, fecha: '2022-11-19' }] } },
    ],
    'abono-mayor': ['invoiceItems', { draft: ABONO, items: [item('109')], rest: RECTIFIES }],
    'modelo-952': ['crmemoType', { draft: { ...ABONO, crmemoType: 2 }, rest: RECTIFIES }],

    'sin-lineas': ['invoiceItems', { items: [] }],
    descripcion: [
      'invoiceItems.1.description',
      { items: [item('1'), { ...item('1'), description: ' ' }] },
    ],
    cantidad: ['invoiceItems.0.quantity', { items: [item('100', 'IVA21', '-1')] }],
    precio: ['invoiceItems.0.price', { items: [item('cien')] }],
    descuento: ['invoiceItems.0.discount', { items: [{ ...item('100'), discount: '101' }] }],
    impuesto: ['invoiceItems.0.tax', { items: [item('100', 'INTRAUE')] }],
    'demasiados-tipos': [
      'invoiceItems',
      {
        territory: 'canarias',
        groups: Array.from({ length: 13 }, (_, n) =>
          tax('IVA21', { VATProdPostingGroup: `T${n}`, VATPercentage: n }, { Impuesto: '03' }),
        ).flat(),
        items: Array.from({ length: 13 }, (_, n) => item('1', `T${n}`)),
      },
    ],
    'importe-enorme': [
      'invoiceItems',
      { items: [item('999999999999', 'EXENTO20'), item('1', 'EXENTO20')] },
    ],
    'total-cero': ['invoiceItems', { items: [item('0')] }],
    'f2-mas-de-3000': ['isSimplificada', { ...F2, items: [item('2479,35')] }],
    'f2-mas-de-400': ['isSimplificada', { ...F2, items: [item('330,59')] }],
    'f2-internacional': [
      'invoiceItems.0.tax',
      {
        ...F2,
        groups: tax('EXPORT', { VATBusPostingGroup: 'NAC' }),
        items: [item('100', 'EXPORT')],
      },
    ],

    'tipo-desconocido': ['invoiceItems.0.tax', { groups: tax('IVA21', { VATPercentage: 22 }) }],
    'tipo-cerrado-200': ['invoiceItems.0.tax', { items: [item('100', 'IVA2')] }],
    'tipo-cerrado-500': ['invoiceItems.0.tax', { items: [item('100', 'IVA5')] }],
    'tipo-cerrado-750': ['invoiceItems.0.tax', { items: [item('100', 'IVA7.5')] }],
    'recargo-1162': ['invoiceItems.0.tax', withRecargo(21, 1.4)],
    'recargo-1163': ['invoiceItems.0.tax', withRecargo(10, 5.2)],
    'recargo-1164': ['invoiceItems.0.tax', withRecargo(4, 5.2)],
    'recargo-1166': ['invoiceItems.0.tax', withRecargo(2, 0.5, '2024-11-15'), [LATE]],
    'recargo-1167': ['invoiceItems.0.tax', withRecargo(5, 0.62, '2022-12-31'), [LATE]],
    'recargo-1168': ['invoiceItems.0.tax', withRecargo(5, 0.5, '2023-01-01'), [LATE]],
    'recargo-1169': ['invoiceItems.0.tax', withRecargo(7.5, 0.5, '2024-11-15'), [LATE]],
    'clave-desconocida': ['claveRegimen', { draft: { claveRegimen: '12' } }],
    'regimen-1199': [
      'invoiceItems.0.tax',
      { groups: tax('EXENTO20', {}, { OperacionExenta: 'E2' }), items: [item('100', 'EXENTO20')] },
    ],
    'regimen-1286': ['claveRegimen', { draft: { claveRegimen: '02' } }],
    'regimen-1200': [
      'claveRegimen',
      { draft: { claveRegimen: '03' }, items: [item('100', 'ISP')] },
      ['regimen-de-margen'],
    ],
    'regimen-1201': ['claveRegimen', { draft: { claveRegimen: '04' } }],
    'regimen-1202': ['claveRegimen', { draft: { claveRegimen: '06' } }],
    'regimen-1203': [
      'claveRegimen',
      { draft: { claveRegimen: '07' }, items: [item('100', 'ISP')] },
    ],
    'regimen-1252': ['claveRegimen', { draft: { claveRegimen: '08' } }],
    'regimen-1205': ['claveRegimen', { draft: { claveRegimen: '10' } }],
    'regimen-1206': [
      'claveRegimen',
      { draft: { claveRegimen: '11' }, items: [item('100', 'IVA10')] },
    ],
    'regimen-1148': [
      'claveRegimen',
      {
        draft: { claveRegimen: '14', invoiceType: 2, fechaOperacion: '2026-11-21' },
        cliente: { ...CLIENTE, nif: 'P2807900B' },
        rest: RECTIFIES,
      },
    ],
    'regimen-1293': [
      'claveRegimen',
      { territory: 'canarias', draft: { claveRegimen: '20' }, items: [item('100', 'IGIC7')] },
    ],
    'obra-publica-fecha': [
      'fechaOperacion',
      { draft: { claveRegimen: '14' }, cliente: { ...CLIENTE, nif: 'P2807900B' } },
    ],
    'obra-publica-cliente': [
      'invoiceClient',
      { draft: { claveRegimen: '14', fechaOperacion: '2026-11-21' } },
    ],
    'exencion-ajena': [
      'invoiceItems.0.tax',
      { groups: tax('EXENTO20', {}, { OperacionExenta: 'E7' }), items: [item('100', 'EXENTO20')] },
    ],
    'inversion-simplificada': ['invoiceItems.0.tax', { ...F2, items: [item('100', 'ISP')] }],
    'exenta-sin-articulo': ['notas', { items: [item('100', 'EXENTOOTR')] }],
    'claves-mezcladas': ['claveRegimen', { items: [item('100'), item('100', 'EXENTO22')] }],
    'regimen-de-margen': ['claveRegimen', { draft: { claveRegimen: '05' } }],
  };

const broken = (f: FacturaAValidar) => {
  const caso = casoDe(f);
  return REGLAS.filter(({ busca }) => busca(caso).length > 0).map(({ id }) => id);
};

describe('each rule', () => {
  it.each(REGLAS.map(({ id }) => id))('%s has a draft that breaks only it', (id) => {
    const [campo, changes, also = []] = BROKEN[id] ?? ['', {}];
    const invoice = factura(changes);
    expect(broken(invoice).toSorted()).toEqual([id, ...also].toSorted());
    const rule = REGLAS.find((candidate) => candidate.id === id);
    expect(rule?.busca(casoDe(invoice)).map((hallazgo) => hallazgo.campo)).toEqual([campo]);
  });

  it('says it in whole sentences, without the AEAT’s words or ours', () => {
    for (const [, changes] of Object.values(BROKEN)) {
      for (const { mensaje } of validarFactura(factura(changes))) {
        expect(mensaje).toMatch(/^[«A-ZÁÉÍÓÚÑ0-9].*[.]$/s);
        expect(mensaje).not.toMatch(/undefined|null|NaN|[a-z][A-Z]\w+|\d{4}-\d{2}-\d{2}/);
      }
    }
  });
});

describe('a good invoice', () => {
  it.each<[string, Broken]>([
    ['F1', {}],
    ['F1 of the day of the last one', { draft: { invoiceDate: '2026-11-19' } }],
    ['F1 first of its series', { rest: { lastDateOfSeries: null } }],
    ['F2 of 400 € without customer', { ...F2, items: [item('330,58')] }],
    ['F3', { draft: { invoiceType: 2 }, rest: RECTIFIES }],
    ['R1', { draft: ABONO, rest: RECTIFIES }],
    [
      'R1 of the whole invoice',
      { draft: ABONO, items: [item('100'), item('10', 'IVA4')], rest: RECTIFIES },
    ],
    ['R1 por sustitución', { draft: { ...ABONO, tipoRectificativa: 'S' }, rest: RECTIFIES }],
    [
      'R4 of nothing but data',
      { draft: { ...ABONO, crmemoType: 3 }, items: [item('0')], rest: RECTIFIES },
    ],
    ['R5', { draft: { ...ABONO, isSimplificada: true }, cliente: null, rest: RECTIFIES }],
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
  ])('has nothing to mend: %s', (_what, changes) => {
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
  ])('may carry %s', (name) => {
    expect(validarFactura(factura({ items: [item('100', name)] }))).toEqual([]);
  });
});

describe('the sentences', () => {
  it('name the customer and all that its card lacks', () => {
    const [finding] = validarFactura(
      factura({ cliente: { ...CLIENTE, nombre: 'Acme', nif: null, direccion: '' } }),
    );
    expect(finding).toEqual({
      campo: 'invoiceClient',
      codigo: '1239',
      gravedad: 'bloquea',
      mensaje:
        'En la ficha de Acme faltan el NIF y la dirección. Complétala para registrar la factura.',
    });
  });

  it('write amounts and days as people do', () => {
    const [over] = validarFactura(factura({ ...F2, items: [item('2500')] }));
    expect(over?.mensaje).toContain('ésta suma 3.025,00 €');
    const [late] = validarFactura(factura({ draft: { invoiceDate: '2026-11-18' } }));
    expect(late?.mensaje).toContain('19/11/2026');
  });

  it('number the lines as they are seen and point at them as they are sent', () => {
    const [finding] = validarFactura(factura({ items: [item('1'), item('uno')] }));
    expect(finding).toMatchObject({ campo: 'invoiceItems.1.price' });
    expect(finding?.mensaje).toContain('línea 2');
  });
});
