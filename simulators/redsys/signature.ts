import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';

/** Merchants of the simulated bank: by default, the one that Redsys publishes for tests. */
export interface Comercio {
  readonly codigo: string;
  readonly terminal: string;
  readonly clave: string;
}

export const COMERCIO_DE_PRUEBAS: Comercio = {
  codigo: '999008881',
  terminal: '1',
  clave: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
};

export type Version = 'HMAC_SHA256_V1' | 'HMAC_SHA512_V2';

export const isVersion = (text: string): text is Version =>
  text === 'HMAC_SHA256_V1' || text === 'HMAC_SHA512_V2';

/**
 * `Ds_Signature` of the text that is sent. V1: HMAC-SHA-256 with the order number encrypted with 3DES and zero
 * padding as key. V2: HMAC-SHA-512 with the base64 of the order number encrypted with AES-128.
 */
export function firma(version: Version, clave: string, pedido: string, texto: string): Buffer {
  if (version === 'HMAC_SHA512_V2') {
    const aes = createCipheriv('aes-128-cbc', `${clave}0000000000000000`.slice(0, 16), zeros(16));
    const encrypted = Buffer.concat([aes.update(pedido, 'utf8'), aes.final()]);
    return createHmac('sha512', encrypted.toString('base64')).update(texto).digest();
  }
  const blocks = pedido.padEnd(Math.ceil(pedido.length / 8) * 8, '\0');
  const des = createCipheriv('des-ede3-cbc', Buffer.from(clave, 'base64'), zeros(8));
  des.setAutoPadding(false);
  return createHmac('sha256', Buffer.concat([des.update(blocks, 'latin1'), des.final()]))
    .update(texto)
    .digest();
}

export function firmaCorrecta(
  version: Version,
  clave: string,
  pedido: string,
  texto: string,
  dada: string,
): boolean {
  const bytes = Buffer.from(dada, 'base64');
  const right = firma(version, clave, pedido, texto);
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}

/** The three fields of an answer, as Redsys sends them: base64url with padding in V1. */
export function firmado(
  version: Version,
  clave: string,
  pedido: string,
  datos: Readonly<Record<string, string>>,
): Record<'Ds_SignatureVersion' | 'Ds_MerchantParameters' | 'Ds_Signature', string> {
  const json = Buffer.from(JSON.stringify(datos));
  const texto = json.toString(version === 'HMAC_SHA256_V1' ? 'base64' : 'base64url');
  const bytes = firma(version, clave, pedido, texto);
  const url = bytes.toString('base64url');
  return {
    Ds_SignatureVersion: version,
    Ds_MerchantParameters: texto,
    Ds_Signature:
      version === 'HMAC_SHA256_V1' ? url.padEnd(Math.ceil(url.length / 4) * 4, '=') : url,
  };
}

const zeros = (bytes: number) => Buffer.alloc(bytes);
