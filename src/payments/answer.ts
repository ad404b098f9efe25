import type { SignedParameters } from './form.ts';
import type { Merchant } from './merchant.ts';
import { isSignatureOf, SIGNATURE_VERSIONS } from './signature.ts';

/** Redsys's information about an operation, in a notification or in the answer to a query. */
export interface PaymentAnswer {
  readonly Ds_Order: string;
  readonly Ds_Amount: string;
  readonly Ds_Currency: string;
  readonly Ds_MerchantCode: string;
  readonly Ds_Terminal: string;
  readonly Ds_TransactionType: string;
  /** Four digits. */
  readonly Ds_Response: string;
  readonly Ds_AuthorisationCode: string;
  /** The customer's order id, or empty when it is not included. */
  readonly Ds_MerchantData: string;
}

export type Verified =
  | { readonly ok: true; readonly answer: PaymentAnswer }
  | { readonly ok: false; readonly reason: string };

/**
 * Opens signed data from Redsys, and trusts it only if the signature is right.
 *
 * The version must be the one configured for the terminal, so that nobody can choose a weaker one. Unknown fields are
 * ignored; some values are percent-encoded inside the JSON. A plus sign that was forwarded unencoded arrives as a
 * blank, which base64 does not contain.
 */
export function verifyAnswer(
  { clave, firma }: Pick<Merchant, 'clave' | 'firma'>,
  { Ds_SignatureVersion, ...fields }: SignedParameters,
): Verified {
  const version = SIGNATURE_VERSIONS.find((known) => known === Ds_SignatureVersion);
  if (version !== firma) return refused('the signature version is not the configured one');
  const text = fields.Ds_MerchantParameters.replaceAll(' ', '+');
  const signature = fields.Ds_Signature.replaceAll(' ', '+');
  const parameters = decodeParameters(text);
  if (!parameters) return refused('the parameters cannot be read');
  const order = parameters.get('ds_order');
  if (!order || !/^[0-9A-Za-z]{4,12}$/.test(order)) return refused('there is no order');
  const key = { clave, order };
  if (!isSignatureOf(version, key, text, signature)) {
    return refused('the signature is wrong');
  }
  return { ok: true, answer: answerOf(parameters) };
}

/** @param values by lower-case name: Redsys writes both `Ds_Order` and `DS_ORDER` */
export function answerOf(values: ReadonlyMap<string, string>): PaymentAnswer {
  const read = (name: string) =>
    // The database takes no NUL, and what has one is nothing that Redsys writes.
    percentDecoded(values.get(name.toLowerCase()) ?? '')
      .trim()
      .replaceAll('\0', '\uFFFD');
  return {
    Ds_Order: read('Ds_Order'),
    Ds_Amount: read('Ds_Amount'),
    Ds_Currency: read('Ds_Currency'),
    Ds_MerchantCode: read('Ds_MerchantCode'),
    Ds_Terminal: read('Ds_Terminal'),
    Ds_TransactionType: read('Ds_TransactionType'),
    Ds_Response: fourDigits(read('Ds_Response')),
    Ds_AuthorisationCode: read('Ds_AuthorisationCode'),
    Ds_MerchantData: read('Ds_MerchantData'),
  };
}

function decodeParameters(text: string): ReadonlyMap<string, string> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
    return new Map(
      Object.entries(json).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
  } catch {
    return null;
  }
}

/** An answer without a code authorises nothing, so anything but a number stays as it is. */
const fourDigits = (code: string) => (/^\d{1,3}$/.test(code) ? code.padStart(4, '0') : code);

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(reason: string): Verified {
  return { ok: false, reason };
}
