import { defineConfig } from 'vite';

/** What Node runs: our sources in a few files, their dependencies left in `node_modules`. */
export default defineConfig({
  publicDir: false,
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false, // A stack trace should be read.
    rollupOptions: {
      input: {
        main: 'src/main.ts',
        migrate: 'src/cli/migrate.ts',
        simulators: 'simulators/main.ts',
      },
    },
  },
});
