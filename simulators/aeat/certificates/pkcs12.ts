import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as asn1js from 'asn1js';
import * as pkijs from 'pkijs';
import type { Identity } from './authority.ts';

export interface Pkcs12Request {
  readonly identity: Identity;
  /** PEM of the authority, put beside the certificate. */
  readonly ca: string;
  readonly friendlyName: string;
  readonly password: string;
}

/** As many as OpenSSL 3 writes (`openssl-pkcs12`, `-iter`). */
const ITERATIONS = 2048;

/** A file as today's authorities and OpenSSL 3 write it: AES-256 (PBES2) and a SHA-256 MAC. */
export async function modernPkcs12(request: Pkcs12Request): Promise<Buffer> {
  const password = new Uint8Array(Buffer.from(request.password)).buffer;
  const cipher = {
    password,
    contentEncryptionAlgorithm: { name: 'AES-CBC', length: 256 },
    hmacHashAlgorithm: 'SHA-256',
    iterationCount: ITERATIONS,
  };

  const keyBag = new pkijs.PKCS8ShroudedKeyBag({
    parsedValue: pkijs.PrivateKeyInfo.fromBER(privateKeyDer(request.identity.key)),
  });
  await keyBag.makeInternalValues(cipher);

  const attributes = bagAttributes(request.friendlyName);
  const certificates = [
    certificateBag(request.identity.cert, attributes),
    certificateBag(request.ca, []),
  ];
  const pfx = new pkijs.PFX({
    parsedValue: {
      integrityMode: 0,
      authenticatedSafe: new pkijs.AuthenticatedSafe({
        parsedValue: {
          safeContents: [
            {
              privacyMode: 0,
              value: new pkijs.SafeContents({
                safeBags: [
                  new pkijs.SafeBag({
                    bagId: '1.2.840.113549.1.12.10.1.2',
                    bagValue: keyBag,
                    bagAttributes: attributes,
                  }),
                ],
              }),
            },
            { privacyMode: 1, value: new pkijs.SafeContents({ safeBags: certificates }) },
          ],
        },
      }),
    },
  });
  if (!pfx.parsedValue?.authenticatedSafe) throw new Error('PKCS#12 sin contenido');
  await pfx.parsedValue.authenticatedSafe.makeInternalValues({ safeContents: [{}, cipher] });
  await pfx.makeInternalValues({
    password,
    iterations: ITERATIONS,
    pbkdf2HashAlgorithm: 'SHA-256',
    hmacHashAlgorithm: 'SHA-256',
  });
  return Buffer.from(pfx.toSchema().toBER());
}

function certificateBag(pem: string, bagAttributes: pkijs.Attribute[]): pkijs.SafeBag {
  return new pkijs.SafeBag({
    bagId: '1.2.840.113549.1.12.10.1.3',
    bagValue: new pkijs.CertBag({
      parsedValue: pkijs.Certificate.fromBER(new X509Certificate(pem).raw),
    }),
    bagAttributes,
  });
}

/** The same localKeyId on key and certificate tells readers that they belong together. */
function bagAttributes(friendlyName: string): pkijs.Attribute[] {
  return [
    new pkijs.Attribute({
      type: '1.2.840.113549.1.9.20',
      values: [new asn1js.BmpString({ value: friendlyName })],
    }),
    new pkijs.Attribute({
      type: '1.2.840.113549.1.9.21',
      values: [new asn1js.OctetString({ valueHex: new Uint8Array([1]).buffer })],
    }),
  ];
}

function privateKeyDer(pem: string): Buffer {
  return createPrivateKey(pem).export({ type: 'pkcs8', format: 'der' });
}
