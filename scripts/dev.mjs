// `npm run dev`: the web with hot reload on PORT, the API behind it, restarted when a source changes.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createServer } from 'vite';
import { checkNode } from './node-version.mjs';
import { root } from './sources.mjs';

checkNode();
const host = process.env.HOST || '127.0.0.1';
const port = Number(process.env.PORT || 3000);
const apiPort = port + 1;
const publicUrl = process.env.PUBLIC_URL || `http://${host}:${port}`;
process.env.API_URL = `http://127.0.0.1:${apiPort}`;

const tsx = join(root, 'node_modules', 'tsx', 'dist', 'cli.mjs');
const api = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', 'src/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, HOST: '127.0.0.1', PORT: String(apiPort), PUBLIC_URL: publicUrl },
});
const web = await createServer({
  configFile: join(root, 'vite.config.ts'),
  server: { host, port },
});
await web.listen();
console.log(`Desarrollo: la web en ${publicUrl}, la API en ${process.env.API_URL}`);

// Vite's own way out would not wait for the API.
process.removeAllListeners('SIGTERM');
let isClosing = false;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    if (isClosing) return;
    isClosing = true;
    api.kill('SIGTERM');
    void web.close();
  });
}
api.on('exit', (code) => process.exit(isClosing ? 0 : (code ?? 1)));
