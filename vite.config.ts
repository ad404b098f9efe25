import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = 'http://127.0.0.1:3000';

/** The web: `src/web` becomes the static files of `dist/web`. */
export default defineConfig({
  root: 'src/web',
  plugins: [react()],
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // Files stay files: a strict content policy has no place for data: fonts or scripts.
    assetsInlineLimit: 0,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: { '/api': api, '/desarrollo': api },
  },
});
