import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { guardPostgres } from './scripts/guard-postgres.mjs';
import { hashSources, testBundle } from './scripts/sources.mjs';

/**
 * Where nothing was timed before, vitest begins with the largest files. Those that start and kill processes, or fill
 * a database, take longest whatever their size: the last of them would run alone. They wait more than they work, so
 * they take turns with the others, of which as many at once would leave no processor free.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      /\/tests\/(platform\/|contract\/many-companies)/.test(moduleId);
    const others = sorted.filter((file) => !isLong(file));
    const mixed = sorted
      .filter(isLong)
      .flatMap((file, turn) => [file, ...others.slice(turn, turn + 1)]);
    return [...new Set([...mixed, ...others])];
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'simulators/**/*.test.ts', 'tests/*.test.ts'],
          maxWorkers: 2,
          isolate: false, // What is pure keeps nothing from one file to the next: loading it again would tell nothing.
          // Properties try hundreds of cases, pages are drawn and keys are made, also on a machine with more to do.
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // The driver as the product has it, which bears that its connections are cut.
        plugins: [guardPostgres()],
        // The bundle whose threads and processes they run.
        define: {
          BUILD: JSON.stringify(hashSources().slice(0, 8)),
          BUNDLE: JSON.stringify(testBundle()),
        },
        test: {
          name: 'flow',
          server: { deps: { inline: ['postgres'] } },
          include: ['tests/{flow,contract,platform}/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup.ts'],
          testTimeout: 120_000, // Processes are started, killed and started again, maybe on a machine with more to do.
          hookTimeout: 120_000,
          // They wait more than they work: one more than the two cores that there are at least.
          maxWorkers: 3,
          // Each file has a database and a product of its own: loading the sources again would tell nothing.
          isolate: false,
        },
      },
    ],
  },
});
