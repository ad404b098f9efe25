import { describe, expect, it } from 'vitest';
import { EMISOR, issued, item, SAMPLES } from '../../tests/fixtures/verifactu/invoices.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import type { Company } from '../store/companies.ts';
import { textOf } from './message.ts';
import { invoiceMail } from './templates/invoice.ts';

const company = { email: 'nuria@obradorcandela.example' } as Company;
const invoice: IssuedInvoice = {
  ...issued({ items: [item('100')] }),
  numSerie: '00041/LO',
  emisor: { ...EMISOR, nombre: 'Obrador Candela, S.L.', telefono: '976 000 000' },
  iban: 'ES9121000418450200051332',
};

const textWith = (changes: Partial<IssuedInvoice>): string =>
  textOf(
    invoiceMail(company, {
      invoice: { ...invoice, ...changes },
      pdf: new Uint8Array(),
      fileName: '00041-LO.pdf',
      logo: null,
    }),
  ).replaceAll('\u00a0', ' ');

it('says how and where it is paid, and who answers questions', () => {
  const text = textWith({});
  expect(text).toContain(
    'Vencimiento: 20/12/2026\nForma de pago: Transferencia bancaria\nIBAN: ES91 2100 0418 4502 0005 1332',
  );
  expect(text).toContain('nuria@obradorcandela.example · 976 000 000');
  expect(text).not.toContain('A cobrar');
});

it('shows the amount to pay if it is not the total: 121 − 15 + 40,50 = 146,50', () => {
  const suplidos = { concepto: 'Tasas', importe: '40.50' };
  expect(textWith({ retencion: '15.00', suplidos, payable: '146.50' })).toContain(
    'Total factura: 121,00 €\nRetención IRPF: −15,00 €\nSuplidos: 40,50 €\nA cobrar: 146,50 €',
  );
  expect(textWith({ suplidos, payable: '161.50' })).toContain('A cobrar: 161,50 €');
});

it('says what a credit with a retention gives back: −121 + 15 = −106', () => {
  const credit = { total: '-121.00', retencion: '-15.00', payable: '-106.00' };
  expect(textWith(credit)).toContain('Retención IRPF: 15,00 €\nA devolver: 106,00 €');
});

it('says of one for an invoice that is not paid that it is taken off, and of no way to give it back', () => {
  const unpaid = { total: '-121.00', retencion: '-15.00', payable: '-106.00' };
  const text = textWith({ ...unpaid, tipoFactura: 'R3' });
  expect(text).toContain('Retención IRPF: 15,00 €\nA compensar: 106,00 €');
  expect(text).not.toContain('Forma de pago');
  expect(textWith({ ...unpaid, tipoFactura: 'R1' })).toContain('Forma de pago');
});

it('asks nobody to pay a credit into the account of the company that refunds it', () => {
  expect(textWith({ total: '-121.00', payable: '-121.00' })).not.toContain('IBAN');
});

describe('adds up like the paper', () => {
  const rows = (text: string): string =>
    text.slice(text.indexOf('en PDF.') + 7, text.indexOf('\nVencimiento')).trim();

  it('with recargo: 105 + 21 + 5,20 = 131,20', () => {
    expect(rows(textWith(issued(SAMPLES['f1-recargo'])))).toBe(
      'Base imponible: 105,00 €\nIVA: 21,00 €\nRecargo de equivalencia: 5,20 €\nTotal factura: 131,20 €',
    );
  });

  it('does not mention a margin (RD 1619/2012 art. 16.2.c)', () => {
    // Bought at 60, sold at 100: a margin of 40, of which 6,94 are IVA and 33,06 the rest.
    const used = { ...item('100', 'REBU21'), coste: '60' };
    expect(rows(textWith(issued({ items: [used] })))).toBe('Total factura: 100,00 €');
    expect(rows(textWith(issued({ items: [used, item('10')] })))).toBe(
      'Base imponible: 10,00 €\nIVA: 2,10 €\nEn régimen especial: 100,00 €\nTotal factura: 112,10 €',
    );
  });

  it('with the IVA of another State: 100 + 19 = 119', () => {
    const sold = { ...item('100', 'OSS'), tipoDestino: '19' };
    expect(rows(textWith(issued({ ...SAMPLES['f1-oss'], items: [sold] })))).toBe(
      'Base imponible: 100,00 €\nIVA del país de destino: 19,00 €\nTotal factura: 119,00 €',
    );
  });
});
