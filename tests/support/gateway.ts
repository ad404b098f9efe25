import type { GatewayForm } from '../../src/contract/payments.ts';

/** What a customer does on the gateway's page. */
export interface AtTheGateway {
  readonly numero?: string;
  readonly caducidad?: string;
  readonly cvv?: string;
  readonly respuesta?: 'autorizar' | 'denegar' | 'tarde' | 'dos' | 'nunca' | 'vuelta' | 'firma';
  /** The code from the phone, if the bank asks for one. */
  readonly codigo?: string;
  readonly cancel?: boolean;
}

/**
 * Posts a form to the gateway and types a card there, like a browser.
 *
 * @returns where the browser is sent back to, or the page on which it stays
 */
export async function payAt(
  form: GatewayForm,
  { codigo, cancel, ...card }: AtTheGateway = {},
): Promise<{ location: string | null; page: string }> {
  const opened = await post(form.urlTPV, {
    Ds_SignatureVersion: form.ds_SignatureVersion,
    Ds_MerchantParameters: form.ds_MerchantParameters,
    Ds_Signature: form.ds_Signature,
  });
  const page = await opened.text();
  const pedido = /name="pedido" value="(\w+)"/.exec(page)?.[1];
  if (!pedido) return { location: null, page };
  const { origin } = new URL(form.urlTPV);
  if (cancel) return outcome(await post(`${origin}/sis/cancelar`, { pedido }));
  const paid = await post(`${origin}/sis/pagar`, {
    pedido,
    numero: '4548 8100 0000 0003',
    caducidad: '12/49',
    cvv: '123',
    respuesta: 'autorizar',
    ...card,
  });
  if (paid.status === 200 && codigo !== undefined) {
    return outcome(await post(`${origin}/sis/autenticar`, { pedido, codigo }));
  }
  return outcome(paid);
}

export function post(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
}

async function outcome(response: Response) {
  return { location: response.headers.get('location'), page: await response.text() };
}

/** The parameters of a form for the gateway. */
export function parametersOf(form: GatewayForm): Record<string, string> {
  return JSON.parse(Buffer.from(form.ds_MerchantParameters, 'base64').toString('utf8'));
}

let lastOrder = 0;

/** An unused order number. */
export function newOrderId(): string {
  lastOrder += 1;
  return `O${String(lastOrder).padStart(11, '0')}`;
}
