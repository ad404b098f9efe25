import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Company } from '../store/companies.ts';
import { htmlOf } from './html.ts';
import { textOf } from './message.ts';
import { receiptMail, refundMail, unaskedMail } from './templates/payment.ts';

const config = readConfig({}, () => ({
  claveMaestra: () => Buffer.alloc(32),
  jwtSecret: () => 'x'.repeat(32),
}));

const company = { name: 'Obrador <b>Candela</b>, S.L.', postCode: '50001' } as Company;
const receipt = {
  kind: 'pago',
  orderId: 'O4K7Q2ZD81XA',
  plan: 'semiannual',
  amountCents: '5399',
  isRenewal: false,
  paidAt: '2026-11-20T23:30:00.000Z',
  endsAt: '2027-05-20T22:30:00.000Z',
} as const;

it('the receipt of a company that leaves a demo says what becomes of it', () => {
  const said = (facturas: number) =>
    textOf(
      receiptMail(config, company, { ...receipt, leftDemo: { NoSerie: '00001/26', facturas } }),
    );
  expect(said(0)).toContain('La primera será la 00001/26.');
  expect(said(0)).not.toContain('historial');
  expect(said(1)).toContain('La que hiciste en la demo queda en tu historial como anulada');
  expect(said(3)).toContain('Las 3 que hiciste en la demo quedan en tu historial como anuladas');
});

it('the receipt says what was paid, how much, and until when, in the company’s time zone', () => {
  const message = receiptMail(config, company, receipt);
  expect(message.subject).toBe('Hemos recibido tu pago de 53,99\u00a0€');
  const text = textOf(message);
  // 23:30 UTC is already the 21st in Zaragoza, and 22:30 in summer too.
  expect(text).toContain('Plan: Semestral\nHasta el: 21/05/2027\nFecha del pago: 21/11/2026');
  expect(text).toContain('Pedido: O4K7Q2ZD81XA');
  expect(text).toContain('tu suscripción está en marcha');
  const renewed = textOf(receiptMail(config, company, { ...receipt, isRenewal: true }));
  expect(renewed).toContain('tu suscripción está renovada');
});

it('a refund is announced with its order and its amount', () => {
  const text = textOf(
    refundMail(config, {
      kind: 'pago-devuelto',
      orderId: 'O4K7Q2ZD81XA',
      companyName: 'Obrador Candela, S.L.',
      amountCents: '99999',
    }),
  );
  expect(text).toContain('O4K7Q2ZD81XA');
  expect(text).toContain('999,99\u00a0€');
});

it('the refund of a renewal that was paid twice says that it was added once', () => {
  const text = textOf(
    refundMail(config, {
      kind: 'pago-devuelto',
      motivo: 'renovacion-repetida',
      orderId: 'O4K7Q2ZD81XA',
      companyName: 'Obrador Candela, S.L.',
      amountCents: '999',
    }),
  );
  expect(text).toContain('ya estaba pagada y la hemos sumado una sola vez');
  expect(text).not.toContain('Recuperar contraseña');
});

it('a customer who may have paid is told not to pay again, and for which order', () => {
  const message = unaskedMail(config, {
    kind: 'pago-sin-confirmar',
    orderId: 'O4K7Q2ZD81XA',
    companyName: 'Obrador Candela, S.L.',
    plan: 'semiannual',
    amountCents: '5399',
  });
  const text = textOf(message);
  expect(text).toContain('no pagues otra vez');
  expect(text).toContain('Pedido: O4K7Q2ZD81XA');
  expect(text).toContain('53,99\u00a0€');
});

it('names are inserted as text', () => {
  expect(htmlOf(receiptMail(config, company, receipt))).not.toContain('<b>Candela</b>');
});
