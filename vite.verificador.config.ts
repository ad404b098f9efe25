import { join } from 'node:path';
import { defineConfig } from 'vite';

/** The script of the page that checks registros offline, in one piece (`scripts/verificador.mjs`). */
export default defineConfig({
  publicDir: false,
  resolve: {
    alias: { 'node:crypto': join(import.meta.dirname, 'src/verificador/sha256.ts') },
  },
  build: {
    lib: { entry: 'src/verificador/main.ts', formats: ['es'], fileName: 'verificador' },
    reportCompressedSize: false,
  },
});
