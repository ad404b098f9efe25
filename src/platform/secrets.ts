import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { keepNames, putInPlace } from './put-in-place.ts';
import { StartError } from './start-error.ts';

/** Secrets generated here when the environment does not give them. */
export interface SecretSource {
  readonly claveMaestra: () => Buffer;
  readonly jwtSecret: () => string;
}

/** Secrets kept in `DATA_DIR/claves`, readable by the owner only, and generated when first requested. */
export function generatedSecrets(dataDir: string): SecretSource {
  return {
    claveMaestra: () => Buffer.from(storedSecret(dataDir, 'clave-maestra'), 'base64'),
    jwtSecret: () => storedSecret(dataDir, 'jwt-secret'),
  };
}

/** The same without generating any: a missing one is reported, and random for this process only. */
export function keptSecrets(dataDir: string, tellMissing: (name: string) => void): SecretSource {
  const kept = (name: string) => {
    const secret = explained(dataDir, () => readIfPresent(join(dataDir, 'claves', name)));
    if (secret) return secret;
    tellMissing(name);
    return randomBytes(32).toString('base64');
  };
  return {
    claveMaestra: () => Buffer.from(kept('clave-maestra'), 'base64'),
    jwtSecret: () => kept('jwt-secret'),
  };
}

/**
 * The secret with that name: 32 random bytes in base64.
 *
 * Several processes may start at once on the same folder: thanks to `link` the file appears complete and only once,
 * and the later ones read it.
 *
 * @throws {StartError} when the folder is not this user's
 */
export function storedSecret(dataDir: string, name: string): string {
  return explained(dataDir, () => readOrMake(dataDir, name, randomSecret));
}

function explained<T>(dataDir: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new StartError(
      `DATA_DIR: no se pueden leer o guardar las claves en ${join(dataDir, 'claves')} (${code}). ¿Es de otro usuario?`,
      { cause },
    );
  }
}

/**
 * Stores a secret that comes from elsewhere.
 *
 * @throws {StartError} when the folder already has another one, with which its data is encrypted
 */
export function keepSecret(dataDir: string, name: string, secret: string): void {
  if (readOrMake(dataDir, name, () => secret) === secret) return;
  throw new StartError(
    `DATA_DIR: ${join(dataDir, 'claves', name)} ya tiene otra clave: indica una carpeta nueva.`,
  );
}

/**
 * The secret that will replace another: the one written by an interrupted change, or a new one. Like
 * {@link storedSecret} it appears complete or not at all, so an interrupted write leaves nothing in its place.
 */
export function nextSecret(dataDir: string, name: string, make: () => string): string {
  return readOrMake(dataDir, `${name}.nueva`, make);
}

/** Replaces the old secret with it, in one step. */
export function confirmNextSecret(dataDir: string, name: string): void {
  const file = join(dataDir, 'claves', name);
  putInPlace(`${file}.nueva`, file);
}

/** Deletes it, when nothing can be encrypted with it. */
export function dropNextSecret(dataDir: string, name: string): void {
  rmSync(join(dataDir, 'claves', `${name}.nueva`), { force: true });
}

const randomSecret = () => randomBytes(32).toString('base64');

function readOrMake(dataDir: string, name: string, make: () => string): string {
  const folder = join(dataDir, 'claves');
  const file = join(folder, name);
  const kept = readIfPresent(file);
  if (kept) return kept;

  makeFolder(folder);
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${make()}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  keepNames(folder); // Before anything is encrypted with it.
  return readFileSync(file, 'utf8').trim();
}

function readIfPresent(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
