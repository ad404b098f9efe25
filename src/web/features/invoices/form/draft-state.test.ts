import { describe, expect, it } from 'vitest';
import type { EditInvoice } from '../../../../contract/invoices.ts';
import type { Cliente, Producto } from '../../../../contract/parties.ts';
import { gruposIva } from '../../../../domain/catalogs/catalogs.ts';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { situacionById } from '../../../../domain/situaciones.ts';
import { withUsualTax } from '../../../../domain/usual-tax.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { draftFields } from './draft-payload.ts';
import {
  type DraftAction,
  type DraftState,
  draftFromEdit,
  draftReducer,
  duplicatedDraft,
  freshDraft,
  hasContent,
  upToDate,
} from './draft-state.ts';
import { draftTotals } from './draft-totals.ts';

const s1 = { Impuesto: '01', CalificacionOperacion: 'S1', OperacionExenta: null };

function group(tax: string, client: string, rate: number, clave = '01'): VatGroup {
  return {
    VATProdPostingGroup: tax,
    VATBusPostingGroup: client,
    VATCalculationType: 'Normal',
    VATPercentage: rate,
    Description: tax,
    RecargoEquivalencia: null,
    leyenda: null,
    verifactu: { ...s1, ClaveRegimen: clave },
  };
}

const GROUPS = [
  group('IVA21', 'NAC', 21),
  group('IVA10', 'NAC', 10),
  group('INTRAUE', 'UE', 0),
  group('IVA21', 'UE', 21),
];

function client(No: string, CustomerPostingGroup: string): Cliente {
  return {
    No,
    Name: No,
    VATRegistrationNo: '',
    Address: '',
    postCode: '',
    countryCode: 'ES',
    Email: '',
    PaymentMethod: '',
    PaymentTerms: '',
    CustomerPostingGroup,
  };
}

const EDIT: EditInvoice = {
  type: 'abono',
  invoiceNumber: '',
  invoiceDate: '2026-11-19',
  invoiceType: 0,
  crmemoType: 3,
  invoiceClient: 'C-1',
  typeClient: 'NAC',
  isSimplificada: false,
  claveRegimen: '01',
  invoiceItems: [
    {
      description: 'Mesa',
      quantity: 14.5,
      price: '1234,5',
      discount: 5,
      tax: 'IVA10',
      linetype: 1,
      productNo: 'P1',
    },
  ],
  invoiceToRectify: '00041/LO',
  tipoRectificativa: 'S',
  Status: 'Borrador',
  version: 3,
};

const reduce = draftReducer(GROUPS);
const draftAfter = (...actions: DraftAction[]): DraftState =>
  actions.reduce(reduce, freshDraft('2026-11-20'));
const MOSTRADOR = client('C-DEF', 'NAC');
const line = (id: string, change: Record<string, string>): DraftAction => ({
  kind: 'line',
  id,
  change,
});

describe('a fresh draft', () => {
  it('has its defaults and nothing worth saving', () => {
    const draft = freshDraft('2026-11-20');
    expect(draft).toMatchObject({
      type: 'factura',
      invoiceDate: '2026-11-20',
      invoiceType: 0,
      crmemoType: 0,
      typeClient: 'NAC',
      claveRegimen: '01',
    });
    expect(draft.lines).toMatchObject([{ tax: 'IVA21' }]);
    expect(hasContent(draft)).toBe(false);
  });

  it.each([
    ['canarias', 'IGIC7'],
    ['ceuta-melilla', 'IPSI0.5'],
    ['peninsula', 'IVA21'],
  ] as const)('begins in %s with a tax of its place', (territory, tax) => {
    const groups = gruposIva(territory);
    const fresh = freshDraft('2026-11-20', groups);
    const draft = draftReducer(groups)(fresh, { kind: 'client', client: MOSTRADOR });
    expect(draft.lines).toMatchObject([{ tax }]);
  });
});

