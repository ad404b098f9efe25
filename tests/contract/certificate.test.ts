import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SealBroken } from '../../src/certificate/seal.ts';
import { isoDateIn } from '../../src/domain/dates.ts';
import { openCertificate } from '../../src/operations/open-certificate.ts';
import { type AccountApp, openAccountApp } from './account-app.ts';

const file = (name: string) =>
  readFileSync(new URL(`../fixtures/pkcs12/${name}.p12`, import.meta.url));
const P12_PASSWORD = '1234ñ';

/** A PFX reduced to its version and content, so that changes in them are parsed. */
function withoutMac(pfx: Buffer): Buffer {
  const headers = 4 + 3; // The tag of the PFX with its length in two bytes, and its version.
  const end = headers + 4 + pfx.readUInt16BE(headers + 2);
  const shorter = Buffer.from(pfx.subarray(0, end));
  shorter.writeUInt16BE(end - 4, 2);
  return shorter;
}

let app: AccountApp;
let company: Awaited<ReturnType<AccountApp['signUp']>>;
beforeAll(async () => {
  app = await openAccountApp();
  company = await app.signUp({ cifNif: 'B12345674' });
});
afterAll(() => app.close());

interface Uploaded {
  readonly hasValue?: boolean;
  readonly titular?: string;
  readonly tipo?: string;
  readonly message?: string;
}

const upload = (data: Buffer, Password: string, token = company.token) =>
  app.post<Uploaded>(
    'PostData/UpdateCertificate',
    { Certificate: data.toString('base64'), Password },
    token,
  );

