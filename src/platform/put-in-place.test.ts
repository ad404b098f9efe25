import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';
import { putInPlace } from './put-in-place.ts';
import { confirmNextSecret, nextSecret, storedSecret } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'huella-in-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(process.platform !== 'linux')('the disk is told', () => {
  const { fsyncSync } = fs;
  let synced: string[] = [];
  let refusal = '';
  beforeEach(() => {
    synced = [];
    refusal = '';
    replaceSync((fd) => {
      synced.push(readlinkSync(`/proc/self/fd/${fd}`));
      if (refusal) throw Object.assign(new Error(refusal), { code: refusal });
    });
  });
  afterEach(() => replaceSync(fsyncSync));

  it('what is in its place for good', () => {
    mkdirSync(join(folder, 'copia.parcial'));
    putInPlace(join(folder, 'copia.parcial'), join(folder, 'copia'));
    expect([existsSync(join(folder, 'copia')), synced]).toEqual([true, [folder]]);
  });

  it('of a new folder, in each folder that was missing', () => {
    makeFolder(join(folder, 'a', 'b'));
    expect(synced).toEqual([folder, join(folder, 'a')]);
  });

  it('of a key, before anything is encrypted with it, and of the one that replaces it', () => {
    const data = join(folder, 'datos');
    const keys = join(data, 'claves');
    storedSecret(data, 'clave-maestra');
    expect(synced.at(-1)).toBe(keys);
    nextSecret(data, 'clave-maestra', () => 'la segunda');
    synced = [];
    confirmNextSecret(data, 'clave-maestra');
    expect(synced).toEqual([keys]);
    expect(storedSecret(data, 'clave-maestra')).toBe('la segunda');
  });

  it('unless it syncs no folders; a disk that fails is not passed over', () => {
    const put = (name: string) => {
      writeFileSync(join(folder, 'borrador'), '');
      putInPlace(join(folder, 'borrador'), join(folder, name));
    };
    refusal = 'EINVAL';
    put('sin sincronizar');
    refusal = 'EIO';
    expect(() => put('con un fallo')).toThrow('EIO');
  });
});

/** That of the system, for every module. */
function replaceSync(sync: typeof fs.fsyncSync): void {
  fs.fsyncSync = sync;
  syncBuiltinESMExports();
}
