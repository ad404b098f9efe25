import { expect, it } from 'vitest';
import { initPayment, newOrderId, signedAnswer } from './api.ts';
import { EMPTY_SIGN_UP } from './sign-up-data.ts';

it('makes order ids of O and eleven characters of base 36', () => {
  const ids = Array.from({ length: 200 }, newOrderId);
  for (const id of ids) expect(id).toMatch(/^O[0-9A-Z]{11}$/);
  expect(new Set(ids).size).toBe(200);
});

it('does not open the payment of a plan that is not sold', () => {
  expect(() => initPayment({ ...EMPTY_SIGN_UP, subscriptionType: 'weekly' })).toThrow(
    'Plan de suscripción inválido',
  );
});

it('reads a signed answer from an address, completely or not at all', () => {
  const address =
    'orderId=O1&Ds_SignatureVersion=V&Ds_MerchantParameters=eyJ9%2B/=&Ds_Signature=a%2Bb=';
  expect(signedAnswer(new URLSearchParams(address))).toEqual({
    Ds_SignatureVersion: 'V',
    Ds_MerchantParameters: 'eyJ9+/=',
    Ds_Signature: 'a+b=',
  });
  expect(signedAnswer(new URLSearchParams('orderId=O1&Ds_Signature=a'))).toBeNull();
});
