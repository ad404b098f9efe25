import { describe, expect, it } from 'vitest';
import {
  issued,
  item,
  ORIGINAL,
  SAMPLES,
  type Sample,
} from '../../../tests/fixtures/verifactu/invoices.ts';
import { paperOf } from './paper.ts';

describe('an F3 whose tickets were paid', () => {
  const pagadoAntes = { importe: '22.00', fecha: '2026-11-10', formaPago: 'Contado (efectivo)' };

  it('asks for nothing more: neither a due date nor an account', () => {
    const paper = paperOf(issued({ ...SAMPLES.f3, pagadoAntes }), { draft: false });
    expect(paper.afterTotal.map(({ label }) => label)).toEqual(['Ya pagado', 'A cobrar']);
    expect(paper.afterTotal.map(({ amount }) => amount.replaceAll('\u00a0', ' '))).toEqual([
      '−22,00 €',
      '0,00 €',
    ]);
    expect(paper.payment).toEqual([{ label: 'Forma de pago', value: 'Contado (efectivo)' }]);
    expect(paper.data.map(({ label }) => label)).not.toContain('Vencimiento');
  });

  it('asks for what they left unpaid, on the terms of its client', () => {
    const part = { ...pagadoAntes, importe: '12.00' };
    const invoice = issued({ ...SAMPLES.f3, pagadoAntes: part });
    expect(invoice).toMatchObject({
      payable: '10.00',
      vencimientos: [{ fecha: '2026-12-20', importe: '10.00' }],
      formaPago: 'Transferencia bancaria',
    });
  });
});

describe('the issuer is identified', () => {
  const numberOf = (sample: Sample) => paperOf(issued(sample), { draft: false }).issuer.lines[0];

  it('by its NIF-IVA for what is supplied to a business of the Union (RD 1619/2012 art. 6.1.d)', () => {
    expect(numberOf(SAMPLES['f1-entrega-ue'])).toBe('NIF-IVA ES89890001K');
    expect(numberOf(SAMPLES['f1-servicio-ue'])).toBe('NIF-IVA ES89890001K');
  });

  it('by its NIF for everything else', () => {
    const sold = { ...SAMPLES['f1-entrega-ue'], items: [item('300', 'IVA21')] };
    for (const sample of [sold, SAMPLES['f1-exportacion'], SAMPLES['f1-oss'], SAMPLES.f2]) {
      expect(numberOf(sample)).toBe('NIF 89890001K');
    }
  });
});

describe('what is given back', () => {
  const last = (sample: Sample) => {
    const { afterTotal } = paperOf(issued(sample), { draft: false });
    return afterTotal.map(({ label, amount }) => `${label} ${amount}`.replaceAll('\u00a0', ' '));
  };

  it('is not asked for: an F3 with a retention that its paid tickets did not have', () => {
    const draft = { ...SAMPLES.f3.draft, retencionIRPF: '15' };
    const pagadoAntes = { importe: '22.00', fecha: '2026-11-10', formaPago: 'Contado (efectivo)' };
    // 20,00 + 2,00 − 3,00 − 22,00.
    expect(last({ ...SAMPLES.f3, draft, pagadoAntes })).toEqual([
      'Retención IRPF 15 % −3,00 €',
      'Ya pagado −22,00 €',
      'A devolver 3,00 €',
    ]);
  });

  it('is not asked for: a credit with a retention', () => {
    const draft = { ...SAMPLES['r1-diferencias'].draft, retencionIRPF: '15' };
    // −100,00 − 21,00 + 15,00.
    expect(last({ ...SAMPLES['r1-diferencias'], draft, items: [item('100')] })).toEqual([
      'Retención IRPF 15 % 15,00 €',
      'A devolver 106,00 €',
    ]);
  });

  it('is not given back with an R3, whose customer has not paid: nor is a way named', () => {
    const payment = (sample: Sample) =>
      paperOf(issued(sample), { draft: false }).payment.filter(({ value }) => value !== '');
    const draft = { ...SAMPLES.r3.draft, retencionIRPF: '15' };
    expect(last({ ...SAMPLES.r3, draft, items: [item('100')] })).toEqual([
      'Retención IRPF 15 % 15,00 €',
      'A compensar 106,00 €',
    ]);
    expect(payment(SAMPLES['r1-diferencias']).map(({ label }) => label)).toContain('Abono');
    expect(payment(SAMPLES.r3)).toEqual([]);
  });
});

describe('a rectificativa states its reason', () => {
  const cause = (tax: string, territory?: 'canarias' | 'ceuta-melilla') => {
    const r3 = { ...SAMPLES.r3, items: [item('100', tax)], ...(territory && { territory }) };
    return paperOf(issued(r3), { draft: false }).reference?.lines[0]?.replaceAll('\u00a0', ' ');
  };

  it('with the article of the IVA law, but not for another tax', () => {
    expect(cause('IVA21')).toBe(
      'Rectificación por diferencias: crédito incobrable (art. 80.Cuatro de la Ley 37/1992).',
    );
    expect(cause('IGIC7', 'canarias')).toBe('Rectificación por diferencias: crédito incobrable.');
    expect(cause('IPSI4', 'ceuta-melilla')).toBe(
      'Rectificación por diferencias: crédito incobrable.',
    );
  });
});

