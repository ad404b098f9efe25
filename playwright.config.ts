import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { freePort } from './src/platform/free-port.ts';
import { type Browser, findBrowser } from './tests/support/browser.ts';
import { isInMemory, scratch } from './tests/support/scratch.ts';

// Playwright reads this file again in each of its workers, which inherit the environment.
process.env.E2E_PORT ??= String(await freePort());
process.env.E2E_DATA_DIR ??= mkdtempSync(join(scratch, 'huella-e2e-'));
process.env.E2E_BROWSER ??= JSON.stringify(await findBrowser({ isLight: true }));
const baseURL = `http://127.0.0.1:${process.env.E2E_PORT}`;
const { executablePath, args, env }: Browser = JSON.parse(process.env.E2E_BROWSER);

export default defineConfig({
  testDir: 'tests/e2e',
  timeout: 120_000,
  // A browser on a machine with too little of everything loses an event now and then; the report tells.
  retries: 2,
  expect: { timeout: 20_000 },
  // Files are taken in the order of their names: the longest test is in none of the last, or it would run alone.
  fullyParallel: true,
  workers: 3, // One takes seven tenths of a core, and there are two cores at least.
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [['list'], ['json']] : [['list']],
  use: {
    baseURL,
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    screenshot: 'only-on-failure',
    // Noting every step and picture takes a quarter of the processor: only what failed is noted, when it is repeated.
    trace: 'on-first-retry',
    launchOptions: {
      executablePath,
      args,
      // The processes of the browser hand each answer and each picture over in shared memory. On a disk, which is where
      // Playwright has it, that is a file which is created, filled and deleted each time.
      ignoreDefaultArgs: isInMemory ? ['--disable-dev-shm-usage'] : [],
      env: { ...(process.env as Record<string, string>), ...env },
    },
  },
  projects: [
    {
      name: 'desktop',
      testIgnore: /phone\.spec/,
      use: { viewport: { width: 1440, height: 900 } },
    },
    {
      name: 'phone',
      testIgnore: /keyboard\.spec/, // A phone has none.
      grepInvert: /@any-width/, // What depends on no width is looked at once.
      use: {
        viewport: { width: 390, height: 844 },
        isMobile: true,
        hasTouch: true,
        // Half of the runs are those of who asked for less motion.
        contextOptions: { reducedMotion: 'reduce' },
      },
    },
  ],
  webServer: {
    command: 'node tests/support/serve-built.mjs',
    url: `${baseURL}/salud`,
    timeout: 180_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
    stdout: 'pipe',
    env: {
      PORT: process.env.E2E_PORT,
      DATA_DIR: process.env.E2E_DATA_DIR,
      LOG_LEVEL: 'warn',
      SIMULADOR_TIEMPO_ESPERA: '1',
    },
  },
});
