import { escapeHtml } from '../http.ts';
import { isFinished, type Operacion, type Operaciones } from './operations.ts';
import { type Comercio, firma, firmaCorrecta } from './signature.ts';

/** The query uses this signature whatever the terminal is configured for. */
const VERSION = 'HMAC_SHA256_V1';

/** `consultaOperaciones` of SerClsWSConsulta: what became of one order. */
export function consulta(
  soap: string,
  { operaciones, comercio }: { readonly operaciones: Operaciones; readonly comercio: Comercio },
): string {
  const [, version = ''] = /(<Version\b.*<\/Version>)/s.exec(soap) ?? [];
  const pedido = campo(version, 'Ds_Order');
  const dada = campo(soap, 'Signature');
  if (!version) return sobre(error('XML0001'));
  if (!firmaCorrecta(VERSION, comercio.clave, pedido, version, dada))
    return sobre(error('XML0023'));
  if (!/^\d{4}/.test(pedido)) return sobre(error('XML0015'));
  const operacion = operaciones.find(pedido);
  if (!operacion || campo(version, 'Ds_MerchantCode') !== operacion.Ds_MerchantCode) {
    return sobre(error('XML0024'));
  }
  const tipo = campo(version, 'Ds_TransactionType');
  if (tipo === '3' && operacion.devueltoCents === 0) return sobre(error('XML0024'));
  const asked = tipo === '3' ? devolucionOf(operacion) : operacion;
  const finished = isFinished(asked);
  const datos =
    '<Version Ds_Version="0.0"><Message><Response Ds_Version="0.0">' +
    [
      ['Ds_MerchantCode', operacion.Ds_MerchantCode],
      ['Ds_Terminal', operacion.Ds_Terminal],
      ['Ds_Order', operacion.Ds_Order],
      ['Ds_TransactionType', asked.Ds_TransactionType],
      ['Ds_Amount', asked.Ds_Amount],
      ['Ds_Currency', operacion.Ds_Currency],
      ['Ds_State', finished ? 'F' : 'S'],
      ['Ds_Response', asked.Ds_Response],
      ['Ds_AuthorisationCode', operacion.Ds_AuthorisationCode],
    ]
      .map(([name, value]) => `<${name}>${escapeHtml(value ?? '')}</${name}>`)
      .join('') +
    '</Response></Message></Version>';
  const firmada = firma(VERSION, comercio.clave, pedido, datos).toString('base64');
  return sobre(`<Messages>${datos}<Signature>${firmada}</Signature></Messages>`);
}

/** The refunded part of an order, as the sum of its refunds. */
const devolucionOf = (operacion: Operacion): Operacion => ({
  ...operacion,
  Ds_TransactionType: '3',
  Ds_Amount: String(operacion.devueltoCents),
  Ds_Response: '0900',
});

const campo = (xml: string, name: string): string =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '';

const error = (codigo: string): string =>
  `<Messages><Version Ds_Version="0.0"><Message><ErrorMsg><Ds_ErrorCode>${codigo}</Ds_ErrorCode></ErrorMsg></Message></Version></Messages>`;

const sobre = (xml: string): string =>
  '<?xml version="1.0" encoding="utf-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"><soapenv:Body>' +
  '<consultaOperacionesResponse xmlns="http://webservices.apl02.redsys.es">' +
  `<consultaOperacionesReturn>${escapeHtml(xml)}</consultaOperacionesReturn>` +
  '</consultaOperacionesResponse></soapenv:Body></soapenv:Envelope>';
