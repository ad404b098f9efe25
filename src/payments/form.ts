import { randomInt } from 'node:crypto';
import type { Plan } from '../domain/plans.ts';
import type { Merchant } from './merchant.ts';
import { encodeParameters, signText } from './signature.ts';

/** The three fields sent to the gateway and back, under Redsys's names. */
export interface SignedParameters {
  readonly Ds_SignatureVersion: string;
  readonly Ds_MerchantParameters: string;
  readonly Ds_Signature: string;
}

/** A payment about to be requested. */
export interface PaymentRequest {
  /** Our identifier for Redsys: see {@link newDsOrder}. */
  readonly dsOrder: string;
  /** The payer's identifier; it is sent along and comes back. */
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

/** Signs the form of a payment. The amount is the plan's: nothing from the browser is used. */
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

/** Parameters encoded and signed with the key of their order, under Redsys's names for the three. */
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
 * An order number for Redsys: year and month, and eight random characters, `2611A7K9ZT3Q`.
 *
 * The customer's own begins with a letter, and Redsys's query interface refuses an order whose first four characters
 * are not digits (XML0015). Each attempt takes a new one: a repeated one gives SIS0051.
 */
export function newDsOrder(now: Date): string {
  const month = now.toISOString().slice(2, 7).replace('-', '');
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => BASE_36[randomInt(36)]);
  return month + random.join('');
}
