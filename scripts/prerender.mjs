// Writes the landing page as plain HTML: its blocks are rendered once, at build, with the style sheet inlined.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { root } from './sources.mjs';

/** Alphabets that the landing page does not use. */
const OTHER_ALPHABETS = /\/\* inter-[^*]*\*\/|@font-face\{[^}]*(cyrillic|greek|vietnamese)[^}]*\}/g;

/** Writes `landing.html` into the built web. */
export async function prerender(outDir) {
  const draft = `${outDir}-prerender`;
  try {
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      publicDir: false,
      build: {
        ssr: join(root, 'src/web/app/public/landing-document.tsx'),
        ssrEmitAssets: true,
        cssMinify: true,
        outDir: draft,
        rollupOptions: { input: undefined },
      },
    });
    const files = readdirSync(draft, { recursive: true });
    const css = files
      .filter((file) => file.endsWith('.css'))
      .map((file) => readFileSync(join(draft, file), 'utf8'))
      .join('\n')
      .replace(OTHER_ALPHABETS, '');
    const built = readdirSync(join(outDir, 'assets'));
    const script = only(built, /^landing-script-.*\.js$/);
    const font = only(built, /^inter-latin-wght-normal-.*\.woff2$/);
    if (!css.includes(font)) throw new Error('The landing asks for a typeface that is not there.');
    const { landingDocument } = await import(
      pathToFileURL(join(draft, only(files, /^landing-document\.m?js$/)))
    );
    const html = landingDocument({ css, script: `/assets/${script}`, font: `/assets/${font}` });
    writeFileSync(join(outDir, 'landing.html'), html);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function only(names, pattern) {
  const found = names.filter((name) => pattern.test(name));
  if (found.length !== 1) throw new Error(`${found.length} files are like ${pattern}.`);
  return found[0];
}
