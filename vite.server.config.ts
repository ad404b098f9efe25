import { defineConfig } from 'vite';
import { guardPostgres } from './scripts/guard-postgres.mjs';

/**
 * What Node runs: our sources and what they depend on, in a few files. Hundreds of small ones take most of
 * a start to find and read. Left in `node_modules`: what has compiled parts, or finds files of its own beside
 * itself.
 */
export default defineConfig({
  publicDir: false,
  plugins: [guardPostgres()],
  ssr: {
    noExternal: true,
    external: [
      ...['@hyzyla/pdfium', '@node-rs/argon2', '@tesseract.js-data/spa', 'pdfjs-dist', 'pdfkit'],
      ...['sharp', 'tesseract.js', 'zxing-wasm'],
    ],
  },
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
        simulators: 'simulators/main.ts',
        'import-worker': 'src/import/worker.ts',
        'packing-worker': 'src/operations/packing-worker.ts',
        'reading-worker': 'src/reading/worker.ts',
      },
      // All in one folder: main.js finds simulators.js and the workers beside itself.
      output: { chunkFileNames: '[name]-[hash].js' },
    },
  },
});
