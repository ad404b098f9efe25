import { randomInt } from 'node:crypto';
import type { Plan } from '../domain/plans.ts';
import type { Merchant } from './merchant.ts';
import { encodeParameters, signText } from './signature.ts';

/** The three fields that travel to the gateway and back, under Redsys's names. */
export interface SignedParameters {
  readonly Ds_SignatureVersion: string;
  readonly Ds_MerchantParameters: string;
  readonly Ds_Signature: string;
}

/** A payment about to be asked for. */
export interface PaymentRequest {
  /** Ours for Redsys: see {@link newDsOrder}. */
  readonly dsOrder: string;
  /** Of whoever pays; it travels along and comes back. */
  readonly orderId: string;
  readonly plan: Plan;
  readonly urls: { readonly notification: string; readonly ok: string; readonly ko: string };
}

/** ISO 4217. */
export const EUR = '978';
/** `DS_MERCHANT_TRANSACTIONTYPE`. */
export const AUTORIZACION = '0';
export const DEVOLUCION = '3';
const SPANISH = '001';
const CARD = 'C';

/** Signs the form of a payment. The amount is the plan's: nothing the browser said is in it. */
export function paymentForm(merchant: Merchant, request: PaymentRequest): SignedParameters {
  const { dsOrder, orderId, plan, urls } = request;
  return signParameters(merchant, dsOrder, {
    DS_MERCHANT_AMOUNT: String(plan.priceCents),
    DS_MERCHANT_ORDER: dsOrder,
    DS_MERCHANT_MERCHANTCODE: merchant.comercio,
    DS_MERCHANT_CURRENCY: EUR,
    DS_MERCHANT_TRANSACTIONTYPE: AUTORIZACION,
    DS_MERCHANT_TERMINAL: merchant.terminal,
    DS_MERCHANT_MERCHANTURL: urls.notification,
    DS_MERCHANT_URLOK: urls.ok,
    DS_MERCHANT_URLKO: urls.ko,
    DS_MERCHANT_CONSUMERLANGUAGE: SPANISH,
    DS_MERCHANT_MERCHANTNAME: 'Huella',
    DS_MERCHANT_MERCHANTDATA: orderId,
    DS_MERCHANT_PRODUCTDESCRIPTION: `Suscripción ${plan.name.toLowerCase()}`,
    DS_MERCHANT_PAYMETHODS: CARD,
  });
}

/** Parameters encoded and signed with the key of their order, under the names that Redsys gives the three. */
export function signParameters(
  { clave, firma }: Pick<Merchant, 'clave' | 'firma'>,
  order: string,
  parameters: Readonly<Record<string, string>>,
): SignedParameters {
  const text = encodeParameters(firma, parameters);
  return {
    Ds_SignatureVersion: firma,
    Ds_MerchantParameters: text,
    Ds_Signature: signText(firma, { clave, order }, text),
  };
}

const BASE_36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const RANDOM_CHARACTERS = 8;

/**
 * A number for Redsys: year and month, and eight characters at random, `2611A7K9ZT3Q`.
 *
 * The customer's own begins with a letter, and Redsys's query interface refuses an order whose first
 * four positions are not digits (XML0015). Each attempt takes a new one: a repeated one is SIS0051.
 */
export function newDsOrder(now: Date): string {
  const month = now.toISOString().slice(2, 7).replace('-', '');
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE_36[randomInt(36)]);
  return month + random.join('');
}
