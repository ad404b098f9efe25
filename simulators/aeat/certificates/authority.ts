import { generateKeyPair, randomBytes, sign as signWith } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import forge from 'node-forge';

/** A key with its certificate, both PEM. */
export interface Identity {
  readonly key: string;
  readonly cert: string;
}

/** The simulator's own certification authority and the certificate of its server. */
export interface Authority {
  readonly ca: Identity;
  readonly server: Identity;
}

export interface CertificateRequest {
  readonly subject: readonly SubjectField[];
  readonly extensions: readonly Record<string, unknown>[];
  readonly validFrom: Date;
  readonly validTo: Date;
}

/** `type` is a dotted OID; the value is UTF-8 text. */
export interface SubjectField {
  readonly type: string;
  readonly value: string;
}

export const OID = {
  commonName: '2.5.4.3',
  surname: '2.5.4.4',
  serialNumber: '2.5.4.5',
  country: '2.5.4.6',
  organization: '2.5.4.10',
  givenName: '2.5.4.42',
  organizationIdentifier: '2.5.4.97',
} as const;

const YEAR = 365 * 24 * 3600 * 1000;
const generateRsa = promisify(generateKeyPair);

/** Reads the authority kept in `dir`, or makes it the first time. */
export async function openAuthority(dir: string): Promise<Authority> {
  const path = join(dir, 'autoridad.json');
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const authority = await createAuthority();
  await mkdir(dir, { recursive: true });
  await writeFile(`${path}.nuevo`, JSON.stringify(authority), { mode: 0o600, flush: true });
  await rename(`${path}.nuevo`, path);
  await chmod(path, 0o600);
  return authority;
}

async function createAuthority(): Promise<Authority> {
  const validFrom = new Date(Date.now() - 24 * 3600 * 1000);
  const validTo = new Date(Date.now() + 20 * YEAR);
  const caSubject = [
    { type: OID.country, value: 'ES' },
    { type: OID.organization, value: 'HUELLA SIMULADOR' },
    { type: OID.commonName, value: 'AC de pruebas del simulador' },
  ];
  const caKey = await newKey();
  const ca = sign(caKey, caSubject, caKey, {
    subject: caSubject,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
      { name: 'subjectKeyIdentifier' },
    ],
    validFrom,
    validTo,
  });
  const server = await issue(ca, {
    subject: [{ type: OID.commonName, value: 'localhost' }],
    extensions: [
      { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
    validFrom,
    validTo,
  });
  return { ca, server };
}

/** Makes a certificate, signed by `ca`, for a key of its own or the one given. */
export async function issue(
  ca: Identity,
  request: CertificateRequest,
  key?: string,
): Promise<Identity> {
  const issuer = forge.pki.certificateFromPem(ca.cert).subject.attributes.map((attribute) => ({
    type: String(attribute.type),
    value: String(attribute.value),
  }));
  return sign(ca.key, issuer, key ?? (await newKey()), {
    ...request,
    extensions: [{ name: 'basicConstraints', cA: false }, ...request.extensions],
  });
}

/** Node makes RSA keys, and signs with them, much faster than forge. */
export async function newKey(): Promise<string> {
  const { privateKey } = await generateRsa('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return privateKey;
}

function sign(
  issuerKey: string,
  issuer: readonly SubjectField[],
  key: string,
  { subject, extensions, validFrom, validTo }: CertificateRequest,
): Identity {
  const certificate = forge.pki.createCertificate();
  const privateKey = forge.pki.privateKeyFromPem(key);
  certificate.publicKey = forge.pki.setRsaPublicKey(privateKey.n, privateKey.e);
  // The leading 01 keeps the serial number positive and without leading zeros.
  certificate.serialNumber = `01${randomBytes(15).toString('hex')}`;
  certificate.validity.notBefore = validFrom;
  certificate.validity.notAfter = validTo;
  certificate.setSubject(subject.map(asUtf8));
  certificate.setIssuer(issuer.map(asUtf8));
  certificate.setExtensions([...extensions]);
  // What forge would sign, byte by byte: an RSA signature of PKCS #1 v1.5 has nothing random (RFC 8017, 8.2).
  const signer = {
    sign: () => {
      const signed = forge.asn1.toDer(certificate.tbsCertificate).getBytes();
      return signWith('sha256', Buffer.from(signed, 'binary'), issuerKey).toString('binary');
    },
  };
  certificate.sign(signer as unknown as forge.pki.rsa.PrivateKey, forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate) };
}

function asUtf8({ type, value }: SubjectField): forge.pki.CertificateField {
  // Country and serial number are PrintableString in the standard; the rest takes accents.
  const isPrintable = type === OID.country || type === OID.serialNumber;
  const valueTagClass = isPrintable ? forge.asn1.Type.PRINTABLESTRING : forge.asn1.Type.UTF8;
  return { type, value, valueTagClass } as unknown as forge.pki.CertificateField;
}
