import { describe, expect, it } from 'vitest';
import { gruposIva } from '../domain/catalogs/catalogs.ts';
import { type JudgeWith, judgeDocument } from './documents.ts';
import type { BcDocument, BcLine } from './shapes.ts';

const vatGroups = gruposIva('peninsula');
const given: JudgeWith = {
  customer: { No: 'C00001', group: 'NAC' },
  taxes: new Map([
    ['NAC|IVA21|2100', 'IVA21'],
    ['NAC|IVA10|1000', 'IVA10'],
  ]),
  vatGroups,
  units: new Set(['UD']),
  productNo: (number) => (number === 'P-1' ? 'P-1' : null),
  original: null,
};

function line(changes: Partial<BcLine> = {}): BcLine {
  return {
    sequence: 10_000,
    lineType: 'Item',
    lineObjectNumber: 'P-1',
    description: 'Broca',
    description2: '',
    unitOfMeasureCode: 'UDS',
    quantity: 2,
    unitPrice: 50,
    discountPercent: 0,
    taxCode: 'IVA21',
    taxPercent: 21,
    netAmount: 100,
    ...changes,
  };
}

function document(changes: Partial<BcDocument> = {}): BcDocument {
  return {
    kind: 'factura',
    id: 'a',
    number: 'FV-1',
    issuedOn: '2026-11-20',
    externalNumber: '',
    customerId: 'c',
    customerNumber: 'C1',
    customerName: 'Talleres Ruiz',
    currencyCode: '',
    status: 'Open',
    base: 100,
    tax: 21,
    total: 121,
    rectifiesId: '',
    rectifiesNumber: '',
    lines: [line()],
    ...changes,
  };
}

const reasons = (changes: Partial<BcDocument>, other: Partial<JudgeWith> = {}) =>
  judgeDocument(document(changes), { ...given, ...other }).reasons;
const items = (changes: Partial<BcDocument>) =>
  judgeDocument(document(changes), given).draft?.invoiceItems;

describe('what a posted invoice becomes', () => {
  it('is a draft with its product, its unit, and its number in the notes', () => {
    const { draft } = judgeDocument(document({ externalNumber: 'PED-7' }), given);
    expect(draft).toMatchObject({
      type: 'factura',
      invoiceDate: '2026-11-20',
      invoiceClient: 'C00001',
      notas: 'Factura FV-1 en Business Central. Su referencia: PED-7.',
      invoiceItems: [{ quantity: '2', price: '50,00', tax: 'IVA21', productNo: 'P-1', unit: 'UD' }],
    });
  });

  it('keeps the discount of a line as it is', () => {
    // 2 × 50 × 0.9 = 90.
    const lines = [line({ discountPercent: 10, netAmount: 90 })];
    expect(items({ lines, base: 90, tax: 18.9, total: 108.9 })).toMatchObject([
      { price: '50,00', discount: '10' },
    ]);
  });

  it('has prices without the tax that they included', () => {
    // 2 × 60.50 = 121 with tax; 100 without: 50 each.
    expect(items({ lines: [line({ unitPrice: 60.5 })] })).toMatchObject([
      { quantity: '2', price: '50,00' },
    ]);
  });

  it('turns a line into a single amount if no price with six decimals can express it', () => {
    // 0.00005 units have one decimal more than our quantities.
    expect(items({ lines: [line({ quantity: 0.00005 })] })).toMatchObject([
      { quantity: '1', price: '100,00' },
    ]);
  });

  it('joins comments to the line above them', () => {
    const comment = line({ lineType: 'Comment', description: 'Entrega el lunes', quantity: 0 });
    const lines = [line(), { ...comment, netAmount: 0, unitPrice: 0 }];
    expect(items({ lines })).toMatchObject([{ description: 'Broca\nEntrega el lunes' }]);
  });

  it('has no half of a character where its texts are cut, and an emoji counts as one', () => {
    const comment = line({ lineType: 'Comment', quantity: 0, netAmount: 0, unitPrice: 0 });
    const long = (length: number) => ({
      ...comment,
      description: `${'x'.repeat(length)}\u{1f600}`,
    });
    // «Broca» and the end of its line are six of the thousand; the last one is the sign that it is cut.
    const lines = [long(1998), line(), long(992), comment];
    const { draft } = judgeDocument(document({ lines }), given);
    expect(draft?.invoiceItems[0]?.description).toBe(`Broca\n${'x'.repeat(992)}\u{1f600}…`);
    expect(draft?.notas).toBe(`${'x'.repeat(1998)}\u{1f600}…`);
  });

  it('is rounded once per rate, as Business Central does', () => {
    // 3 × 0.12 € at 21 %: 0.0756 → 0.08.
    const lines = [line({ quantity: 3, unitPrice: 0.12, netAmount: 0.36 })];
    expect(reasons({ lines, base: 0.36, tax: 0.08, total: 0.44 })).toEqual([]);
  });
});

describe('what holds it back', () => {
  it('unmapped codes, each of them', () => {
    const lines = [line(), line({ taxCode: 'RARO', taxPercent: 7.5 })];
    expect(reasons({ lines })).toEqual([
      'Falta decir a qué IVA de Huella corresponde «RARO» al 7,5 %.',
    ]);
  });

  it('a difference of one cent, with both amounts', () => {
    expect(reasons({ total: 121.01 })).toEqual([
      'Los importes no coinciden: el total es 121,01 € en Business Central y 121,00 € en Huella.',
    ]);
  });

  it('another currency, no lines, a client that was not imported', () => {
    expect(reasons({ currencyCode: 'USD' })).toEqual(['Está en USD y Huella factura en euros.']);
    expect(reasons({ lines: [] })).toEqual(['No tiene ninguna línea con importe.']);
    expect(reasons({}, { customer: { problem: 'El cliente C1 no tiene un NIF válido.' } })).toEqual(
      ['El cliente C1 no tiene un NIF válido.'],
    );
  });

  it('an original that is still a draft', () => {
    const problem = 'Rectifica la factura FV-1, que todavía es el borrador B-1.';
    expect(reasons({ kind: 'abono' }, { original: { problem } })).toEqual([problem]);
  });
});

describe('a credit memo', () => {
  it('is an R1 por diferencias of our number, or of one issued elsewhere with its day', () => {
    const credit = document({ kind: 'abono' });
    const ours = judgeDocument(credit, { ...given, original: { numero: '00001/26' } });
    expect(ours.draft).toMatchObject({
      type: 'abono',
      crmemoType: 0,
      tipoRectificativa: 'I',
      invoiceToRectify: '00001/26',
    });
    const original = { numero: 'FV-0', fecha: '2025-12-31' };
    expect(judgeDocument(credit, { ...given, original }).draft).toMatchObject({
      invoiceToRectify: 'FV-0',
      invoiceToRectifyDate: '2025-12-31',
    });
  });
});
