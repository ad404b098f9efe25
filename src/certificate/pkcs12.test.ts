import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import fc from 'fast-check';
import forge from 'node-forge';
import { describe, expect, it } from 'vitest';
import { holderOf } from './holder.ts';
import { openPkcs12 } from './pkcs12.ts';

// Made with OpenSSL 3.0 and, `dos-claves`, with forge: see tests/fixtures/pkcs12/README.md.
const file = (name: string) =>
  readFileSync(new URL(`../../tests/fixtures/pkcs12/${name}.p12`, import.meta.url));
const PASSWORD = '1234ñ';

/** A file with nothing but an RSA key, whose numbers have those lengths and do not belong together. */
function fileOfRsa(bits: { readonly modulus: number; readonly prime: number }): Buffer {
  const number = (length: number) => new forge.jsbn.BigInteger('f'.repeat(length / 4), 16);
  const modulus = number(bits.modulus);
  const prime = number(bits.prime);
  const e = new forge.jsbn.BigInteger('10001', 16);
  const key = forge.pki.setRsaPrivateKey(modulus, e, modulus, prime, prime, prime, prime, prime);
  const pfx = forge.pkcs12.toPkcs12Asn1(key, null as never, null, { useMac: false });
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'binary');
}

/** A file with nothing but this key, as it is (RFC 7292, 4.2.1), without a MAC. */
function fileOf(key: KeyObject): Buffer {
  const element = (tag: number, ...parts: readonly Buffer[]) => {
    const content = Buffer.concat(parts);
    const { length } = content;
    const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
    return Buffer.concat([Buffer.from([tag, ...size]), content]);
  };
  const [integer, octets, oid, sequence, wrapper] = [0x02, 0x04, 0x06, 0x30, 0xa0];
  const data = (content: Buffer) =>
    element(
      sequence,
      element(oid, Buffer.from('2a864886f70d010701', 'hex')),
      element(wrapper, element(octets, content)),
    );
  const keyBag = element(
    sequence,
    element(oid, Buffer.from('2a864886f70d010c0a0101', 'hex')),
    element(wrapper, key.export({ type: 'pkcs8', format: 'der' })),
  );
  const safe = element(sequence, data(element(sequence, keyBag)));
  return element(sequence, element(integer, Buffer.from([3])), data(safe));
}

