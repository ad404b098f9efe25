// The server's bundle: `buildServer(folder)`, or `node scripts/build-server.mjs folder`.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { root } from './sources.mjs';

export async function buildServer(outDir) {
  await build({
    configFile: join(root, 'vite.server.config.ts'),
    logLevel: 'warn',
    build: { outDir },
  });
  // The invoice's font, read from beside the bundle when the first invoice is drawn.
  cpSync(join(root, 'src', 'pdf', 'fonts'), join(outDir, 'fonts'), { recursive: true });
}

const [, script, folder] = process.argv;
if (folder && resolve(script) === fileURLToPath(import.meta.url)) await buildServer(folder);