describe('with a usual tax', () => {
  const started = (tax: string, territory: 'peninsula' | 'canarias' = 'peninsula') => {
    const groups = withUsualTax(gruposIva(territory), tax);
    const typed = (...actions: DraftAction[]) =>
      actions.reduce(draftReducer(groups), freshDraft('2026-11-26', groups));
    return { groups, typed };
  };
  const taxes = ({ lines }: DraftState) => lines.map(({ tax }) => tax);
  const to = (kind: string): DraftAction => ({ kind: 'client', client: client('C-1', kind) });
  const text = line('l1', { description: 'Menú' });

  it.each([
    ['IVA10', 'peninsula', 'IVA10'],
    ['MODULOS10', 'peninsula', 'MODULOS10'],
    ['IGIC3', 'canarias', 'IGIC3'],
    // Chosen before the company moved there.
    ['IVA10', 'canarias', 'IGIC7'],
    ['', 'peninsula', 'IVA21'],
  ] as const)('«%s» in %s, each new line begins with %s', (usual, territory, tax) => {
    const { typed } = started(usual, territory);
    expect(taxes(typed(text))).toEqual([tax, tax]);
    const ticket = { client: client('C-1', 'NAC'), ivaIncluido: true };
    expect(taxes(typed({ kind: 'simplificada', on: true, usual: ticket }, text))).toEqual([
      tax,
      tax,
    ]);
  });

  it('changes neither what was chosen nor saved invoices', () => {
    const { groups, typed } = started('IVA10');
    expect(taxes(typed(text, line('l1', { tax: 'IVA4' })))).toEqual(['IVA4', 'IVA10']);
    // When a draft is opened again, its empty line counts as new.
    const [item] = EDIT.invoiceItems;
    const saved = { ...EDIT, invoiceItems: item ? [{ ...item, tax: 'IVA4' }] : [] };
    expect(taxes(draftFromEdit(saved, groups))).toEqual(['IVA4', 'IVA10']);
    const chosen = typed(line('l1', { tax: 'EXEENS' }), text);
    expect(taxes(chosen)).toEqual(['EXEENS', 'EXEENS']);
  });

  it('is ignored for a client without that tax, and used again for one with it', () => {
    const { typed } = started('MODULOS10');
    expect(taxes(typed(to('UE')))).toEqual(['IVA21']);
    expect(taxes(typed(to('UE'), to('NAC')))).toEqual(['MODULOS10']);
    expect(taxes(typed(text, to('UE')))).toEqual(['IVA21', 'IVA21']);
    expect(taxes(started('IVA10').typed(to('UE'), text))).toEqual(['IVA10', 'IVA10']);
  });

  it('gives way to the tax of a product', () => {
    const choose = (VATProdPostingGroup: string): DraftAction => ({
      kind: 'line-product',
      id: 'l1',
      product: { No: 'P1', Name: 'Gel', UnitOfMeasure: 'UD', UnitPrice: 1, VATProdPostingGroup },
    });
    expect(taxes(started('IVA10').typed(choose('IVA21')))).toEqual(['IVA21', 'IVA10']);
    expect(taxes(started('IVA10').typed(choose('')))).toEqual(['IVA10', 'IVA10']);
    expect(taxes(started('EXESAN').typed(choose('IVA21')))).toEqual(['IVA21', 'EXESAN']);
    // A product does not change the regime of the company.
    expect(taxes(started('MODULOS10').typed(choose('IVA21')))[0]).toBe('MODULOS21');
    expect(taxes(started('ISPOBRA').typed(choose('IVA21')))[0]).toBe('ISPOBRA');
  });

  it('is what a situation with several rates goes back to', () => {
    const { typed } = started('IVA10');
    const of = (id: string): DraftAction => {
      const situacion = situacionById(id);
      if (!situacion) throw new Error(`There is no situation ${id}`);
      return { kind: 'situation', situacion, tipoDestino: '' };
    };
    expect(taxes(typed(of('sanidad'), of('venta-nacional')))).toEqual(['IVA10']);
  });
});

