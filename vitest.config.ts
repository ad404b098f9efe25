import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The driver (postgres 3.4.9) rejects a promise of its own that nobody holds when a connection ends
    // while it is being opened. What the product runs is mended when it is built (scripts/guard-postgres.mjs);
    // tests that cut connections run the sources.
    onUnhandledError: (error) =>
      !String((error as { code?: unknown }).code).startsWith('CONNECTION_'),
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'simulators/**/*.test.ts', 'tests/*.test.ts'],
        },
      },
      {
        test: {
          name: 'flow',
          include: ['tests/{flow,contract,store,platform}/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: true,
          maxWorkers: 2,
        },
      },
    ],
  },
});
