import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { keepSecret, nextSecret, storedSecret } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'huella-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A write in a process of its own, which the disk cuts short. */
function cutShort(call: string): string {
  const module = new URL('./secrets.ts', import.meta.url).href;
  const script = `import 'tsx/esm'; const secrets = await import('${module}'); secrets.${call};`;
  const { stderr } = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 0; exec "$0" --input-type=module -e "$1" "$2"',
      process.execPath,
      script,
      folder,
    ],
    { encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } },
  );
  return stderr;
}

describe.skipIf(process.platform === 'win32')('after a write that was cut short', () => {
  it('makes the next secret', () => {
    mkdirSync(join(folder, 'claves'));
    expect(cutShort("nextSecret(process.argv[1], 'clave', () => 'cortada')")).toContain('EFBIG');
    expect(nextSecret(folder, 'clave', () => 'entera')).toBe('entera');
    expect(nextSecret(folder, 'clave', () => 'otra')).toBe('entera');
  });

  it('keeps the secret of a backup that is restored again', () => {
    expect(cutShort("keepSecret(process.argv[1], 'clave-maestra', 'cortada')")).toContain('EFBIG');
    keepSecret(folder, 'clave-maestra', 'entera');
    expect(storedSecret(folder, 'clave-maestra')).toBe('entera');
    expect(() => keepSecret(folder, 'clave-maestra', 'otra')).toThrow('ya tiene otra clave');
  });
});
