import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { checkNif } from './domain/nif.ts';
import { isEncoded, problemOfAddress, UNREADABLE } from './platform/hosts.ts';

/** Reads variables and collects a sentence for each one that is wrong. */
export class EnvironmentReader {
  readonly problems: string[] = [];
  readonly #env: Readonly<Record<string, string | undefined>>;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  text(name: string): string | null {
    return this.#env[name]?.trim() || null;
  }

  demand(name: string, sentence: string): void {
    if (this.text(name) === null) this.refuse(name, sentence);
  }

  integer(name: string, { from, to }: { from: number; to: number }): number | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= from && value <= to) return value;
    return this.refuse(name, `tiene que ser un número entero de ${from} a ${to}, no «${text}».`);
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[]): T | null {
    const text = this.text(name);
    if (text === null) return null;
    return (
      allowed.find((value) => value === text) ??
      this.refuse(name, `tiene que ser ${orList(allowed)}, no «${text}».`)
    );
  }

  /** An address or name of this machine: whatever may stand in a URL. */
  host(name: string): string | null {
    const text = this.text(name);
    if (text === null || URL.canParse(addressOf(text, 80))) return text;
    return this.refuse(
      name,
      `tiene que ser una dirección o un nombre de esta máquina, no «${text}».`,
    );
  }

  url(name: string, protocols: readonly string[]): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.host && protocols.includes(url.protocol) && hasReadableCredentials(url)) {
      return text.replace(/\/+$/, '');
    }
    // Whatever is wrong after a right beginning is in the credentials, as a rule: a `#` cuts the address there.
    if (protocols.some((protocol) => text.startsWith(`${protocol}//`))) {
      return this.refuse(name, UNREADABLE);
    }
    const starts = orList(protocols.map((protocol) => `${protocol}//`));
    return this.refuse(name, `tiene que ser una dirección que empiece por ${starts}.`);
  }

  /** A page of the provider; one that is not configured is recognisable as such. */
  link(name: string, page: string): string {
    return this.url(name, ['http:', 'https:']) ?? `https://ejemplo.es/${page}`;
  }

  matching(name: string, pattern: RegExp, sentence: string): string | null {
    const text = this.text(name);
    if (text === null || pattern.test(text)) return text;
    return this.refuse(name, sentence);
  }

  /** As stored and sent. A wrong one would be in every registro, and the AEAT would refuse them all. */
  nif(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    const check = checkNif(text);
    return check.ok ? check.nif : this.refuse(name, check.mensaje);
  }

  /** The address of a PostgreSQL. What is wrong with it is said without repeating it: it contains a password. */
  databaseUrl(name: string): string | null {
    const text = this.matching(
      name,
      /^postgres(ql)?:\/\/([^/\s]+|\/\S*[?&]host=\S)/,
      'tiene que ser como postgres://usuario:clave@servidor:5432/base.',
    );
    const problem = text && problemOfAddress(text);
    return problem ? this.refuse(name, problem) : text;
  }

  /** PEM text, whose lines may be separated by `\n` as in environment files, or the path of a file with it. */
  pem(name: string): string | null {
    const text = this.text(name);
    if (text === null) return null;
    if (text.startsWith('-----BEGIN')) {
      const pem = text.replaceAll('\\n', '\n');
      return isCertificate(pem) ? pem : this.refuse(name, 'no es un certificado en formato PEM.');
    }
    try {
      const content = readFileSync(text, 'utf8');
      if (isCertificate(content)) return content;
      return this.refuse(name, `el archivo «${text}» no tiene un certificado en formato PEM.`);
    } catch {
      return this.refuse(name, `no se puede leer el archivo «${text}».`);
    }
  }

  base64(name: string, bytes: number): Buffer | null {
    const text = this.text(name);
    if (text === null) return null;
    const value = Buffer.from(text, 'base64');
    const isWhole = value.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '');
    if (isWhole && value.length === bytes) return value;
    return this.refuse(name, `tiene que ser ${bytes} bytes en base64.`);
  }

  /** @returns null, as every reader of a variable does for a wrong one */
  refuse(name: string, sentence: string): null {
    this.problems.push(`${name}: ${sentence}`);
    return null;
  }
}

function hasReadableCredentials({ username, password }: URL): boolean {
  return isEncoded(username) && isEncoded(password);
}

/** Whether the first certificate of a PEM can be read; text before it is a comment. */
function isCertificate(pem: string): boolean {
  const start = pem.indexOf('-----BEGIN CERTIFICATE-----');
  if (start === -1) return false;
  try {
    new X509Certificate(pem.slice(start));
    return true;
  } catch {
    return false;
  }
}

function orList(values: readonly string[]): string {
  const quoted = values.map((value) => `«${value}»`);
  return quoted.length < 2
    ? quoted.join('')
    : `${quoted.slice(0, -1).join(', ')} o ${quoted.at(-1)}`;
}

/** `http://[::1]:3000` */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