describe('a rectificativa por sustitución states what it replaces', () => {
  const sustitucion = SAMPLES['r1-sustitucion'];
  const rectified = (changes: Partial<Sample>): string | undefined =>
    paperOf(issued({ ...sustitucion, ...changes }), { draft: false }).reference?.lines.at(-2);
  const change = (changes: Partial<Sample>): string | undefined =>
    paperOf(issued({ ...sustitucion, ...changes }), { draft: false }).reference?.lines.at(-1);
  const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

  it('with base and quota', () => {
    expect(plain(rectified({}))).toBe('Base rectificada 110,00 € · Cuota rectificada 21,40 €');
  });

  it('with only the price if it was taxed on the margin', () => {
    // Bought at 60, sold at 100: of the remaining 40, 33,06 are margin and 6,94 its IVA.
    const used = { ...ORIGINAL, base: '33.06', cuota: '6.94', total: '100.00' };
    expect(plain(rectified({ originals: [used] }))).toBe('Importe rectificado 100,00 €');
    // It had cost nothing: the whole price is margin and quota, and nothing is left over.
    const found = { ...ORIGINAL, base: '1000.00', cuota: '210.00', total: '1210.00' };
    const items = [{ ...item('900', 'REBU21'), coste: '0' }];
    expect(plain(rectified({ originals: [found], items }))).toBe('Importe rectificado 1.210,00 €');
  });

  it('and the difference (RD 1619/2012 art. 15.5)', () => {
    // 110.00 and 21.40 before.
    const { base, vat } = issued(sustitucion);
    expect([base, vat]).toEqual(['100.00', '19.30']);
    expect(plain(change({}))).toBe('Importe de la rectificación: base −10,00 € · cuota −2,10 €');
    // If taxed on the margin, only what the customer pays: 900 instead of 1,210.
    const found = { ...ORIGINAL, base: '1000.00', cuota: '210.00', total: '1210.00' };
    const items = [{ ...item('900', 'REBU21'), coste: '0' }];
    expect(plain(change({ originals: [found], items }))).toBe(
      'Importe de la rectificación −310,00 €',
    );
  });

  it('with recargo if there was one', () => {
    expect(plain(rectified(SAMPLES['r1-sustitucion-con-recargo']))).toBe(
      'Base rectificada 100,00 € · Cuota rectificada 21,00 € · Recargo rectificado 5,20 €',
    );
  });
});

describe('an invoice with two taxes', () => {
  it('names the tax of each rate, and never the wrong one', () => {
    const mixed = issued({
      ...SAMPLES['f1-dos-tipos'],
      items: [item('100', 'IVA21'), item('100', '03/01/S1/7')],
    });
    const paper = paperOf(mixed, { draft: false });
    const plain = (text: string) => text.replaceAll('\u00a0', ' ');
    expect(paper.table.taxName).toBe('Impuestos');
    expect(paper.table.rows.map(({ tax }) => plain(tax))).toEqual(['IVA 21 %', 'IGIC 7 %']);
    expect(paper.rates.map(({ label, quota }) => [plain(label), quota])).toEqual([
      ['IVA 21 %', '21,00'],
      ['IGIC 7 %', '7,00'],
    ]);
    expect(paper.sums.map(({ label, amount }) => [label, plain(amount)])).toEqual([
      ['Base imponible', '200,00 €'],
      ['Impuestos', '28,00 €'],
    ]);
  });
});

describe('the place of an address', () => {
  const client = (cliente: object) => {
    const invoice = issued(SAMPLES['f1-dos-tipos']);
    const changed = { ...invoice, cliente: invoice.cliente && { ...invoice.cliente, ...cliente } };
    return paperOf(changed, { draft: false }).client?.lines.at(-1);
  };

  it('contains the town once, and the province if it has another name', () => {
    expect(client({})).toBe('Calle Menor, 2, 28013 Madrid');
    expect(client({ municipio: 'Getafe' })).toBe('Calle Menor, 2, 28013 Getafe (Madrid)');
    expect(client({ municipio: 'madrid' })).toBe('Calle Menor, 2, 28013 Madrid');
    expect(client({ municipio: 'Getafe', direccion: 'Calle Menor, 2, Getafe' })).toBe(
      'Calle Menor, 2, Getafe, 28013 Madrid',
    );
    expect(client({ municipio: 'Berlin', countryCode: 'DE', postCode: '10115' })).toBe(
      'Calle Menor, 2, 10115 Berlin, Alemania',
    );
  });

  it('of the issuer is written in the same way', () => {
    const invoice = issued(SAMPLES['f1-dos-tipos']);
    const emisor = { ...invoice.emisor, municipio: 'Getafe' };
    expect(paperOf({ ...invoice, emisor }, { draft: false }).issuer.lines).toContain(
      '28013 Getafe (Madrid)',
    );
  });
});
