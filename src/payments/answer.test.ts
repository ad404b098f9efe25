import { expect, it } from 'vitest';
import vectors from '../../tests/fixtures/redsys/vectores.json' with { type: 'json' };
import { verifyAnswer } from './answer.ts';
import { newDsOrder, type SignedParameters, signParameters } from './form.ts';
import { denialText, outcomeOf } from './response-codes.ts';

const merchant = {
  clave: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
  firma: 'HMAC_SHA256_V1',
} as const;
const authorised = vectors.find(({ name }) => name.startsWith('V3'));
if (!authorised) throw new Error('There is no vector V3.');
const fields = {
  Ds_SignatureVersion: 'HMAC_SHA256_V1',
  Ds_MerchantParameters: authorised.parametrosV1,
  Ds_Signature: authorised.firmaV1.replaceAll('/', '_').replaceAll('+', '-'),
};

it('opens an authorised notification', () => {
  expect(verifyAnswer(merchant, fields)).toEqual({
    ok: true,
    answer: {
      Ds_Order: '261120A7K9ZT',
      Ds_Amount: '5399',
      Ds_Currency: '978',
      Ds_MerchantCode: '999008881',
      Ds_Terminal: '001',
      Ds_TransactionType: '0',
      Ds_Response: '0000',
      Ds_AuthorisationCode: '482913',
      Ds_MerchantData: 'O7K2M9QX4ZTB',
    },
  });
});

it('treats a blank as the plus sign that it was before somebody forwarded it', () => {
  const Ds_Order = '261120A7K9ZT';
  const signed = signParameters(merchant, Ds_Order, { Ds_Order, Ds_MerchantData: '>>>~~~>>>' });
  expect(signed.Ds_MerchantParameters.split('+')).toHaveLength(4);
  expect(authorised.firmaV1).toContain('+');
  for (const each of [signed, { ...fields, Ds_Signature: authorised.firmaV1 }]) {
    const forwarded = {
      ...each,
      Ds_MerchantParameters: each.Ds_MerchantParameters.replaceAll('+', ' '),
      Ds_Signature: each.Ds_Signature.replaceAll('+', ' '),
    };
    expect(verifyAnswer(merchant, forwarded)).toMatchObject({ ok: true });
  }
});

const VERSION = 'the signature version is not the configured one';
const UNREADABLE = 'the parameters cannot be read';

it.each<[string, Partial<SignedParameters>, string]>([
  [
    'another character in the signature',
    { Ds_Signature: `A${fields.Ds_Signature.slice(1)}` },
    'the signature is wrong',
  ],
  ['a version nobody knows', { Ds_SignatureVersion: 'HMAC_MD5' }, VERSION],
  ['no version', { Ds_SignatureVersion: 'None' }, VERSION],
  [
    'the other version, right as it is',
    { Ds_SignatureVersion: 'HMAC_SHA512_V2', Ds_Signature: authorised.firmaV2 },
    VERSION,
  ],
  ...['no', '[]', 'null', '7'].map((text): [string, Partial<SignedParameters>, string] => [
    `parameters that are ${text}`,
    { Ds_MerchantParameters: Buffer.from(text).toString('base64') },
    UNREADABLE,
  ]),
])('refuses %s', (_, change, reason) => {
  expect(verifyAnswer(merchant, { ...fields, ...change })).toEqual({ ok: false, reason });
});

it.each(['', '123', '1234567890123', '26-1120', '2611\n'])(
  'refuses what is signed for %j, which is no order',
  (Ds_Order) => {
    expect(verifyAnswer(merchant, signParameters(merchant, Ds_Order, { Ds_Order }))).toEqual({
      ok: false,
      reason: 'there is no order',
    });
  },
);

it('refuses what says no order, whatever it is signed for', () => {
  expect(verifyAnswer(merchant, signParameters(merchant, 'undefined', {}))).toMatchObject({
    ok: false,
    reason: 'there is no order',
  });
});

it.each([
  ['0', '0000', 'authorised'],
  ['99', '0099', 'authorised'],
  ['190', '0190', 'denied'],
  ['9915', '9915', 'denied'],
  ['0000\0', '0000\uFFFD', 'denied'],
])(
  'reads the code %j as %s, whose zeros a number would have lost',
  (Ds_Response, code, outcome) => {
    const verified = verifyAnswer(
      merchant,
      signParameters(merchant, '261120A7K9ZT', { Ds_Order: '261120A7K9ZT', Ds_Response }),
    );
    if (!verified.ok) throw new Error(verified.reason);
    expect(verified.answer.Ds_Response).toBe(code);
    expect(outcomeOf(verified.answer.Ds_Response)).toBe(outcome);
  },
);

it('does not treat an answer without a code as authorised', () => {
  const verified = verifyAnswer(
    merchant,
    signParameters(merchant, '261120A7K9ZT', { Ds_Order: '261120A7K9ZT' }),
  );
  expect(verified.ok && outcomeOf(verified.answer.Ds_Response)).toBe('denied');
});

it.each([
  ['0000', 'authorised'],
  ['0099', 'authorised'],
  ['0100', 'denied'],
  ['0190', 'denied'],
  ['0900', 'denied'],
  ['9915', 'denied'],
  ['9998', 'under-way'],
  ['9999', 'under-way'],
  ['', 'denied'],
])('%s is %s', (code, outcome) => {
  expect(outcomeOf(code)).toBe(outcome);
});

it('explains the reason, with the code if there is no text for it', () => {
  expect(denialText('0116')).toBe('Saldo insuficiente.');
  expect(denialText('0777')).toBe('Pago no autorizado (código 0777).');
});

it('numbers orders as the query interface expects', () => {
  const orders = Array.from({ length: 100 }, () => newDsOrder(new Date('2026-11-20T10:00:00Z')));
  for (const order of orders) expect(order).toMatch(/^2611[0-9A-Z]{8}$/);
  expect(new Set(orders).size).toBe(100);
});
