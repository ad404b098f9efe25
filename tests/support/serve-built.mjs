// Serves the built application for the browser tests, in a folder that is deleted with it.
import { rmSync } from 'node:fs';

const { DATA_DIR } = process.env;
if (!DATA_DIR) throw new Error('playwright.config.ts says where the data go.');
process.on('exit', () => rmSync(DATA_DIR, { recursive: true, force: true }));
await import('../../scripts/start.mjs');
