import { SaxesParser } from 'saxes';
import { answerOf, type PaymentAnswer, verifyAnswer } from './answer.ts';
import { AUTORIZACION, DEVOLUCION, EUR, signParameters } from './form.ts';
import type { Gateway, Merchant } from './merchant.ts';
import { signText } from './signature.ts';

/** The gateway could not be reached, or its answer is unreadable: nothing is known about the payment. */
class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

const PATIENCE_MS = 15_000;
/** `Ds_ErrorCode` of an order that the gateway has never seen: nobody reached its page. */
const UNKNOWN_ORDER = 'XML0024';
/** `Ds_State` of a finished operation. */
const FINISHED = 'F';
/** `Ds_Response` of a successful refund. */
const REFUNDED = '0900';
/** The query service uses this signature whatever the terminal is configured for. */
const QUERY_SIGNATURE = 'HMAC_SHA256_V1';

export type QueryAnswer =
  | { readonly kind: 'finished'; readonly answer: PaymentAnswer }
  | { readonly kind: 'under-way' }
  | { readonly kind: 'unknown' };

/**
 * Asks Redsys what became of an order (`consultaOperaciones` of SerClsWSConsulta).
 *
 * The answer is trusted because it comes over TLS from the server that was asked.
 *
 * @throws {GatewayError}
 */
export async function queryPayment(
  merchant: Merchant,
  gateway: Gateway,
  dsOrder: string,
): Promise<QueryAnswer> {
  return query(merchant, gateway, dsOrder, AUTORIZACION);
}

/**
 * Whether a payment was fully refunded, according to the same query for refunds.
 *
 * @throws {GatewayError}
 */
export async function isRefunded(
  merchant: Merchant,
  gateway: Gateway,
  { dsOrder, amountCents }: { readonly dsOrder: string; readonly amountCents: bigint },
): Promise<boolean> {
  const found = await query(merchant, gateway, dsOrder, DEVOLUCION);
  if (found.kind !== 'finished') return false;
  const { Ds_TransactionType, Ds_Response, Ds_Amount } = found.answer;
  return (
    Ds_TransactionType === DEVOLUCION &&
    Ds_Response === REFUNDED &&
    Ds_Amount === String(amountCents)
  );
}

async function query(
  merchant: Merchant,
  gateway: Gateway,
  dsOrder: string,
  type: typeof AUTORIZACION | typeof DEVOLUCION,
): Promise<QueryAnswer> {
  const body = await post(gateway.consultaUrl, queryXml(merchant, dsOrder, type), {
    'content-type': 'text/xml; charset=utf-8',
    soapaction: 'consultaOperaciones',
  });
  const result = readXml(body).get('consultaoperacionesreturn');
  if (!result) throw new GatewayError('The query was answered without consultaOperacionesReturn.');
  const values = readXml(result);
  const error = values.get('ds_errorcode');
  if (error === UNKNOWN_ORDER) return { kind: 'unknown' };
  if (error) throw new GatewayError(`The query was refused: ${error}.`);
  if (values.get('ds_order') !== dsOrder) throw new GatewayError('The query tells another order.');
  if (values.get('ds_state') !== FINISHED) return { kind: 'under-way' };
  return { kind: 'finished', answer: answerOf(values) };
}

/**
 * Refunds a payment in full (`DS_MERCHANT_TRANSACTIONTYPE` 3).
 *
 * @throws {GatewayError} when it was not refunded, or that is unknown
 */
export async function refundPayment(
  merchant: Merchant,
  gateway: Gateway,
  { dsOrder, amountCents }: { readonly dsOrder: string; readonly amountCents: bigint },
): Promise<void> {
  const signed = signParameters(merchant, dsOrder, {
    DS_MERCHANT_AMOUNT: String(amountCents),
    DS_MERCHANT_ORDER: dsOrder,
    DS_MERCHANT_MERCHANTCODE: merchant.comercio,
    DS_MERCHANT_CURRENCY: EUR,
    DS_MERCHANT_TRANSACTIONTYPE: DEVOLUCION,
    DS_MERCHANT_TERMINAL: merchant.terminal,
  });
  const body = await post(gateway.restUrl, JSON.stringify(signed), {
    'content-type': 'application/json',
  });
  const fields = JSON.parse(body) as Record<string, unknown>;
  if (fields.errorCode) throw new GatewayError(`The refund was refused: ${fields.errorCode}.`);
  const verified = verifyAnswer(merchant, {
    Ds_SignatureVersion: String(fields.Ds_SignatureVersion),
    Ds_MerchantParameters: String(fields.Ds_MerchantParameters),
    Ds_Signature: String(fields.Ds_Signature),
  });
  if (!verified.ok) throw new GatewayError(`The refund is not believed: ${verified.reason}.`);
  const { Ds_Order, Ds_Response } = verified.answer;
  if (Ds_Order !== dsOrder || Ds_Response !== REFUNDED) {
    throw new GatewayError(`The refund was denied: ${Ds_Response}.`);
  }
}

function queryXml(merchant: Merchant, dsOrder: string, type: string): string {
  const version =
    '<Version Ds_Version="0.0"><Message><Transaction>' +
    `<Ds_MerchantCode>${merchant.comercio}</Ds_MerchantCode>` +
    `<Ds_Terminal>${merchant.terminal}</Ds_Terminal>` +
    `<Ds_Order>${dsOrder}</Ds_Order>` +
    `<Ds_TransactionType>${type}</Ds_TransactionType>` +
    '</Transaction></Message></Version>';
  const signature = signText(QUERY_SIGNATURE, { clave: merchant.clave, order: dsOrder }, version);
  return (
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"' +
    ' xmlns:web="http://webservices.apl02.redsys.es"><soapenv:Header/><soapenv:Body>' +
    `<web:consultaOperaciones><cadenaXML><![CDATA[<Messages>${version}` +
    `<Signature>${signature}</Signature>` +
    `<SignatureVersion>${QUERY_SIGNATURE}</SignatureVersion></Messages>]]></cadenaXML>` +
    '</web:consultaOperaciones></soapenv:Body></soapenv:Envelope>'
  );
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<string> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new GatewayError(`The gateway answered ${response.status}.`);
    return await response.text();
  } catch (cause) {
    if (cause instanceof GatewayError) throw cause;
    throw new GatewayError('The gateway does not answer.', { cause });
  }
}

/** Text of each leaf by its local name, in lower case. @throws {GatewayError} */
function readXml(xml: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  let text = '';
  const parser = new SaxesParser();
  const name = (qualified: string) => qualified.slice(qualified.indexOf(':') + 1).toLowerCase();
  parser.on('opentag', () => {
    text = '';
  });
  parser.on('text', (piece) => {
    text += piece;
  });
  parser.on('cdata', (piece) => {
    text += piece;
  });
  parser.on('closetag', (tag) => {
    if (!values.has(name(tag.name))) values.set(name(tag.name), text.trim());
    text = '';
  });
  try {
    parser.write(xml).close();
  } catch (cause) {
    throw new GatewayError('The gateway did not answer XML.', { cause });
  }
  return values;
}
