import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The API while developing; `scripts/dev.mjs` says where it listens. */
const api = process.env.API_URL ?? 'http://127.0.0.1:3001';
const calls = ['/api', '/desarrollo', '/salud', '/metricas'];

/** The web: sources in `src/web`, built to `dist/web`. */
export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0, // The page's policy takes scripts and styles from files only.
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600, // In kB, of which a third travels; bench/web.ts keeps an eye on it.
    rollupOptions: {
      input: ['src/web/index.html', 'src/web/app/public/landing-script.ts'],
      output: {
        // With all that it imports: left to itself it opens with a file for what is shared by each set of screens.
        codeSplitting: { groups: [{ name: 'beginning', test: /src\/web\/main\.tsx$/ }] },
      },
    },
  },
  server: {
    strictPort: true,
    proxy: Object.fromEntries(calls.map((path) => [path, { target: api }])),
  },
});