describe('UpdateCertificate', () => {
  it('says that there is none at first', async () => {
    expect((await app.get('GetCertificate', company.token)).body).toEqual({ hasValue: false });
  });

  it('accepts a form with the file and shows whose it is, never the key', async () => {
    const form = new FormData();
    form.set('Password', P12_PASSWORD);
    form.set('Certificate', new Blob([new Uint8Array(file('moderno'))]), 'candela 2026.p12');
    const { status, body } = await app.call('POST', '/api/PostData/UpdateCertificate', {
      token: company.token,
      body: form,
    });
    const shown = {
      hasValue: true,
      FileName: 'candela 2026.p12',
      titular: 'OBRADOR CANDELA, S.L.',
      nif: 'B12345674',
      emisor: 'AC Representación de pruebas',
      validoDesde: '2026-01-01',
      validoHasta: '2126-01-01',
      caducado: false,
      tipo: 'representante',
    };
    expect([status, body]).toEqual([200, shown]);
    expect((await app.get('GetCertificate', company.token)).body).toEqual(shown);
  });

  it('gives a name to a file that comes in a form without one', async () => {
    const form = new FormData();
    form.set('Password', P12_PASSWORD);
    form.set('Certificate', new File([new Uint8Array(file('moderno'))], ''));
    const { status, body } = await app.call('POST', '/api/PostData/UpdateCertificate', {
      token: company.token,
      body: form,
    });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ hasValue: true, FileName: 'certificado.p12' }),
    ]);
  });

  it('gives the days of its validity where the company is, and says when the last one is over', async () => {
    const from = '2026-02-28T23:30:00Z'; // Already March in Madrid.
    const until = app.deps.clock();
    await app.sql`update certificates set valido_desde = ${from}, valido_hasta = ${until}
                   where company_id = ${company.id}`;
    expect((await app.get('GetCertificate', company.token)).body).toMatchObject({
      validoDesde: '2026-03-01',
      validoHasta: isoDateIn(until, 'Europe/Madrid'),
      caducado: true,
    });
  });

  it.each(['antiguo-rc2', 'antiguo-3des', 'ec', 'sin-cadena', 'sin-mac', 'latin1', 'sello'])(
    'accepts %s, and TLS can use what is stored',
    async (name) => {
      expect((await upload(file(name), P12_PASSWORD)).status).toBe(200);
      const certificate = await openCertificate(app.deps, company.id);
      expect(certificate?.tipo).toBe(name === 'sello' ? 'sello' : 'representante');
      expect(() =>
        createSecureContext({ key: certificate?.keyPem, cert: certificate?.certPem }),
      ).not.toThrow();
    },
  );

  it('refuses one whose end date is no date, and says so', async () => {
    const damaged = withoutMac(file('sin-cifrar'));
    damaged.write('21261301000000Z', damaged.indexOf('21260101000000Z')); // A thirteenth month.
    expect(await upload(damaged, P12_PASSWORD)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('El certificado está dañado') },
    });
  });

  it('shows the name of its holder on one line, whatever the certificate says', async () => {
    const odd = withoutMac(file('sin-cifrar'));
    const name = Buffer.from('OBRADOR CANDELA, S.L.');
    for (let at = odd.indexOf(name); at >= 0; at = odd.indexOf(name, at)) {
      odd.write('OBRADOR\0\nANDELA, S.L.', at);
    }
    expect(await upload(odd, P12_PASSWORD)).toMatchObject({
      status: 200,
      body: { titular: 'OBRADOR ANDELA, S.L.' },
    });
  });

  it('refuses one that is only for encryption, and says so', async () => {
    const usage = Buffer.from('0603551d0f0101ff0404030205', 'hex');
    const ciphering = withoutMac(file('sin-cifrar'));
    const at = ciphering.indexOf(usage) + usage.length;
    expect(ciphering[at]).toBe(0xa0); // digitalSignature, keyEncipherment.
    ciphering[at] = 0x20;
    expect(await upload(ciphering, P12_PASSWORD)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('El certificado es solo para cifrar') },
    });
    ciphering[at] = 0x80; // Like those of the FNMT that only authenticate.
    expect(await upload(ciphering, P12_PASSWORD)).toMatchObject({ status: 200 });
  });

  it('takes the company’s own certificate from a file with two', async () => {
    expect(await upload(file('dos-claves'), '1234')).toMatchObject({
      status: 200,
      body: { titular: 'OBRADOR CANDELA, S.L.', tipo: 'representante' },
    });
  });

  it.each([
    ['a wrong password', 'moderno', 'otra', 'La contraseña del certificado no es correcta.'],
    ['no private key', 'sin-clave', P12_PASSWORD, 'El archivo no contiene la clave privada'],
    ['an expired one', 'caducado', P12_PASSWORD, 'El certificado caducó el 01/01/2025.'],
    ['one not yet valid', 'futuro', P12_PASSWORD, 'no es válido hasta el 01/01/2120.'],
    [
      'another company’s',
      'persona',
      P12_PASSWORD,
      'con NIF 12345678Z, y el de tu empresa es B12345674',
    ],
    ['one without NIF', 'sin-nif', P12_PASSWORD, 'El certificado no dice el NIF'],
    ['a cipher nobody should use', 'rc4', P12_PASSWORD, 'de una forma que no admitimos'],
  ])(
    'refuses %s with its own message, and keeps the previous one',
    async (_, name, password, sentence) => {
      await upload(file('sello'), P12_PASSWORD);
      const { status, body } = await upload(file(name), password);
      expect([status, body.message]).toEqual([400, expect.stringContaining(sentence)]);
      expect((await app.get('GetCertificate', company.token)).body).toMatchObject({
        tipo: 'sello',
      });
    },
  );

  it('recognises a file that is no PKCS#12, an empty one, and one that is too big', async () => {
    expect((await upload(Buffer.from('hola'), 'x')).body.message).toBe(
      'El archivo no es un certificado. Elige el que acaba en .p12 o .pfx.',
    );
    expect((await upload(Buffer.alloc(0), 'x')).body.message).toBe(
      'Elige el archivo de tu certificado (.p12 o .pfx).',
    );
    expect((await upload(randomBytes(101 * 1024), 'x')).status).toBe(413);
  });

  it('limits wrong passwords, not other mistakes', async () => {
    const other = await app.signUp();
    const wrong = () => upload(file('moderno'), 'otra', other.token);
    for (let i = 0; i < 12; i++) {
      expect((await upload(Buffer.from('hola'), 'x', other.token)).status).toBe(400);
    }
    for (let i = 0; i < 10; i++) expect((await wrong()).status).toBe(400);
    expect((await wrong()).status).toBe(429);
    app.advanceClock(3601);
    // The token is an hour old by then, but only the limit matters here.
    const token = await app.login(other.email);
    expect((await upload(file('moderno'), 'otra', token)).status).toBe(400);
  });
});

