import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { issuerNameOf } from './issuer-name.ts';
import { openPkcs12 } from './pkcs12.ts';

async function issuerIn(name: string): Promise<string | undefined> {
  const opened = await openPkcs12(readFileSync(`tests/fixtures/pkcs12/${name}.p12`), '1234ñ');
  const [pair] = opened.ok ? opened.pairs : [];
  return pair && issuerNameOf(pair.leaf);
}

/** 0c is UTF8String, 0f its fifteen bytes. */
const IDENTIFIER = `0c0f${Buffer.from('VATES-B12345674').toString('hex')}`;

it('has the last attribute first', async () => {
  expect(await issuerIn('persona')).toBe(
    'CN=AC Representación de pruebas,O=Pruebas de Huella,C=ES',
  );
});

it('is found in a certificate of version 1, which does not state its version', async () => {
  expect(await issuerIn('version-1')).toBe(
    `CN=OBRADOR CANDELA\\, S.L.,2.5.4.97=#${IDENTIFIER},O=OBRADOR CANDELA\\, S.L.,C=ES`,
  );
});

/**
 * Self-signed with OpenSSL: an organization with commas, quotes and a plus sign, and the identifier used by Spanish
 * authorities.
 */
const ODD = `-----BEGIN CERTIFICATE-----
MIICmjCCAgOgAwIBAgIUOv950oPZ3z0ffpvLJ5zer19ntFYwDQYJKoZIhvcNAQEL
BQAwXjELMAkGA1UEBhMCRVMxITAfBgNVBAoMGEZpcm1hLCBDw61hLiAiQStCIjsg
Uy5BLjEYMBYGA1UEYQwPVkFURVMtQjEyMzQ1Njc0MRIwEAYDVQQDDAkgQUMgPHVu
bz4wIBcNMjYxMTI1MjI0NTIyWhgPMjEyNjExMDEyMjQ1MjJaMF4xCzAJBgNVBAYT
AkVTMSEwHwYDVQQKDBhGaXJtYSwgQ8OtYS4gIkErQiI7IFMuQS4xGDAWBgNVBGEM
D1ZBVEVTLUIxMjM0NTY3NDESMBAGA1UEAwwJIEFDIDx1bm8+MIGfMA0GCSqGSIb3
DQEBAQUAA4GNADCBiQKBgQC18LtSYP8dxpGMN6ungBY4HLyORDxi2B6HvLk9gDNS
dnAmWiqDoGxa6IoGJws6NzYOYzsRciQXig0slQymWTVX0rt8a3iH0giygt13Viuy
XI5rCOTHvn1s3fQcGOF95o30HRnTNsRDCCQzKxMsKmL9j3yVnI5T+vl3qGl2z1vj
5wIDAQABo1MwUTAdBgNVHQ4EFgQUQXtCXQ16jkarCxCxEa8TBqnLCA0wHwYDVR0j
BBgwFoAUQXtCXQ16jkarCxCxEa8TBqnLCA0wDwYDVR0TAQH/BAUwAwEB/zANBgkq
hkiG9w0BAQsFAAOBgQAMo3qssTB7Wv4i6ki2r3xkiFXe1BOULjZa/tszzxQlRst/
uiMH3rBNwZcg+3KTsRrh/yIeMi80wOqzjvdgml+DPf11iJVvhPmhyCSAvDS0bY/R
7+zuRLFHBr56XXuekTcalHT94gAy8K2QxEq+lEJMk4GY5nwXs4LM+4C2y3ilPA==
-----END CERTIFICATE-----`;

it('escapes characters that would end an attribute, and writes an unnamed attribute by its OID (RFC 4514)', () => {
  expect(issuerNameOf(new X509Certificate(ODD))).toBe(
    `CN=\\ AC \\<uno\\>,2.5.4.97=#${IDENTIFIER},O=Firma\\, Cía. \\"A\\+B\\"\\; S.A.,C=ES`,
  );
});

/** Self-signed with OpenSSL, with every attribute that has a name, and a name that begins and ends as none should. */
const NAMED = `-----BEGIN CERTIFICATE-----
MIICgzCCAiqgAwIBAgIBBzAKBggqhkjOPQQDAjCBnzELMAkGA1UEBhMCRVMxEDAO
BgNVBAgMB0JpemthaWExDzANBgNVBAcMBkJpbGJhbzEUMBIGA1UECQwLR3JhbiBW
w61hIDExDjAMBgNVBAoMBUZpcm1hMQ8wDQYDVQQLDAZTZWxsb3MxEzARBgoJkiaJ
k/IsZAEBDAN1LTExEjAQBgoJkiaJk/IsZAEZFgJlczENMAsGA1UEAwwEI0FDIDAg
Fw0yNjExMjcyMTIyMDJaGA8yMTI2MTEwMzIxMjIwMlowgZ8xCzAJBgNVBAYTAkVT
MRAwDgYDVQQIDAdCaXprYWlhMQ8wDQYDVQQHDAZCaWxiYW8xFDASBgNVBAkMC0dy
YW4gVsOtYSAxMQ4wDAYDVQQKDAVGaXJtYTEPMA0GA1UECwwGU2VsbG9zMRMwEQYK
CZImiZPyLGQBAQwDdS0xMRIwEAYKCZImiZPyLGQBGRYCZXMxDTALBgNVBAMMBCNB
QyAwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARHeJJtdKykUxDy+CkrZepIW2Zz
PDKYw1hytF6AdG8CcIrOf16kAN4f8HgsOLys8dpFZRyOjA6goWn2CLxBYa+no1Mw
UTAdBgNVHQ4EFgQUvROcfep5DxpMLqGSqUiu4k3AVlQwHwYDVR0jBBgwFoAUvROc
fep5DxpMLqGSqUiu4k3AVlQwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNH
ADBEAiAHHfJvNSYeqMOLOdizHgOf+3GocIRfj9jNK+ooPLWapAIgGPYnkbhVEKZ0
LprzsspOTF5zI14DfVyNSkE5ZmQCn+A=
-----END CERTIFICATE-----`;

it('names each attribute that RFC 4514 names, as OpenSSL does', () => {
  expect(issuerNameOf(new X509Certificate(NAMED))).toBe(
    'CN=\\#AC\\ ,DC=es,UID=u-1,OU=Sellos,O=Firma,STREET=Gran Vía 1,L=Bilbao,ST=Bizkaia,C=ES',
  );
});
