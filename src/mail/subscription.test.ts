import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Company } from '../store/companies.ts';
import { textOf } from './message.ts';
import { subscriptionEndedMail, subscriptionEndingMail } from './templates/subscription.ts';

const provider = readConfig({}, () => ({
  claveMaestra: () => Buffer.alloc(32),
  jwtSecret: () => 'x'.repeat(32),
}));
const company = (subscriptionType: Company['subscriptionType']) =>
  ({
    name: 'Obrador Candela, S.L.',
    postCode: '28013',
    countryCode: 'ES',
    subscriptionType,
    subscriptionEndsAt: new Date('2027-05-20T12:00:00Z'),
  }) as Company;

it('a plan is renewed, and a demo is followed by a plan', () => {
  expect(textOf(subscriptionEndingMail(provider, company('semiannual')))).toContain(
    'Tu plan semestral acaba el 20/05/2027. Si lo renuevas antes, lo que te queda se suma al plan nuevo.',
  );
  expect(textOf(subscriptionEndedMail(provider, company('semiannual')))).toContain(
    'Hasta que lo renueves no se pueden registrar facturas ni enviarlas.',
  );
  expect(textOf(subscriptionEndedMail(provider, company('Demo')))).toContain(
    'Hasta que elijas un plan no se pueden registrar facturas ni enviarlas.',
  );
});