describe('factura simplificada', () => {
  const usual = { client: client('C-DEF', 'NAC'), ivaIncluido: false };

  it('ticking it forces F2 and R5 and takes the default client when none is chosen', () => {
    const draft = draftAfter({ kind: 'simplificada', on: true, usual });
    expect(draft).toMatchObject({ invoiceType: 1, crmemoType: 4, invoiceClient: 'C-DEF' });
  });

  it('has nothing worth saving while its client is the proposed one', () => {
    const ticket = { kind: 'simplificada', on: true, usual } as const;
    expect(hasContent(draftAfter(ticket))).toBe(false);
    const chosen = { kind: 'client', client: client('C-1', 'NAC') } as const;
    expect(hasContent(draftAfter(ticket, chosen))).toBe(true);
    expect(hasContent(draftAfter(ticket, line('l1', { description: 'Pan' })))).toBe(true);
  });

  it('keeps the client that was chosen', () => {
    const draft = draftAfter(
      { kind: 'client', client: client('C-1', 'NAC') },
      { kind: 'simplificada', on: true, usual },
    );
    expect(draft.invoiceClient).toBe('C-1');
  });

  it('choosing F2 or R5 ticks it', () => {
    const byF2 = draftAfter({ kind: 'invoice-type', code: 1, usual });
    const byR5 = draftAfter({ kind: 'crmemo-type', code: 4, usual });
    expect(byF2).toMatchObject({ isSimplificada: true, crmemoType: 4 });
    expect(byR5).toMatchObject({ isSimplificada: true, invoiceType: 1 });
  });

  it('unticking it turns F2 into F1 and R5 into R1', () => {
    const draft = draftAfter(
      { kind: 'simplificada', on: true, usual },
      { kind: 'simplificada', on: false, usual },
    );
    expect(draft).toMatchObject({ invoiceType: 0, crmemoType: 0, isSimplificada: false });
  });

  it('unticking it, or choosing a full type, takes away the client whom nobody has chosen', () => {
    const ticked = { kind: 'simplificada', on: true, usual } as const;
    const unticked = { kind: 'simplificada', on: false, usual } as const;
    const chosen = { kind: 'client', client: client('C-1', 'NAC') } as const;
    expect(draftAfter(ticked, unticked).invoiceClient).toBe('');
    expect(draftAfter(ticked, { kind: 'invoice-type', code: 2, usual }).invoiceClient).toBe('');
    expect(draftAfter(ticked, chosen, unticked).invoiceClient).toBe('C-1');
  });

  it('choosing a full type unticks it, and changes the other code too', () => {
    const draft = draftAfter(
      { kind: 'simplificada', on: true, usual },
      { kind: 'invoice-type', code: 2, usual },
    );
    expect(draft).toMatchObject({ invoiceType: 2, crmemoType: 0, isSimplificada: false });
    expect(tipoFacturaOf(draft)).toBe('F3');
  });
});

describe('prices that include the tax', () => {
  const usual = { client: undefined, ivaIncluido: true };
  const ticked: DraftAction = { kind: 'simplificada', on: true, usual };
  const unticked: DraftAction = { kind: 'simplificada', on: false, usual };
  const product = (UnitPrice: number): DraftAction => ({
    kind: 'line-product',
    id: 'l1',
    product: { No: 'P-1', Name: 'Camiseta', UnitOfMeasure: 'UD', UnitPrice },
  });
  const first = ({ lines: [first] }: DraftState) => first;

  it('start as last chosen, unless there are prices already', () => {
    expect(draftAfter(ticked).ivaIncluido).toBe(true);
    expect(draftAfter(line('l1', { price: '10' }), ticked).ivaIncluido).toBe(false);
  });

  it('change nothing that was typed, and stay on a full invoice until the user takes the tax out', () => {
    const typed = draftAfter(ticked, line('l1', { price: '10,00' }));
    expect(draftTotals(typed, GROUPS).totalCents).toBe(1000n);
    const full = reduce(typed, unticked);
    expect(full).toMatchObject({ isSimplificada: false, ivaIncluido: true });
    // 10 / 1.21 = 8.264463: 8.26 + 1.73.
    const net = reduce(full, { kind: 'prices-without-tax' });
    expect(net.ivaIncluido).toBe(false);
    expect(first(net)?.price).toBe('8,264463');
    expect(draftTotals(net, GROUPS).totalCents).toBe(999n);
    // Without prices there is no tax to take out.
    expect(draftAfter(ticked, unticked).ivaIncluido).toBe(false);
  });

  it('include the tax of the line in the price of a product', () => {
    expect(first(draftAfter(ticked, product(8.26)))?.price).toBe('9,99');
    expect(first(draftAfter(ticked, product(8.264463)))?.price).toBe('10,00');
    const reduced = draftAfter(ticked, line('l1', { tax: 'IVA10' }), product(0.95));
    expect(first(reduced)?.price).toBe('1,05');
    expect(first(draftAfter(product(8.26)))?.price).toBe('8,26');
  });

  it('are only sent where they apply', () => {
    const target = { accionFactura: 0 } as const;
    expect(draftFields(draftAfter(ticked), target)).toMatchObject({ ivaIncluido: 'true' });
    expect(draftFields(draftAfter(), target)).not.toHaveProperty('ivaIncluido');
  });
});

