import { join } from 'node:path';
import { projectRoot } from './platform/project-root.ts';

/** What runs beside the server, as a thread or a process of its own, and its source. */
export const PARTS = {
  simulators: 'simulators/main.ts',
  'import-worker': 'src/import/worker.ts',
  'checking-worker': 'src/threads/checking-worker.ts',
  'packing-worker': 'src/threads/packing-worker.ts',
  'reading-worker': 'src/reading/worker.ts',
} as const;

/** A file to be run by Node, and what it is told. */
export interface Part {
  readonly file: string;
  readonly argv: readonly string[];
}

/**
 * Where a part's code is: in the bundle that this code is of, or that the tests made of these sources; without any, the
 * source itself, through the tool that runs them.
 */
export function findPart(name: keyof typeof PARTS): Part {
  const bundle = findBundle();
  if (bundle) return { file: join(bundle, `${name}-${BUILD}.js`), argv: [] };
  const source = join(projectRoot, PARTS[name]);
  return { file: join(projectRoot, 'scripts/run.mjs'), argv: [source] };
}

function findBundle(): string | null {
  if (!import.meta.url.endsWith('.ts')) return import.meta.dirname;
  return typeof BUNDLE === 'undefined' ? null : BUNDLE;
}
