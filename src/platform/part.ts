import { join } from 'node:path';
import { projectRoot } from './project-root.ts';

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
 * Where a part's code is: beside this code when it is built. Where this code is its source, in the bundle that
 * the tests make and name (`HUELLA_BUNDLE`), or through the tool that runs sources.
 */
export function findPart(name: keyof typeof PARTS): Part {
  const isBuilt = !import.meta.url.endsWith('.ts');
  const folder = isBuilt ? import.meta.dirname : process.env.HUELLA_BUNDLE;
  if (folder) return { file: join(folder, `${name}-${BUILD}.js`), argv: [] };
  const source = join(projectRoot, PARTS[name]);
  return { file: join(projectRoot, 'scripts/run.mjs'), argv: [source] };
}
