import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { nextSecret } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'huella-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.skipIf(process.platform === 'win32')(
  'makes the next secret after a write of it that was cut short',
  () => {
    mkdirSync(join(folder, 'claves'));
    const module = new URL('./secrets.ts', import.meta.url).href;
    const script = `import 'tsx/esm'; const { nextSecret } = await import('${module}'); nextSecret(process.argv[1], 'clave', () => 'cortada');`;
    const cut = spawnSync(
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
    expect(cut.stderr).toContain('EFBIG');
    expect(nextSecret(folder, 'clave', () => 'entera')).toBe('entera');
    expect(nextSecret(folder, 'clave', () => 'otra')).toBe('entera');
  },
);
