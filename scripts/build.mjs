// Builds the web and the server into dist/, all or nothing: a failed build, or two at once, leave the previous one in
// place.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { buildServer } from './build-server.mjs';
import { draftIn, dropDeadDrafts } from './drafts.mjs';
import { prerender } from './prerender.mjs';
import { replace } from './replace.mjs';
import { hashSources, root, stampFile } from './sources.mjs';
import { buildVerifier } from './verificador.mjs';

const COMPRESSIBLE = /\.(js|css|html|svg|json|txt|webmanifest)$/;
const SMALLEST = 1024;
/** How long the files of a build are kept beside those of the next one. */
const KEPT_MS = 3 * 24 * 3_600_000;

const sources = hashSources();
const cache = join(root, 'node_modules', '.cache');
dropDeadDrafts(cache);
const draft = draftIn(cache);
try {
  await buildServer(join(draft, 'server'));
  await buildWeb(join(draft, 'web'));
  await prerender(join(draft, 'web'));
  drawManual(join(draft, 'web', 'manual-de-huella.pdf'));
  await buildVerifier(join(draft, 'web'));
  await precompress(join(draft, 'web'));
  keepOlder(join(root, 'dist'), draft, join('web', 'assets'), 'assets.json');
  keepOlder(join(root, 'dist'), draft, 'server', 'server.json');
  writeFileSync(join(draft, basename(stampFile)), sources);
  replace(draft, join(root, 'dist'));
} finally {
  rmSync(draft, { recursive: true, force: true });
}

async function buildWeb(outDir) {
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: { outDir } });
}

/** The user manual as PDF, from `docs/manual`, offered in «Acerca de». */
function drawManual(file) {
  const run = join(root, 'scripts', 'run.mjs');
  execFileSync(process.execPath, [run, join(root, 'src', 'cli', 'manual.ts'), file], {
    stdio: 'inherit',
  });
}

/** Each text file also as .br and .gz, compressed once and as small as possible. */
async function precompress(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((file) => COMPRESSIBLE.test(file));
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file);
      const content = readFileSync(path);
      if (content.length < SMALLEST) return;
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(content, { params }));
      writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

/**
 * Keeps the files of the previous build in `folder`, which open pages and a server that was not restarted yet still
 * request. `dist/LIST` records since when each file belongs to an older build, in milliseconds since 1970; null for
 * the current one.
 */
function keepOlder(before, draft, folder, list) {
  const kept = Object.fromEntries(
    readdirSync(join(draft, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, null]),
  );
  const old = join(before, list);
  const older = existsSync(old) ? Object.entries(JSON.parse(readFileSync(old, 'utf8'))) : [];
  const now = Date.now();
  for (const [name, since] of older) {
    const file = join(before, folder, name);
    if (name in kept || now - (since ?? now) > KEPT_MS || !existsSync(file)) continue;
    copyFileSync(file, join(draft, folder, name));
    kept[name] = since ?? now;
  }
  writeFileSync(join(draft, list), JSON.stringify(kept));
}
