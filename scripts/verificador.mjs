// The page that checks registros offline, with its script inlined, so that it is a single file.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { root } from './sources.mjs';

/** Writes `verificar.html` into a folder. */
export async function buildVerifier(folder) {
  const outDir = join(folder, 'verificador');
  await build({
    configFile: join(root, 'vite.verificador.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
  const script = readFileSync(join(outDir, 'verificador.js'), 'utf8').trim();
  rmSync(outDir, { recursive: true });
  if (script.includes('</script')) throw new Error('The script would end its own element.');
  const page = readFileSync(join(root, 'src', 'verificador', 'verificar.html'), 'utf8');
  const [before, after] = page.split('/*codigo*/');
  writeFileSync(join(folder, 'verificar.html'), `${before}${script}${after}`);
}
