import { resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { PRODUCTO } from './domain/verifactu/sistema.ts';
import { addressOf, EnvironmentReader } from './environment-reader.ts';
import { SIGNATURE_VERSIONS, type SignatureVersion } from './payments/signature.ts';
import { generatedSecrets, type SecretSource } from './platform/secrets.ts';

export type Role = 'all' | 'web' | 'dispatcher';
export type Entorno = 'simulador' | 'pruebas' | 'produccion';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** Everything that the environment decides, validated. Nothing else in `src/` reads `process.env`. */
export interface Config {
  readonly version: string;
  /** `NODE_ENV=production`: no simulators and nothing of `/desarrollo`. */
  readonly isProduction: boolean;
  /** Whether `/desarrollo` exists, which moves the clock and shows the mail: never where anything is real. */
  readonly servesDevelopment: boolean;
  readonly host: string;
  /** 0 asks for any free port; `main.ts` sets the actual one before anything reads it. */
  readonly port: number;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** Absolute. */
  readonly dataDir: string;
  /** An external PostgreSQL, or null for the embedded one. */
  readonly databaseUrl: string | null;
  readonly role: Role;
  readonly aeat: {
    readonly entorno: Entorno;
    /** Overrides the endpoint of the AEAT. */
    readonly url: string | null;
    /** In production, the same for demos, which use the test service. */
    readonly urlDemo: string | null;
    /** The CA, as PEM, that signs the endpoint's certificate; null for the system's. */
    readonly ca: string | null;
  };
  readonly redsys: {
    readonly entorno: Entorno;
    readonly comercio: string;
    readonly terminal: string;
    /** Base64. */
    readonly clave: string;
    /** The version configured for the terminal: we sign with it, and accept no other in an answer. */
    readonly firma: SignatureVersion;
  };
  /** Where Business Central is; null for Microsoft's own or, outside production, the simulator. */
  readonly businessCentral: {
    readonly url: string | null;
    readonly loginUrl: string | null;
  };
  readonly mail: {
    /** Null: the mail is captured by the simulators. */
    readonly smtpUrl: string | null;
    readonly from: string;
    /**
     * Address for messages returned after a server accepted them; each message is sent with its own suffix after a
     * `+`. Null: they return to `from`, and no invoice shows it.
     */
    readonly bounces: string | null;
  };
  /** 32 bytes that encrypt the certificates at rest. */
  readonly claveMaestra: Buffer;
  readonly jwtSecret: string;
  readonly metricasToken: string | null;
  readonly logLevel: LogLevel;
  /** How many proxies in front of the app are trusted to say the client's address. */
  readonly trustProxy: number | false;
  /** Who provides the service: shown at the foot of every page and e-mail. */
  readonly empresa: {
    readonly razonSocial: string;
    readonly nif: string;
    readonly direccion: string;
    readonly telefono: string;
    readonly correo: string;
  };
  /** The provider invoices the subscriptions that it sells, from the account with its own NIF. */
  readonly facturaSuscripciones: boolean;
  readonly enlaces: {
    readonly comoFunciona: string;
    readonly avisoLegal: string;
    readonly privacidad: string;
    readonly terminos: string;
    readonly pagos: string;
  };
  /**
   * What every registro says about the program and its producer; `NumeroInstalacion` and `IndicadorMultiplesOT`
   * belong to each company. `IdSistemaInformatico` is permanent: it must stay equal to that of the declaración
   * responsable (Orden HAC/1177/2024 art. 15).
   */
  readonly sistemaInformatico: {
    readonly NombreRazon: string;
    readonly NIF: string;
    readonly NombreSistemaInformatico: string;
    readonly IdSistemaInformatico: string;
    readonly Version: string;
    readonly TipoUsoPosibleSoloVerifactu: 'S' | 'N';
    readonly TipoUsoPosibleMultiOT: 'S' | 'N';
  };
  /** What does not prevent the start but should be fixed, one sentence each. */
  readonly warnings: readonly string[];
}

/** The environment contains values with which the app cannot start: one Spanish sentence for each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

const ENTORNOS = ['simulador', 'pruebas', 'produccion'] as const;
const NODE_ENVS = ['production', 'development', 'test'] as const;
const ROLES = ['all', 'web', 'dispatcher'] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const PLACEHOLDER_NIF = 'A00000000';
/** The merchant that Redsys publishes for tests; its key opens nothing else. */
const TRIAL_MERCHANT = {
  comercio: '999008881',
  terminal: '1',
  clave: 'sq7HjrUOBfKmC576ILgskD5srU870gJ7',
};

/**
 * Reads the environment once, at start.
 *
 * An empty value counts as absent. Secrets that are not given come from `generated`, which by default creates them
 * under `DATA_DIR` the first time.
 *
 * @throws {ConfigError} naming every wrong variable, not only the first one
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  generated: (dataDir: string) => SecretSource = generatedSecrets,
): Config {
  const read = new EnvironmentReader(env);
  // A misspelt value would open /desarrollo to everybody.
  const isProduction = read.oneOf('NODE_ENV', NODE_ENVS) === 'production';
  if (isProduction) {
    for (const name of ['AEAT_ENTORNO', 'REDSYS_ENTORNO', 'SMTP_URL', 'PUBLIC_URL']) {
      read.demand(name, 'con NODE_ENV=production hay que indicarla.');
    }
    for (const name of ['CLAVE_MAESTRA', 'JWT_SECRET']) {
      read.demand(name, 'con NODE_ENV=production hay que darla; no se genera ninguna.');
    }
  }

  const host = read.host('HOST') ?? '127.0.0.1';
  const port = read.integer('PORT', { from: 0, to: 65_535 }) ?? 3000;
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']) ?? addressOf(host, port);
  const dataDir = resolve(read.text('DATA_DIR') ?? 'data');
  const nif = read.nif('EMPRESA_NIF');
  const aeatEntorno = readEntorno(read, 'AEAT_ENTORNO', isProduction);
  const redsys = readRedsys(read, isProduction);
  const isReal = aeatEntorno === 'produccion' || redsys.entorno === 'produccion';

  const checked = {
    version: packageJson.version,
    isProduction,
    servesDevelopment: !isProduction && !isReal,
    host,
    port,
    publicUrl,
    dataDir,
    databaseUrl: read.databaseUrl('DATABASE_URL'),
    role: read.oneOf('ROLE', ROLES) ?? 'all',
    aeat: {
      entorno: aeatEntorno,
      url: read.url('AEAT_URL', ['https:']),
      urlDemo: read.url('AEAT_URL_DEMO', ['https:']),
      ca: read.pem('AEAT_CA'),
    },
    redsys,
    businessCentral: {
      url: read.url('BC_URL', ['http:', 'https:']),
      loginUrl: read.url('BC_LOGIN_URL', ['http:', 'https:']),
    },
    mail: readMail(read, publicUrl),
    metricasToken: read.text('METRICAS_TOKEN'),
    logLevel: read.oneOf('LOG_LEVEL', LOG_LEVELS) ?? 'info',
    trustProxy: read.integer('TRUST_PROXY', { from: 0, to: 10 }) || false,
    empresa: {
      razonSocial: read.text('EMPRESA_RAZON_SOCIAL') ?? '[Razón social]',
      nif: nif ?? '[A00000000]',
      direccion: read.text('EMPRESA_DIRECCION') ?? '[Calle y número, 28000 Madrid]',
      telefono: read.text('EMPRESA_TELEFONO') ?? '[+34 910 000 000]',
      correo:
        read.matching(
          'EMPRESA_CORREO',
          /^[^\s<>@,]+@[^\s<>@,]+$/,
          'tiene que ser una dirección como hola@ejemplo.es.',
        ) ?? '[correo@ejemplo.es]',
    },
    facturaSuscripciones: read.oneOf('FACTURAR_SUSCRIPCIONES', ['si', 'no']) === 'si',
    enlaces: {
      comoFunciona: read.link('ENLACE_COMO_FUNCIONA', 'como-funciona'),
      avisoLegal: read.link('ENLACE_AVISO_LEGAL', 'aviso-legal'),
      privacidad: read.link('ENLACE_PRIVACIDAD', 'privacidad'),
      terminos: read.link('ENLACE_TERMINOS', 'terminos'),
      pagos: read.link('ENLACE_PAGOS', 'pagos-y-devoluciones'),
    },
    sistemaInformatico: {
      NombreRazon: read.text('EMPRESA_RAZON_SOCIAL') ?? 'RAZON SOCIAL DEL PRODUCTOR',
      NIF: nif ?? PLACEHOLDER_NIF,
      ...PRODUCTO,
      Version: packageJson.version,
    },
    warnings: warningsOf(read, { aeatEntorno, isProduction, isReal }),
  } as const;

  const givenClave = read.base64('CLAVE_MAESTRA', 32);
  const givenSecret = readJwtSecret(read, isProduction);
  if (read.problems.length > 0) throw new ConfigError(read.problems);

  const secrets = generated(dataDir);
  return {
    ...checked,
    claveMaestra: givenClave ?? secrets.claveMaestra(),
    jwtSecret: givenSecret ?? secrets.jwtSecret(),
  };
}

/** The same configuration with the port that the system chose for `PORT=0`. */
export function withPort(config: Config, port: number): Config {
  const wasDefault = config.publicUrl === addressOf(config.host, config.port);
  return {
    ...config,
    port,
    publicUrl: wasDefault ? addressOf(config.host, port) : config.publicUrl,
  };
}

function readEntorno(read: EnvironmentReader, name: string, isProduction: boolean): Entorno {
  const value = read.oneOf(name, ENTORNOS) ?? 'simulador';
  if (isProduction && read.text(name) === 'simulador') {
    read.refuse(name, 'con NODE_ENV=production tiene que ser «pruebas» o «produccion».');
  }
  return value;
}

function readRedsys(read: EnvironmentReader, isProduction: boolean): Config['redsys'] {
  const entorno = readEntorno(read, 'REDSYS_ENTORNO', isProduction);
  if (entorno === 'produccion') {
    for (const name of ['REDSYS_COMERCIO', 'REDSYS_TERMINAL', 'REDSYS_CLAVE']) {
      read.demand(name, 'con REDSYS_ENTORNO=produccion hay que indicarla.');
    }
  }
  const comercio = read.matching('REDSYS_COMERCIO', /^\d{9}$/, 'son 9 cifras.');
  const terminal = read.matching('REDSYS_TERMINAL', /^\d{1,3}$/, 'son de 1 a 3 cifras.');
  return {
    entorno,
    comercio: comercio ?? TRIAL_MERCHANT.comercio,
    terminal: terminal ?? TRIAL_MERCHANT.terminal,
    clave: read.base64('REDSYS_CLAVE', 24)?.toString('base64') ?? TRIAL_MERCHANT.clave,
    firma: read.oneOf('REDSYS_SIGNATURE_VERSION', SIGNATURE_VERSIONS) ?? 'HMAC_SHA256_V1',
  };
}

function readMail(read: EnvironmentReader, publicUrl: string): Config['mail'] {
  return {
    smtpUrl: read.url('SMTP_URL', ['smtp:', 'smtps:']),
    from:
      read.matching(
        'MAIL_FROM',
        /^(?:[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
        'tiene que ser como facturas@ejemplo.es o «Huella <facturas@ejemplo.es>».',
      ) ?? `Huella <no-responder@${mailDomain(publicUrl)}>`,
    bounces: read.matching(
      'MAIL_REBOTES',
      /^[a-z0-9._-]{1,20}@[a-z0-9-]+(\.[a-z0-9-]+)+$/i,
      'tiene que ser una dirección como rebotes@ejemplo.es, con hasta 20 letras o cifras antes de la @ y sin «+».',
    ),
  };
}

function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  return /[a-z]/i.test(hostname) && hostname.includes('.') ? hostname : 'huella.test';
}

/** HMAC-SHA256 requires a key as long as its output (RFC 7518 §3.2); outside production any will do. */
function readJwtSecret(read: EnvironmentReader, isProduction: boolean): string | null {
  const secret = read.text('JWT_SECRET');
  if (secret === null || !isProduction || secret.length >= 32) return secret;
  return read.refuse('JWT_SECRET', 'necesita al menos 32 caracteres.');
}

interface Circumstances {
  readonly aeatEntorno: Entorno;
  readonly isProduction: boolean;
  /** Something goes to the AEAT or the bank in earnest. */
  readonly isReal: boolean;
}

function warningsOf(
  read: EnvironmentReader,
  { aeatEntorno, isProduction, isReal }: Circumstances,
): readonly string[] {
  const warnings: string[] = [];
  // The AEAT checks the producer's NIF and name against its census.
  const isProducerKnown = read.text('EMPRESA_RAZON_SOCIAL') && read.text('EMPRESA_NIF');
  if (aeatEntorno !== 'simulador' && !isProducerKnown) {
    warnings.push(
      'Faltan EMPRESA_RAZON_SOCIAL o EMPRESA_NIF: la AEAT rechazará los registros, porque dicen quién produce el programa.',
    );
  }
  if (isProduction && read.text('EMPRESA_CORREO') === null) {
    warnings.push(
      'Falta EMPRESA_CORREO: las consultas a soporte y las respuestas a los correos van a una dirección de ejemplo.',
    );
  }
  if (!isProduction && isReal) {
    warnings.push(
      'Falta NODE_ENV=production, que AEAT_ENTORNO y REDSYS_ENTORNO piden con «produccion».',
    );
  }
  return warnings;
}