describe('lines', () => {
  it('get another empty line as soon as the last one has content', () => {
    const draft = draftAfter(line('l1', { description: 'Mesa' }));
    expect(draft.lines.map(({ description }) => description)).toEqual(['Mesa', '']);
    expect(
      draftAfter(line('l1', { description: 'Mesa' }), line('l2', { price: '3' })).lines,
    ).toHaveLength(3);
  });

  it('are never zero: removing the only one leaves an empty one', () => {
    const draft = draftAfter(line('l1', { description: 'Mesa' }), {
      kind: 'line-remove',
      id: 'l1',
    });
    expect(draft.lines).toHaveLength(1);
    expect(hasContent(draft)).toBe(false);
  });

  it('are restored where they were', () => {
    const written = [
      line('l1', { description: 'Mesa' }),
      line('l2', { description: 'Silla' }),
      line('l3', { description: 'Banco' }),
    ];
    const before = draftAfter(...written);
    const removed = reduce(before, { kind: 'line-remove', id: 'l2' });
    const silla = before.lines[1];
    if (!silla) throw new Error('There is no second line');
    const restored = reduce(removed, { kind: 'line-restore', line: silla, index: 1 });
    expect(restored.lines.map(({ description }) => description)).toEqual([
      'Mesa',
      'Silla',
      'Banco',
      '',
    ]);
  });

  it('are pasted in the place of an empty line, or after another', () => {
    const product: Producto = { No: 'P1', Name: 'Hora', UnitOfMeasure: 'HORA', UnitPrice: 40 };
    const pasted = [
      { description: 'Silla', quantity: '4', price: '12,50' },
      { description: 'Hora de montaje', quantity: '2', product },
    ];
    const draft = draftAfter(
      line('l1', { description: 'Mesa' }),
      { kind: 'lines-paste', id: 'l2', pasted },
      { kind: 'lines-paste', id: 'l1', pasted: [{ description: 'Banco' }] },
    );
    expect(draft.lines).toMatchObject([
      { description: 'Mesa' },
      { description: 'Banco', quantity: '1', price: '', tax: 'IVA21' },
      { description: 'Silla', quantity: '4', price: '12,50', linetype: 0 },
      {
        description: 'Hora de montaje',
        quantity: '2',
        price: '40,00',
        productNo: 'P1',
        unit: 'HORA',
      },
      { description: '' },
    ]);
    // Undoing takes away the lines that have these ids.
    expect(draft.lines.map(({ id }) => id)).toEqual(['l1', 'l6', 'l3', 'l4', 'l5']);
  });

  it('are pasted with the tax chosen by hand in the line before', () => {
    const draft = draftAfter(
      line('l1', { description: 'Mesa', tax: '01/01/N2' }),
      line('l2', { description: 'Silla' }),
      { kind: 'lines-paste', id: 'l1', pasted: [{ description: 'Banco' }] },
    );
    expect(draft.lines.map(({ tax }) => tax).slice(0, 2)).toEqual(['01/01/N2', '01/01/N2']);
  });

  it('take the discount of one of them, but not the empty one', () => {
    const draft = draftAfter(
      line('l1', { description: 'Mesa', discount: '5' }),
      line('l2', { description: 'Silla' }),
      { kind: 'share-discount', id: 'l1' },
    );
    expect(draft.lines.map(({ discount }) => discount)).toEqual(['5', '5', undefined]);
  });

  it('get name, price and unit from a product', () => {
    const product: Producto = { No: 'P1', Name: 'Hora', UnitOfMeasure: 'HORA', UnitPrice: 1234.5 };
    const [first] = draftAfter({ kind: 'line-product', id: 'l1', product }).lines;
    expect(first).toMatchObject({
      description: 'Hora',
      price: '1.234,50',
      linetype: 1,
      productNo: 'P1',
      unit: 'HORA',
    });
  });

  it('get the tax of a product, adapted to the line and its client', () => {
    const groups = gruposIva('peninsula');
    const bread: Producto = {
      No: 'P1',
      Name: 'Pan',
      UnitOfMeasure: 'UD',
      UnitPrice: 1,
      VATProdPostingGroup: 'IVA4',
    };
    const chosenIn = (tax: string, change: Partial<DraftState> = {}, product = bread) => {
      const fresh = { ...freshDraft('2026-11-26', groups), ...change };
      const draft = draftReducer(groups)(fresh, line('l1', { tax }));
      return draftReducer(groups)(draft, { kind: 'line-product', id: 'l1', product }).lines[0];
    };
    expect(chosenIn('IVA21')).toMatchObject({ tax: 'IVA4', price: '1,00' });
    expect(chosenIn('IVA21', { typeClient: 'NACRE' })?.tax).toBe('IVA4');
    // 1.00 plus 4 %.
    expect(chosenIn('IVA21', { ivaIncluido: true })?.price).toBe('1,04');
    // A retailer under the recargo charges it at the same rate. If the situation has no tax with that rate, the line
    // keeps its own.
    expect(chosenIn('MINOR21')?.tax).toBe('MINOR4');
    expect(chosenIn('ALQLOCAL')?.tax).toBe('ALQLOCAL');
    expect(chosenIn('01/01/S1/10')?.tax).toBe('01/01/S1/10');
    expect(chosenIn('INTRAUE', { typeClient: 'UE' })?.tax).toBe('INTRAUE');
    expect(chosenIn('IVA10', {}, { ...bread, VATProdPostingGroup: '' })?.tax).toBe('IVA10');
  });

  it('change their tax if the group of the client does not have it', () => {
    const draft = draftAfter(line('l1', { description: 'Mesa', tax: 'IVA10' }), {
      kind: 'client',
      client: client('C-UE', 'UE'),
    });
    expect(draft.typeClient).toBe('UE');
    expect(draft.lines.map(({ tax }) => tax)).toEqual(['IVA21', 'IVA21']);
  });
});

