import { describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import type { Company } from '../store/companies.ts';
import { htmlOf } from './html.ts';
import { textOf } from './message.ts';
import { recoveryCodeMail, supportMail, welcomeMail } from './templates/account.ts';

const config = readConfig({}, () => ({
  claveMaestra: () => Buffer.alloc(32),
  jwtSecret: () => 'x'.repeat(32),
}));

const company: Company = {
  id: 1,
  nif: 'B12345674',
  email: 'nuria@obradorcandela.example',
  name: 'Obrador <img src=x onerror=alert(1)> & Cía',
  address: 'Calle Mayor, 1',
  postCode: '50001',
  countryCode: 'ES',
  passwordHash: '',
  subscriptionType: 'semiannual',
  subscriptionEndsAt: new Date('2027-05-20T22:30:00Z'),
  numeroInstalacion: '20261120-0A0B0C0D0E0F',
  paymentTerms: '30D',
  paymentMethod: 'TRANSF',
  customerPostingGroup: 'NAC',
  iban: '',
  phone: '',
  municipio: '',
  defaultRetention: '',
  defaultTax: '',
  registryData: '',
  defaultCustomerNo: '',
  termsAcceptedAt: new Date('2026-11-20T10:00:00Z'),
  termsVersion: '2026-11',
  createdAt: new Date('2026-11-20T10:00:00Z'),
};

describe('messages', () => {
  it('state the end of a plan as the date where the company is', () => {
    // 22:30 UTC is already the 21st in Zaragoza, and still the 20th in Tenerife (23:30).
    expect(textOf(welcomeMail(config, company))).toContain('Plan semestral, hasta el 21/05/2027.');
    const canary = { ...company, postCode: '38001' };
    expect(textOf(welcomeMail(config, canary))).toContain('Plan semestral, hasta el 20/05/2027.');
  });

  it('write the code as it is read aloud', () => {
    const message = recoveryCodeMail(config, '012345');
    expect(message.subject).toBe('012 345 es tu código de Huella');
    expect(htmlOf(message)).toContain('012 345');
  });

  it('write the code in plain text as it is copied', () => {
    expect(textOf(recoveryCodeMail(config, '012345')).split('\n')).toContain('012345');
  });

  it('escape typed text in HTML', () => {
    const asked = { asunto: '"><script>', body: "<a href='x'>\n</td>", version: '1' };
    const html = htmlOf(supportMail(config, company, asked));
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; Cía');
    expect(html).not.toMatch(/<img src=x|<script|<a href='x'/);
  });

  it('say the same in text as in HTML', () => {
    const message = welcomeMail(config, company);
    const words = (text: string) => text.split(/[\s=-]+/).filter((word) => /\p{L}/u.test(word));
    const html = htmlOf(message)
      .replace(/<(title|style)>[^<]*<\/\1>|<div style="display:none.*?<\/div>/g, '')
      .replace(/<[^>]+>/g, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
    for (const word of words(textOf(message))) {
      if (!word.startsWith('http')) expect(html).toContain(word.replace(/:$/, ''));
    }
  });

  it('request nothing from any server: no external image or style, no tracking pixel', () => {
    const html = htmlOf(welcomeMail(config, company));
    const sources = [...html.matchAll(/src="([^"]+)"/g)].map(([, source]) => source);
    expect(sources).toEqual(['cid:logotipo@huella']);
    expect(html).not.toMatch(/@import|url\(|<link/);
  });
});
