import { createHash, createPrivateKey, sign, X509Certificate } from 'node:crypto';
import { issuerNameOf } from '../certificate/issuer-name.ts';
import { FACTURAE_END, FACTURAE_NAMESPACE } from '../domain/electronic/facturae.ts';
import { element, textElement } from '../domain/electronic/xml.ts';
import { DomainError } from '../domain/errors.ts';
import type { ClientCertificate } from './open-certificate.ts';

const DS = 'http://www.w3.org/2000/09/xmldsig#';
const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';

/** The signature policy of Facturae, version 3.1, and the SHA-1 of its document. */
const POLICY =
  'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf';
const POLICY_SHA1 = 'Ohixl6upD6av8N7pEvDABhEL6hM=';

/**
 * The namespaces in scope where a part of the document is extracted: canonical form writes them on the part itself.
 */
const IN_SCOPE = ` xmlns:ds="${DS}" xmlns:fe="${FACTURAE_NAMESPACE}" xmlns:xades="${XADES}"`;

/**
 * Signs a Facturae with XAdES-EPES (ETSI TS 101 903 v1.3.2) as its policy demands: enveloped, covering the document,
 * the signature's own properties and the certificate.
 *
 * Nothing is canonicalised. The document already has canonical form (`domain/electronic/xml.ts`) and so has each part
 * as it is written here, so other programs compute the same hashes. A test verifies that with two of them.
 *
 * @param xml unsigned, from `facturaeOf`
 * @param signingTime with its offset: `2026-11-20T10:00:37+01:00`
 * @throws {DomainError} CONFLICT for a key that the policy does not admit
 */
export function signFacturae(
  xml: string,
  { keyPem, certPem }: Pick<ClientCertificate, 'keyPem' | 'certPem'>,
  signingTime: string,
): string {
  const key = createPrivateKey(keyPem);
  if (key.asymmetricKeyType !== 'rsa') throw new DomainError('CONFLICT', ONLY_RSA);
  const certificates = certificatesOf(certPem);
  const [own] = certificates;
  if (!own) throw new RangeError('No certificate.');
  const document = xml.slice(xml.indexOf('<fe:Facturae'));
  const properties = signedProperties(own, signingTime);
  const info = keyInfo(own, certificates);
  const signedInfo = signedInfoOf([
    reference(
      ` Id="${ID.document}" Type="${DS}Object" URI=""`,
      element('ds:Transforms', empty('ds:Transform', `${DS}enveloped-signature`)),
      document,
    ),
    reference(
      ` Type="http://uri.etsi.org/01903#SignedProperties" URI="#${ID.properties}"`,
      '',
      inScope(properties),
    ),
    reference(` URI="#${ID.keyInfo}"`, '', inScope(info)),
  ]);
  const value = sign('sha256', Buffer.from(inScope(signedInfo)), key).toString('base64');
  const signature = element(
    `ds:Signature xmlns:xades="${XADES}" Id="${ID.signature}"`,
    signedInfo,
    `<ds:SignatureValue Id="${ID.value}">${value}</ds:SignatureValue>`,
    info,
    element(
      'ds:Object',
      element(`xades:QualifyingProperties Target="#${ID.signature}"`, properties),
    ),
  );
  return `${xml.slice(0, -FACTURAE_END.length)}${signature}${FACTURAE_END}`;
}

const ONLY_RSA =
  'La política de firma de Facturae solo admite claves RSA, y la de tu certificado es de curva elíptica. Descárgala sin firmar y fírmala con otro certificado.';

const ID = {
  signature: 'Firma',
  value: 'Firma-Valor',
  document: 'Firma-Documento',
  properties: 'Firma-Propiedades',
  keyInfo: 'Firma-Certificado',
} as const;

function certificatesOf(certPem: string): X509Certificate[] {
  const found = certPem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g);
  return (found ?? []).map((pem) => new X509Certificate(pem));
}

/** Who signs, when, under which policy and in which role. */
function signedProperties(own: X509Certificate, signingTime: string): string {
  return element(
    `xades:SignedProperties Id="${ID.properties}"`,
    element(
      'xades:SignedSignatureProperties',
      textElement('xades:SigningTime', signingTime),
      element('xades:SigningCertificate', certificateOf(own)),
      element('xades:SignaturePolicyIdentifier', policy()),
      element(
        'xades:SignerRole',
        element('xades:ClaimedRoles', textElement('xades:ClaimedRole', 'emisor')),
      ),
    ),
    element(
      'xades:SignedDataObjectProperties',
      element(
        `xades:DataObjectFormat ObjectReference="#${ID.document}"`,
        textElement('xades:Description', 'Factura electrónica'),
        textElement('xades:MimeType', 'text/xml'),
      ),
    ),
  );
}

function certificateOf(own: X509Certificate): string {
  return element(
    'xades:Cert',
    element('xades:CertDigest', digest(SHA256, hashOf(own.raw))),
    element(
      'xades:IssuerSerial',
      textElement('ds:X509IssuerName', issuerNameOf(own)),
      textElement('ds:X509SerialNumber', BigInt(`0x${own.serialNumber}`).toString()),
    ),
  );
}

function policy(): string {
  return element(
    'xades:SignaturePolicyId',
    element(
      'xades:SigPolicyId',
      textElement('xades:Identifier', POLICY),
      textElement(
        'xades:Description',
        'Política de firma electrónica para facturación electrónica con formato Facturae',
      ),
    ),
    element('xades:SigPolicyHash', digest(`${DS}sha1`, POLICY_SHA1)),
  );
}

/** The certificate and the chain to its authority, plus the public key, as the policy asks. */
function keyInfo(own: X509Certificate, certificates: readonly X509Certificate[]): string {
  const { n = '', e = '' } = own.publicKey.export({ format: 'jwk' });
  const base64 = (text: string) => Buffer.from(text, 'base64url').toString('base64');
  return element(
    `ds:KeyInfo Id="${ID.keyInfo}"`,
    element(
      'ds:X509Data',
      ...certificates.map(({ raw }) => long('ds:X509Certificate', raw.toString('base64'))),
    ),
    element(
      'ds:KeyValue',
      element('ds:RSAKeyValue', long('ds:Modulus', base64(n)), long('ds:Exponent', base64(e))),
    ),
  );
}

/** An element whose content may be longer than any text of an invoice. */
function long(name: string, base64: string): string {
  return `<${name}>${base64}</${name}>`;
}

function signedInfoOf(references: readonly string[]): string {
  return element(
    'ds:SignedInfo',
    empty('ds:CanonicalizationMethod', C14N),
    empty('ds:SignatureMethod', RSA_SHA256),
    ...references,
  );
}

/** @param octets the canonical form of what is referred to */
function reference(attributes: string, transforms: string, octets: string): string {
  return element(`ds:Reference${attributes}`, transforms, digest(SHA256, hashOf(octets)));
}

function digest(algorithm: string, value: string): string {
  return empty('ds:DigestMethod', algorithm) + textElement('ds:DigestValue', value);
}

/** With both tags, as canonical form requires. */
function empty(name: string, algorithm: string): string {
  return `<${name} Algorithm="${algorithm}"></${name}>`;
}

function hashOf(octets: string | Buffer): string {
  return createHash('sha256').update(octets).digest('base64');
}

/** A part in its canonical form when extracted: the namespaces in scope come before its own attributes. */
function inScope(part: string): string {
  return part.replace(/^<[^\s>]+/, `$&${IN_SCOPE}`);
}