describe('opening files', () => {
  it('is limited even with the right password', async () => {
    const { token } = await app.signUp();
    const another = () => upload(file('sin-clave'), P12_PASSWORD, token);
    for (let i = 0; i < 30; i++) expect((await another()).status).toBe(400);
    expect(await another()).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('Demasiados intentos. Inténtalo de nuevo en') },
    });
    app.advanceClock(3601);
  });

  /**
   * Half a million iterations for its MAC, which makes the password wrong. The second file has to arrive before the
   * first is opened: so many take long compared with the calls, however busy the machine is.
   */
  const laborious = withIterations(file('moderno'), 500_000);

  it('happens one at a time for each company', async () => {
    const { token } = await app.signUp();
    const twice = await Promise.all([1, 2].map(() => upload(laborious, P12_PASSWORD, token)));
    expect(twice.map(({ status }) => status).sort()).toEqual([400, 429]);
  });
});

describe('the certificate at rest', () => {
  it('cannot be read in the database, moved to another company or altered by a bit', async () => {
    const other = await app.signUp();
    const token = await app.login(company.email);
    await upload(file('moderno'), P12_PASSWORD, token);
    const [row] = await app.sql<{ dump: string }[]>`
      select encode(sealed, 'escape') || encode(sealed_key, 'escape') as dump
        from certificates where company_id = ${company.id}`;
    expect(row?.dump).not.toContain('PRIVATE KEY');

    await app.sql`
      insert into certificates
      select ${other.id}, kek_id, sealed_key, sealed, file_name, titular, nif, tipo, emisor, serie,
             huella_certificado, valido_desde, valido_hasta, updated_at
        from certificates where company_id = ${company.id}`;
    await expect(openCertificate(app.deps, other.id)).rejects.toThrow(SealBroken);

    await app.sql`
      update certificates set sealed = set_byte(sealed, 100, get_byte(sealed, 100) # 1)
       where company_id = ${company.id}`;
    await expect(openCertificate(app.deps, company.id)).rejects.toThrow(SealBroken);
  });

  it('cannot be opened with another master key', async () => {
    const token = await app.login(company.email);
    await upload(file('moderno'), P12_PASSWORD, token);
    const config = { ...app.deps.config, claveMaestra: randomBytes(32) };
    await expect(openCertificate({ ...app.deps, config }, company.id)).rejects.toThrow(SealBroken);
  });

  it('is deleted when the NIF that it belongs to changes', async () => {
    const token = await app.login(company.email);
    await upload(file('moderno'), P12_PASSWORD, token);
    const change = {
      Name: 'Obrador',
      VATRegistrationNo: 'A58818501',
      Address: 'Calle Mayor, 1',
      countryCode: 'ES',
      postCode: '28013',
    };
    expect((await app.post('PostData/SetDatosEmpresa2', change, token)).status).toBe(200);
    expect((await app.get('GetCertificate', token)).body).toEqual({ hasValue: false });
  });
});

/** A PKCS#12 with another count of iterations, of three bytes, where its MAC has two (RFC 7292, appendix A). */
function withIterations(p12: Buffer, count: number): Buffer {
  const authSafe = 4 + 3;
  const macData = authSafe + 4 + p12.readUInt16BE(authSafe + 2);
  const integer = Buffer.from([0x02, 0x03, count >> 16, (count >> 8) & 0xff, count & 0xff]);
  const changed = Buffer.concat([p12.subarray(0, -4), integer]);
  changed.writeUInt16BE(changed.length - 4, 2);
  changed.writeUInt8(changed.length - macData - 2, macData + 1);
  return changed;
}
