import { randomBytes } from 'node:crypto';
import forge from 'node-forge';
import type { Pkcs12Request } from './pkcs12.ts';

const { asn1, pkcs12, pki } = forge;
type Asn1 = forge.asn1.Asn1;

const ITERATIONS = 2048;
const OID_DATA = '1.2.840.113549.1.7.1';
const OID_ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const OID_PBE_SHA1_RC2_40 = '1.2.840.113549.1.12.1.6';
const OID_SHA1 = '1.3.14.3.2.26';

/**
 * A file as Windows and FNMT exported it for years: RC2-40 for the certificates, 3DES for the key, SHA-1 MAC. OpenSSL
 * 3 refuses it, which is the point.
 *
 * forge writes the key that way but leaves the certificates unencrypted, so that part and the MAC are made here (RFC
 * 7292 §4 and appendix B).
 */
export function legacyPkcs12({ identity, ca, friendlyName, password }: Pkcs12Request): Buffer {
  const plain = pkcs12.toPkcs12Asn1(
    pki.privateKeyFromPem(identity.key),
    [identity.cert, ca].map((pem) => pki.certificateFromPem(pem)),
    password,
    { algorithm: '3des', friendlyName, generateLocalKeyId: true, useMac: false },
  );
  const [certificates, key] = children(asn1.fromDer(contentOf(children(plain)[1] as Asn1)));
  const authenticatedSafe = asn1
    .toDer(sequence(encrypted(contentOf(certificates as Asn1), password), key as Asn1))
    .getBytes();
  const pfx = sequence(integer(3), data(authenticatedSafe), mac(authenticatedSafe, password));
  return Buffer.from(asn1.toDer(pfx).getBytes(), 'binary');
}

function encrypted(content: string, password: string): Asn1 {
  const salt = newSalt();
  const derive = (purpose: number, length: number) =>
    pkcs12.generateKey(password, salt, purpose, ITERATIONS, length);
  const cipher = forge.rc2.createEncryptionCipher(derive(1, 5).getBytes(), 40);
  cipher.start(derive(2, 8).getBytes());
  cipher.update(forge.util.createBuffer(content));
  cipher.finish();

  const algorithm = sequence(
    oid(OID_PBE_SHA1_RC2_40),
    sequence(octets(salt.bytes()), integer(ITERATIONS)),
  );
  // The encrypted content is an implicit [0]: the octets themselves, with no OCTET STRING inside.
  const body = asn1.create(asn1.Class.CONTEXT_SPECIFIC, 0, false, cipher.output.getBytes());
  const content0 = sequence(integer(0), sequence(oid(OID_DATA), algorithm, body));
  return sequence(oid(OID_ENCRYPTED_DATA), explicit0(content0));
}

function mac(authenticatedSafe: string, password: string): Asn1 {
  const salt = newSalt();
  const hmac = forge.hmac.create();
  hmac.start('sha1', pkcs12.generateKey(password, salt, 3, ITERATIONS, 20).getBytes());
  hmac.update(authenticatedSafe);
  const digest = sequence(sequence(oid(OID_SHA1), nothing()), octets(hmac.digest().getBytes()));
  return sequence(digest, octets(salt.bytes()), integer(ITERATIONS));
}

function newSalt(): forge.util.ByteStringBuffer {
  return forge.util.createBuffer(randomBytes(8).toString('binary'));
}

/** Octets of a `data` ContentInfo. */
function contentOf(contentInfo: Asn1): string {
  const [, wrapper] = children(contentInfo);
  return children(wrapper as Asn1)[0]?.value as string;
}

function children(node: Asn1): Asn1[] {
  return node.value as Asn1[];
}

const { Class, Type } = asn1;
const sequence = (...values: Asn1[]) => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, values);
const explicit0 = (value: Asn1) => asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [value]);
const octets = (bytes: string) => asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, bytes);
const nothing = () => asn1.create(Class.UNIVERSAL, Type.NULL, false, '');
const data = (bytes: string) => sequence(oid(OID_DATA), explicit0(octets(bytes)));
const oid = (dotted: string) =>
  asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());
const integer = (value: number) =>
  asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(value).getBytes());
