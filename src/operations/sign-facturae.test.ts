import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SignedXml } from 'xml-crypto';
import { ELECTRONIC } from '../../tests/fixtures/verifactu/electronic.ts';
import { all, textAt, xmlTree } from '../../tests/support/xml-tree.ts';
import { openPkcs12 } from '../certificate/pkcs12.ts';
import { facturaeOf } from '../domain/electronic/facturae.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import { signFacturae } from './sign-facturae.ts';

const WHEN = '2026-11-20T10:00:37+01:00';

async function certificate(name: string) {
  const opened = await openPkcs12(readFileSync(`tests/fixtures/pkcs12/${name}.p12`), '1234ñ');
  const [pair] = opened.ok ? opened.pairs : [];
  if (!pair) throw new Error(`${name}.p12 does not open.`);
  return {
    keyPem: pair.key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certPem: [pair.leaf, ...pair.chain].map(String).join(''),
    leaf: pair.leaf,
  };
}

function unsigned(invoice: IssuedInvoice): string {
  const exported = facturaeOf(invoice);
  if (!exported.ok) throw new Error(exported.sentences.join(' '));
  return exported.xml;
}

/** By an independent implementation: its own parser, canonicalisation and hashes. */
function isValid(xml: string, publicCert: string): boolean {
  const from = xml.indexOf('<ds:Signature ');
  const to = xml.indexOf('</ds:Signature>') + '</ds:Signature>'.length;
  const verifier = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
  verifier.loadSignature(xml.slice(from, to));
  try {
    return verifier.checkSignature(xml);
  } catch {
    return false;
  }
}

const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

/** A folder for one command, deleted afterwards. */
function withFile<T>(xml: string, run: (file: string, folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'facturae-'));
  try {
    const file = join(folder, 'factura.xsig');
    writeFileSync(file, xml);
    return run(file, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cases = Object.entries(ELECTRONIC) as [string, IssuedInvoice][];

describe('the signature of a Facturae', () => {
  it.each(cases)('%s matches what an independent implementation makes', async (_name, invoice) => {
    const own = await certificate('persona');
    const xml = signFacturae(unsigned(invoice), own, WHEN);
    expect(isValid(xml, own.leaf.toString())).toBe(true);
  });

  it('can be made with a certificate of version 1 too, as plain OpenSSL makes them', async () => {
    const own = await certificate('version-1');
    const xml = signFacturae(unsigned(ELECTRONIC['nacional-21']), own, WHEN);
    expect(isValid(xml, own.leaf.toString())).toBe(true);
  });

  it('becomes invalid if anything changes: the invoice, the certificate, or its own statements', async () => {
    const own = await certificate('persona');
    const xml = signFacturae(unsigned(ELECTRONIC['nacional-21']), own, WHEN);
    const pem = own.leaf.toString();
    for (const [before, after] of [
      ['<InvoiceTotal>121.00', '<InvoiceTotal>12.10'],
      ['10:00:37', '10:00:38'],
      ['>emisor<', '>tercero<'],
      ['<ds:Exponent>', '<ds:Exponent>A'],
    ] as const) {
      expect(xml).toContain(before);
      expect(isValid(xml.replace(before, after), pem)).toBe(false);
    }
    expect(isValid(xml, (await certificate('sello')).leaf.toString())).toBe(false);
  });

  it('leaves the invoice unchanged, byte by byte', async () => {
    const before = unsigned(ELECTRONIC['nacional-21']);
    const xml = signFacturae(before, await certificate('persona'), WHEN);
    expect(xml.replace(/<ds:Signature .*<\/ds:Signature>/, '')).toBe(before);
  });

  it('states who signs, when, under which policy and in which role', async () => {
    const own = await certificate('persona');
    const root = xmlTree(signFacturae(unsigned(ELECTRONIC['nacional-21']), own, WHEN));
    const [signature = root] = all(root, 'Signature');
    const info = all(signature, 'SignedInfo/Reference').map(({ attributes }) => attributes.URI);
    expect(info).toEqual(['', '#Firma-Propiedades', '#Firma-Certificado']);
    const [properties = root] = all(
      signature,
      'Object/QualifyingProperties/SignedProperties/SignedSignatureProperties',
    );
    expect(textAt(properties, 'SigningTime')).toBe(WHEN);
    const serial = textAt(properties, 'SigningCertificate/Cert/IssuerSerial/X509SerialNumber');
    expect(BigInt(serial)).toBe(BigInt(`0x${own.leaf.serialNumber}`));
    const policy = 'SignaturePolicyIdentifier/SignaturePolicyId';
    expect(textAt(properties, `${policy}/SigPolicyId/Identifier`)).toMatch(/v3_1\.pdf$/);
    expect(textAt(properties, `${policy}/SigPolicyHash/DigestValue`)).toBe(
      'Ohixl6upD6av8N7pEvDABhEL6hM=',
    );
    expect(textAt(properties, 'SignerRole/ClaimedRoles/ClaimedRole')).toBe('emisor');
    expect(textAt(signature, 'KeyInfo/X509Data/X509Certificate')).toBe(
      own.leaf.raw.toString('base64'),
    );
  });

  it('cannot be made with a key that the policy does not admit', async () => {
    const elliptic = await certificate('ec');
    expect(() => signFacturae(unsigned(ELECTRONIC.mixta), elliptic, WHEN)).toThrow(
      /solo admite claves RSA/,
    );
  });
});

describe.skipIf(!has('xmlsec1'))('with xmlsec1 (skipped where it is not installed)', () => {
  it.each(['persona', 'sello'])('that of %s.p12 is valid', async (name) => {
    const own = await certificate(name);
    const xml = signFacturae(unsigned(ELECTRONIC.administracion), own, WHEN);
    const said = withFile(xml, (file, folder) => {
      const pem = join(folder, 'own.pem');
      writeFileSync(pem, own.leaf.toString());
      const ids = ['SignedProperties', 'KeyInfo'].flatMap((element) => ['--id-attr:Id', element]);
      const { status, stdout, stderr } = spawnSync('xmlsec1', [
        ...['--verify', '--pubkey-cert-pem', pem],
        ...ids,
        file,
      ]);
      return `${status} ${stdout} ${stderr}`;
    });
    expect(said).toMatch(/^0 .*OK/s);
  });
});

describe.skipIf(!has('xmllint'))('with xmllint (skipped where it is not installed)', () => {
  it.each(cases)('%s is its own canonical form', async (_name, invoice) => {
    const xml = signFacturae(unsigned(invoice), await certificate('persona'), WHEN);
    const canonical = withFile(xml, (file) => execFileSync('xmllint', ['--c14n', file]).toString());
    expect(canonical).toBe(xml.slice(xml.indexOf('<fe:')));
  });
});