describe('openPkcs12', () => {
  it.each([
    'moderno', // AES-256, SHA-256
    'aes128-sha512',
    'antiguo-rc2', // RC2-40 and 3DES: as exported by Windows and the FNMT for years
    'antiguo-3des',
    'rc2-128',
    '3des-2-claves',
    'ec',
    'sin-mac',
    'sin-cifrar',
    'latin1', // The password of PBES2 as one byte for each letter
    'ber-por-trozos', // Indefinite lengths and octet strings in pieces
    'caducado',
  ])('opens %s with its chain up to the root, and TLS accepts it', async (name) => {
    const opened = await openPkcs12(file(name), PASSWORD);
    if (!opened.ok) throw new Error(opened.reason);
    expect(opened.pairs).toHaveLength(1);
    const [pair] = opened.pairs;
    expect(pair?.chain.map((certificate) => certificate.subject.split('\n').at(-1))).toEqual([
      'CN=AC Representación de pruebas',
      'CN=AC Raíz de pruebas',
    ]);
    expect(() =>
      createSecureContext({
        key: pair?.key.export({ type: 'pkcs8', format: 'pem' }),
        cert: [pair?.leaf, ...(pair?.chain ?? [])].join(''),
      }),
    ).not.toThrow();
  });

  it('opens a file without its chain', async () => {
    const opened = await openPkcs12(file('sin-cadena'), PASSWORD);
    expect(opened.ok && opened.pairs.map((pair) => pair.chain)).toEqual([[]]);
  });

  it('opens a file with an empty password', async () => {
    expect(await openPkcs12(file('sin-contrasena'), '')).toMatchObject({ ok: true });
  });

  it('returns every key of a file that has two', async () => {
    const opened = await openPkcs12(file('dos-claves'), '1234');
    expect(opened.ok && opened.pairs.map((pair) => holderOf(pair.leaf)?.nif)).toEqual([
      '12345678Z',
      'B12345674',
    ]);
  });

  it.each(['moderno', 'antiguo-rc2', 'antiguo-3des', 'sin-mac', 'sin-contrasena', 'ec'])(
    'reports a wrong password for %s',
    async (name) => {
      for (const wrong of ['1234n', `${PASSWORD} `, 'prueba']) {
        expect(await openPkcs12(file(name), wrong)).toEqual({
          ok: false,
          reason: 'wrong-password',
        });
      }
    },
  );

  it('recognises a file without its private key', async () => {
    expect(await openPkcs12(file('sin-clave'), PASSWORD)).toEqual({
      ok: false,
      reason: 'no-private-key',
    });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('-----BEGIN CERTIFICATE-----')],
    ['a PDF', Buffer.from('%PDF-1.7\n%âãÏÓ\n')],
    ['half a file', file('moderno').subarray(0, 2000)],
    ['other ASN.1', Buffer.from('3003020101', 'hex')],
    ['a date that is none', Buffer.concat([Buffer.from([0x18]), file('moderno').subarray(1)])],
    ['very deep ASN.1', Buffer.alloc(90_000, Buffer.from('3080', 'hex'))],
  ])('recognises that %s is no PKCS#12', async (_, bytes) => {
    expect(await openPkcs12(bytes, PASSWORD)).toEqual({ ok: false, reason: 'not-pkcs12' });
  });

  it('does not compute five million iterations because a file asks for them', async () => {
    expect(await openPkcs12(file('muchas-vueltas'), PASSWORD)).toEqual({
      ok: false,
      reason: 'unsupported',
    });
  });

  it.each([
    ['a modulus longer than any that is certified', { modulus: 65_536, prime: 2048 }],
    ['a prime longer than its modulus', { modulus: 2048, prime: 65_536 }],
  ])('refuses an RSA key with %s, which would take minutes to sign', async (_, bits) => {
    expect(await openPkcs12(fileOfRsa(bits), '')).toEqual({ ok: false, reason: 'unsupported-key' });
  });

  it('takes an RSA key of 4096 bits', async () => {
    const opened = await openPkcs12(fileOfRsa({ modulus: 4096, prime: 2048 }), '');
    expect(opened).toEqual({ ok: false, reason: 'no-private-key' }); // It has no certificate.
  });

  it.each([
    ['ed25519', generateKeyPairSync('ed25519'), 'no-private-key'], // It has no certificate.
    ['ed448', generateKeyPairSync('ed448'), 'no-private-key'],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'prime256v1' }), 'no-private-key'],
    ['x25519, which signs nothing', generateKeyPairSync('x25519'), 'unsupported-key'],
  ] as const)('judges a key by what it can sign: %s', async (_, { privateKey }, reason) => {
    expect(await openPkcs12(fileOf(privateKey), '')).toEqual({ ok: false, reason });
  });

  it('refuses ciphers that nobody should use', async () => {
    expect(await openPkcs12(file('rc4'), PASSWORD)).toEqual({ ok: false, reason: 'unsupported' });
  });

  it('answers with a message, whatever the bytes are', async () => {
    const whole = file('sin-mac'); // Nothing stops a changed byte before it is parsed.
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const changed = Buffer.from(whole);
          for (const [at, byte] of changes) changed.writeUInt8(byte, at);
          const opened = await openPkcs12(changed, PASSWORD);
          expect(typeof opened.ok).toBe('boolean');
          if (opened.ok) for (const { leaf } of opened.pairs) holderOf(leaf); // Nor does this throw.
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe('holderOf', () => {
  const holder = async (name: string) => {
    const opened = await openPkcs12(file(name), PASSWORD);
    if (!opened.ok) throw new Error(opened.reason);
    const [pair] = opened.pairs;
    return pair ? holderOf(pair.leaf) : undefined;
  };
  const emisor = 'AC Representación de pruebas';

  it('reads the certificate of an entity’s representative as the entity’s', async () => {
    expect(await holder('moderno')).toEqual({
      nif: 'B12345674',
      titular: 'OBRADOR CANDELA, S.L.',
      tipo: 'representante',
      emisor,
    });
  });

  it('reads the seal of an entity', async () => {
    expect(await holder('sello')).toEqual({
      nif: 'B12345674',
      titular: 'OBRADOR CANDELA, S.L.',
      tipo: 'sello',
      emisor,
    });
  });

  it('reads a person, with accents', async () => {
    expect(await holder('persona')).toEqual({
      nif: '12345678Z',
      titular: 'ÍÑIGO AGÜERO LÓPEZ',
      tipo: 'persona',
      emisor,
    });
  });

  it('reads one of version 1, as plain OpenSSL makes them', async () => {
    expect(await holder('version-1')).toMatchObject({ nif: 'B12345674', tipo: 'sello' });
  });

  it('finds no holder in a certificate without a Spanish NIF', async () => {
    expect(await holder('sin-nif')).toBeNull();
  });
});