describe('amounts', () => {
  const written = [
    line('l1', { description: 'A', quantity: '2', price: '10,005' }),
    line('l2', { description: 'B', quantity: '1', price: '100', tax: 'IVA10' }),
  ];

  it('are computed per rate, without the empty line', () => {
    const totals = draftTotals(draftAfter(...written), GROUPS);
    // 2 × 10,005 = 20,01; 21 % = 4,2021 → 4,20. 100,00; 10 % = 10,00.
    expect(totals.totalCents).toBe(13_421n);
    expect(totals.desglose).toHaveLength(2);
    expect(totals.byLine.get('l1')?.totalCents).toBe(2_421n);
  });

  it('are negative in an abono por diferencias and positive por sustitución', () => {
    const abono: DraftAction = { kind: 'set', change: { type: 'abono' } };
    const substitution: DraftAction = { kind: 'method', method: 'S', isOfAbono: false };
    expect(draftTotals(draftAfter(...written, abono), GROUPS).totalCents).toBe(-13_421n);
    expect(draftTotals(draftAfter(...written, abono, substitution), GROUPS).totalCents).toBe(
      13_421n,
    );
  });

  it('subtract the retention from the amount to pay, not from the total', () => {
    const retention: DraftAction = { kind: 'set', change: { retencionIRPF: '15' } };
    const totals = draftTotals(draftAfter(...written, retention), GROUPS);
    // 15 % of 120,01 = 18,0015 → 18,00; 134,21 − 18,00.
    expect(totals.retencionCents).toBe(1_800n);
    expect(totals.payableCents).toBe(11_621n);
  });
});

describe('the usual retention', () => {
  const usual = (percent: string): DraftAction => ({ kind: 'usual-retention', percent });
  const chosen = (retencionIRPF: string): DraftAction => ({
    kind: 'set',
    change: { retencionIRPF },
  });

  it('comes and goes with the client until the user chooses one', () => {
    const notes: DraftAction = { kind: 'set', change: { notas: 'Gracias' } };
    expect(draftAfter(notes, usual('15')).retencionIRPF).toBe('15');
    expect(draftAfter(usual('15'), notes, usual('')).retencionIRPF).toBe('');
  });

  it.each(['7', ''])('leaves a chosen «%s» alone', (percent) => {
    const draft = draftAfter(usual('15'), chosen(percent));
    expect(draft.retencionIRPF).toBe(percent);
    for (const other of ['15', '']) expect(reduce(draft, usual(other))).toBe(draft);
  });

  it('applies only to new invoices: saved, repeated or rectified ones keep their own', () => {
    const { isRetencionHabitual: _, ...older } = draftAfter(usual('15'));
    for (const kept of [draftFromEdit(EDIT, GROUPS), upToDate(older as DraftState)]) {
      expect(reduce(kept, usual('1'))).toBe(kept);
    }
    const filled = draftAfter(usual('15'), {
      kind: 'fill',
      original: { ...EDIT, retencionIRPF: 7 },
    });
    expect(reduce(filled, usual('15')).retencionIRPF).toBe('7');
  });
});

