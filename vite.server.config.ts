import { defineConfig, type Plugin } from 'vite';
import { guardPostgres } from './scripts/guard-postgres.mjs';
import { hashSources } from './scripts/sources.mjs';
import { PARTS } from './src/part.ts';

const BUILD = hashSources().slice(0, 8);

/**
 * What Node runs: our sources and what they depend on, in a few files. Hundreds of small ones take most of
 * a start to find and read. Left in `node_modules`: what has compiled parts, or finds files of its own beside
 * itself.
 */
export default defineConfig({
  publicDir: false,
  plugins: [guardPostgres(), oneByteSources()],
  ssr: {
    noExternal: true,
    external: [
      ...['@hyzyla/pdfium', '@node-rs/argon2', '@tesseract.js-data/spa', 'pdfjs-dist', 'pdfkit'],
      ...['sharp', 'tesseract.js', 'zxing-wasm'],
    ],
  },
  define: { BUILD: JSON.stringify(BUILD) },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false, // A stack trace should be read.
    rollupOptions: {
      input: {
        main: 'src/main.ts',
        admin: 'src/cli/admin.ts',
        backup: 'src/cli/backup.ts',
        migrate: 'src/cli/migrate.ts',
        restore: 'src/cli/restore.ts',
        verificar: 'src/cli/verificar.ts',
        ...PARTS,
      },
      // All in one folder: main.js finds the parts beside itself, those of its own build (`findPart`).
      output: {
        entryFileNames: ({ name }) => (name in PARTS ? `[name]-${BUILD}.js` : '[name].js'),
        chunkFileNames: '[name]-[hash].js',
        comments: false,
      },
    },
  },
});

/**
 * V8 keeps the text of all that it runs, and in twice the bytes if a single letter of a file is beyond Latin-1.
 * The few such letters are written as escapes, which mean the same in strings, templates and expressions.
 */
function oneByteSources(): Plugin {
  return {
    name: 'one-byte-sources',
    generateBundle: (_options, bundle) => {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === 'chunk') chunk.code = chunk.code.replace(/[\u0100-\uffff]/g, escaped);
      }
    },
  };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
