import { expect, it } from 'vitest';
import type { IssuedInvoice } from '../domain/invoice.ts';
import type { Company } from '../store/companies.ts';
import { textOf } from './message.ts';
import { invoiceMail } from './templates/invoice.ts';

const company = { email: 'nuria@obradorcandela.example' } as Company;
const invoice = {
  numSerie: '00041/LO',
  tipoFactura: 'F1',
  fechaExpedicion: '2026-11-20',
  emisor: { nombre: 'Obrador Candela, S.L.', telefono: '976 000 000' },
  cliente: { nombre: 'Hotel Mirador' },
  rectifies: [],
  lines: [{ impuesto: 'IVA' }],
  base: '100.00',
  vat: '21.00',
  recargo: '0.00',
  total: '121.00',
  retencion: '0.00',
  payable: '121.00',
  suplidos: null,
  formaPago: 'Transferencia bancaria',
  iban: 'ES9121000418450200051332',
  vencimientos: [{ fecha: '2026-12-20', importe: '121.00' }],
  qr: 'https://sede.example/qr',
} as unknown as IssuedInvoice;

const textWith = (changes: Partial<IssuedInvoice>): string =>
  textOf(
    invoiceMail(company, {
      invoice: { ...invoice, ...changes },
      pdf: new Uint8Array(),
      fileName: '00041-LO.pdf',
      logo: null,
    }),
  ).replaceAll('\u00a0', ' ');

it('says how and where it is paid, and who answers', () => {
  const text = textWith({});
  expect(text).toContain(
    'Vencimiento: 20/12/2026\nForma de pago: Transferencia bancaria\nIBAN: ES91 2100 0418 4502 0005 1332',
  );
  expect(text).toContain('nuria@obradorcandela.example · 976 000 000');
  expect(text).not.toContain('A cobrar');
});

it('says what is to pay when it is not the total: 121 − 15 + 40,50 = 146,50', () => {
  const suplidos = { concepto: 'Tasas', importe: '40.50' };
  expect(textWith({ retencion: '15.00', suplidos, payable: '146.50' })).toContain(
    'Total factura: 121,00 €\nRetención IRPF: -15,00 €\nSuplidos: 40,50 €\nA cobrar: 146,50 €',
  );
  expect(textWith({ suplidos, payable: '161.50' })).toContain('A cobrar: 161,50 €');
});

it('asks nobody to pay a credit into the account of who gives it back', () => {
  expect(textWith({ total: '-121.00', payable: '-121.00' })).not.toContain('IBAN');
});