describe('a saved draft', () => {
  it('is repeated with everything except its dates', () => {
    const ticket: EditInvoice = {
      ...EDIT,
      fechaOperacion: '2026-11-01',
      notas: 'Cuota mensual',
      retencionIRPF: 15,
      ivaIncluido: true,
    };
    const { invoiceDate, fechaOperacion, ...kept } = draftFields(draftFromEdit(ticket, GROUPS), {
      accionFactura: 0,
    });
    expect([invoiceDate, fechaOperacion]).toEqual(['2026-11-19', '2026-11-01']);
    for (const groups of [GROUPS, []]) {
      const copy = draftFields(duplicatedDraft(ticket, groups, '2026-12-01'), { accionFactura: 0 });
      expect(copy).toEqual({ ...kept, invoiceDate: '2026-12-01', fechaOperacion: '' });
    }
  });

  it('opens as it was left, and sends the same back', () => {
    const fields = draftFields(draftFromEdit(EDIT, GROUPS), {
      accionFactura: 0,
      draftNo: 'B-1',
      version: 3,
    });
    expect(fields).toMatchObject({
      type: 'abono',
      crmemoType: '3',
      invoiceClient: 'C-1',
      invoiceToRectify: '00041/LO',
      tipoRectificativa: 'S',
      draftNo: 'B-1',
      version: '3',
      accionFactura: '0',
    });
    expect(JSON.parse(fields.invoiceItems ?? '')).toEqual([
      {
        description: 'Mesa',
        quantity: '14,5',
        price: '1234,5',
        discount: '5',
        tax: 'IVA10',
        linetype: 1,
        productNo: 'P1',
      },
    ]);
  });

  it.each([
    // What is rectified, the method, and the quantity that the form starts with.
    ['factura', 'I', 'I', '14,5', '14,5'],
    ['factura', 'I', 'S', '14,5', '14,5'],
    ['abono', 'I', 'I', '14,5', '14,5'],
    ['abono', 'I', 'S', '14,5', '-14,5'],
    ['abono', 'S', 'S', '-2', '-2'],
    ['abono', 'S', 'I', '-2', '2'],
  ] as const)('a %s (%s) rectified by %s has its quantities as they count', (...all) => {
    const [type, tipoRectificativa, method, quantity, starts] = all;
    const [item] = EDIT.invoiceItems;
    if (!item) throw new Error('no item');
    const original: EditInvoice = {
      ...EDIT,
      type,
      tipoRectificativa,
      invoiceItems: [{ ...item, quantity }],
    };
    const draft = draftAfter(
      { kind: 'set', change: { type: 'abono' } },
      { kind: 'method', method, isOfAbono: false },
      { kind: 'fill', original },
    );
    expect(draft.lines[0]?.quantity).toBe(starts);
  });

  it('changes the sign of its quantities with the method, if it rectifies an abono', () => {
    const written = line('l1', { description: 'A', quantity: '1.234,5', price: '10' });
    const methods = (...all: ('I' | 'S')[]) =>
      all.map((method): DraftAction => ({ kind: 'method', method, isOfAbono: true }));
    const quantity = (...methodsSet: ('I' | 'S')[]) =>
      draftAfter(written, ...methods(...methodsSet)).lines.map((l) => l.quantity);
    expect(quantity('S')).toEqual(['-1.234,5', '1']);
    expect(quantity('S', 'I')).toEqual(['1.234,5', '1']);
    expect(quantity('S', 'S')).toEqual(['-1.234,5', '1']);
    const ordinary: DraftAction = { kind: 'method', method: 'S', isOfAbono: false };
    expect(draftAfter(written, ordinary).lines[0]?.quantity).toBe('1.234,5');
  });

  it('fills an abono with its client, lines, retention and simplified flag, but not with its notes', () => {
    const original: EditInvoice = {
      ...EDIT,
      isSimplificada: true,
      notas: 'privado',
      retencionIRPF: '15',
      tipoIdentificacion: '07',
    };
    const draft = draftAfter(
      { kind: 'set', change: { type: 'abono' } },
      { kind: 'fill', original },
    );
    expect(draft).toMatchObject({
      invoiceClient: 'C-1',
      isSimplificada: true,
      crmemoType: 4,
      invoiceDate: '2026-11-20',
      retencionIRPF: '15',
      tipoIdentificacion: '07',
      notas: '',
    });
    expect(draft.lines.map(({ description }) => description)).toEqual(['Mesa', '']);
  });
});
