import { join } from 'node:path';
import { projectRoot } from './platform/project-root.ts';

/** The source of each part that runs beside the server, as a thread or process of its own. */
export const PARTS = {
  simulators: 'simulators/main.ts',
  'import-worker': 'src/import/worker.ts',
  'checking-worker': 'src/threads/checking-worker.ts',
  'packing-worker': 'src/threads/packing-worker.ts',
  'reading-worker': 'src/reading/worker.ts',
} as const;

/** A file to be run by Node, and its options. */
export interface Part {
  readonly file: string;
  readonly argv: readonly string[];
}

/**
 * Where the code of a part is: in the same bundle as this code, or in the one that the tests made of these sources;
 * without a bundle, the source itself, run through our tool.
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
