import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, withPort } from './config.ts';
import { UNREADABLE } from './platform/hosts.ts';

const secrets = () => ({
  claveMaestra: () => Buffer.alloc(32, 7),
  jwtSecret: () => 'made here',
});
const read = (env: Record<string, string>) => readConfig(env, secrets);

const PRODUCTION = {
  NODE_ENV: 'production',
  AEAT_ENTORNO: 'produccion',
  REDSYS_ENTORNO: 'pruebas',
  REDSYS_COMERCIO: '999008881',
  REDSYS_TERMINAL: '1',
  REDSYS_CLAVE: Buffer.alloc(24, 1).toString('base64'),
  SMTP_URL: 'smtp://correo.ejemplo.es:587',
  PUBLIC_URL: 'https://huella.ejemplo.es/',
  CLAVE_MAESTRA: Buffer.alloc(32, 1).toString('base64'),
  JWT_SECRET: 'x'.repeat(32),
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('needs no variable for a trial', () => {
    expect(read({})).toMatchObject({
      isProduction: false,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: null,
      role: 'all',
      aeat: { entorno: 'simulador', url: null, ca: null },
      mail: { smtpUrl: null },
      jwtSecret: 'made here',
      logLevel: 'info',
      warnings: [],
    });
  });

  it('treats an empty variable as missing', () => {
    expect(read({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: null });
  });

  it.each([
    ['PORT', 'tres mil', 'PORT: tiene que ser un número entero de 0 a 65535, no «tres mil».'],
    ['PORT', '70000', 'PORT: tiene que ser un número entero de 0 a 65535, no «70000».'],
    [
      'NODE_ENV',
      'prod',
      'NODE_ENV: tiene que ser «production», «development» o «test», no «prod».',
    ],
    ['ROLE', 'worker', 'ROLE: tiene que ser «all», «web» o «dispatcher», no «worker».'],
    [
      'AEAT_ENTORNO',
      'real',
      'AEAT_ENTORNO: tiene que ser «simulador», «pruebas» o «produccion», no «real».',
    ],
    [
      'AEAT_URL',
      'http://aeat',
      'AEAT_URL: tiene que ser una dirección que empiece por «https://».',
    ],
    ['AEAT_CA', '/no/esta.pem', 'AEAT_CA: no se puede leer el archivo «/no/esta.pem».'],
    [
      'AEAT_CA',
      'package.json',
      'AEAT_CA: el archivo «package.json» no tiene un certificado en formato PEM.',
    ],
    [
      'SMTP_URL',
      'correo:25',
      'SMTP_URL: tiene que ser una dirección que empiece por «smtp://» o «smtps://».',
    ],
    ['SMTP_URL', 'smtp://yo:cla#ve@correo.es:587', `SMTP_URL: ${UNREADABLE}`],
    ['SMTP_URL', 'smtp://yo:cla%ve@correo.es:587', `SMTP_URL: ${UNREADABLE}`],
    [
      'DATABASE_URL',
      'mysql://localhost/huella',
      'DATABASE_URL: tiene que ser como postgres://usuario:clave@servidor:5432/base.',
    ],
    [
      'HOST',
      '999.1.1.1',
      'HOST: tiene que ser una dirección o un nombre de esta máquina, no «999.1.1.1».',
    ],
    [
      'MAIL_FROM',
      'Huella',
      'MAIL_FROM: tiene que ser como facturas@ejemplo.es o «Huella <facturas@ejemplo.es>».',
    ],
    [
      'AEAT_CA',
      '-----BEGIN CERTIFICATE-----\\nnada\\n-----END CERTIFICATE-----',
      'AEAT_CA: no es un certificado en formato PEM.',
    ],
    ['CLAVE_MAESTRA', 'corta', 'CLAVE_MAESTRA: tiene que ser 32 bytes en base64.'],
    ['REDSYS_COMERCIO', '12', 'REDSYS_COMERCIO: son 9 cifras.'],
    [
      'EMPRESA_NIF',
      '12345678A',
      'EMPRESA_NIF: La letra del NIF 12345678A no corresponde a su número. Revísalo.',
    ],
    ['EMPRESA_CORREO', 'hola', 'EMPRESA_CORREO: tiene que ser una dirección como hola@ejemplo.es.'],
  ])('refuses %s=%s with an explanation', (name, value, sentence) => {
    expect(problemsOf({ [name]: value })).toEqual([sentence]);
  });

  it('accepts a certificate with its line breaks as environment files write them', () => {
    const [pem = ''] = rootCertificates;
    expect(read({ AEAT_CA: pem.replaceAll('\n', '\\n') }).aeat.ca).toBe(pem);
  });

  it('puts the NIF of the producer into the form of the registros', () => {
    const { empresa, sistemaInformatico } = read({ EMPRESA_NIF: 'b-12.345.674' });
    expect([empresa.nif, sistemaInformatico.NIF]).toEqual(['B12345674', 'B12345674']);
  });

  it('reports every problem at once', () => {
    expect(problemsOf({ PORT: 'x', ROLE: 'y', LOG_LEVEL: 'z' })).toHaveLength(3);
  });

  it('requires the merchant where cards are charged, and has one for trials', () => {
    expect(read({ REDSYS_ENTORNO: 'pruebas' }).redsys.comercio).toBe('999008881');
    expect(problemsOf({ REDSYS_ENTORNO: 'produccion' })).toEqual([
      'REDSYS_COMERCIO: con REDSYS_ENTORNO=produccion hay que indicarla.',
      'REDSYS_TERMINAL: con REDSYS_ENTORNO=produccion hay que indicarla.',
      'REDSYS_CLAVE: con REDSYS_ENTORNO=produccion hay que indicarla.',
    ]);
  });

  it.each(['AEAT_ENTORNO', 'REDSYS_ENTORNO'])(
    'serves no /desarrollo with %s=produccion, and requires NODE_ENV=production',
    (name) => {
      const merchant = {
        REDSYS_COMERCIO: '999008881',
        REDSYS_TERMINAL: '1',
        REDSYS_CLAVE: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
      };
      const real = read({ ...merchant, [name]: 'produccion' });
      expect(real.servesDevelopment).toBe(false);
      expect(real.warnings.join()).toContain('Falta NODE_ENV=production');
      expect(read({ ...merchant, [name]: 'pruebas' }).servesDevelopment).toBe(true);
    },
  );

  it('keeps several hosts of DATABASE_URL as they are', () => {
    const url =
      'postgres://u:p@uno:5432,dos:5432/huella?target_session_attrs=read-write&prepare=false';
    expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each([
    'postgres://huella:uno#dos@localhost/huella',
    'postgres://huella:1#dos@localhost/huella',
    'postgres://huella:uno/dos@localhost/huella',
    'postgres://huella:1/dos@localhost/huella',
    'postgres://huella:uno?dos@localhost/huella',
    'postgres://huella:uno%dos@localhost/huella',
    'postgres://huella:uno@localhost:puerto/huella',
    'postgres://huella:uno@localhost:70000/huella',
    'postgres://huella:uno#dos@/huella?host=/var/run/postgresql',
  ])('refuses %s without repeating its password', (url) => {
    const [problem, ...others] = problemsOf({ DATABASE_URL: url });
    expect(others).toEqual([]);
    expect(problem).toMatch(/^DATABASE_URL: no se entiende\. .* %23 por #/);
    expect(problem).not.toMatch(/uno|dos/);
  });

  it.each([
    'postgres://huella:uno%23dos%25@localhost/huella',
    'postgres://huella:uno@dos@localhost/huella',
    'postgres://huella:uno:dos@[::1]:5433/huella?max=4&prepare=false',
    'postgresql://localhost',
    'postgres://huella:uno@/huella?host=/var/run/postgresql&sslmode=disable',
  ])('accepts %s', (url) => {
    expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('checks the options of DATABASE_URL that the driver takes as they come', () => {
    const problemOf = (query: string) =>
      problemsOf({ DATABASE_URL: `postgres://huella:uno@localhost/huella?${query}` });
    expect(problemOf('max=muchas')).toEqual([
      'DATABASE_URL: max tiene que ser un número entero de 1 a 9999, no «muchas».',
    ]);
    expect(problemOf('max=0')).toHaveLength(1);
    expect(problemOf('sslmode=verify_full')).toEqual([
      'DATABASE_URL: sslmode tiene que ser disable, allow, prefer, require, verify-ca, verify-full, no «verify_full».',
    ]);
  });

  it('keeps a DATABASE_URL with a socket in place of a host', () => {
    const url = 'postgres:///huella?max=4&host=/var/run/postgresql';
    expect(read({ DATABASE_URL: url }).databaseUrl).toBe(url);
    expect(() => read({ DATABASE_URL: 'postgres:///huella' })).toThrow(
      /DATABASE_URL: tiene que ser/,
    );
  });

  describe('in production', () => {
    it('starts with the variables that the contract requires', () => {
      const config = read(PRODUCTION);
      expect(config).toMatchObject({ isProduction: true, publicUrl: 'https://huella.ejemplo.es' });
      expect(config.mail.from).toBe('Huella <no-responder@huella.ejemplo.es>');
    });

    it.each([
      'AEAT_ENTORNO',
      'REDSYS_ENTORNO',
      'SMTP_URL',
      'PUBLIC_URL',
      'CLAVE_MAESTRA',
      'JWT_SECRET',
    ])('does not start without %s', (name) => {
      const problems = problemsOf({ ...PRODUCTION, [name]: '' });
      expect(problems).toHaveLength(1);
      expect(problems[0]).toMatch(new RegExp(`^${name}: con NODE_ENV=production hay que `));
    });

    it('refuses the simulator and a short secret', () => {
      expect(problemsOf({ ...PRODUCTION, AEAT_ENTORNO: 'simulador', JWT_SECRET: 'corto' })).toEqual(
        [
          'AEAT_ENTORNO: con NODE_ENV=production tiene que ser «pruebas» o «produccion».',
          'JWT_SECRET: necesita al menos 32 caracteres.',
        ],
      );
    });

    it('warns that the AEAT requires the producer’s data, and clients a way to reach it', () => {
      expect(read(PRODUCTION).warnings).toHaveLength(2);
      const known = {
        EMPRESA_RAZON_SOCIAL: 'Huella, S.L.',
        EMPRESA_NIF: 'B00000000',
        EMPRESA_CORREO: 'hola@huella.example',
      };
      expect(read({ ...PRODUCTION, ...known }).warnings).toEqual([]);
    });
  });
});

describe('.env.example', () => {
  it('has every variable that is read, and no other', () => {
    const asked = new Set<string>();
    const env = new Proxy<Record<string, string>>(PRODUCTION, {
      get: (target, name: string) => {
        asked.add(name);
        return target[name];
      },
    });
    readConfig(env, secrets);
    const example = readFileSync('.env.example', 'utf8');
    const named = [...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name);
    // Variables of `admin rotar-clave` and of the simulators, which read their own.
    const elsewhere = ['CLAVE_MAESTRA_NUEVA', 'SIMULADOR_TIEMPO_ESPERA'];
    expect([...asked, ...elsewhere].sort()).toEqual(named.sort());
  });
});

describe('withPort', () => {
  it('changes the default address with the port, but not a given address', () => {
    expect(withPort(read({ PORT: '0' }), 4321).publicUrl).toBe('http://127.0.0.1:4321');
    const given = read({ PORT: '0', PUBLIC_URL: 'https://huella.ejemplo.es' });
    expect(withPort(given, 4321).publicUrl).toBe('https://huella.ejemplo.es');
  });
});
