import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Judging } from './import/preview.ts';
import { type ReaderJob, runReader } from './import/reader.ts';
import { findPart, PARTS } from './part.ts';
import { projectRoot } from './platform/project-root.ts';

const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

it('finds each part in its place', () => {
  for (const name of NAMES) {
    const { file, argv } = findPart(name);
    expect([file, ...argv].filter((path) => !existsSync(path))).toEqual([]);
    expect(argv).toEqual([join(projectRoot, PARTS[name])]);
  }
});

// As in `npm run dev`. Flow tests run the build.
it('runs a part from its sources', async () => {
  const lists = {} as Judging['lists']; // Not requested: a file that is no sheet is refused earlier.
  const job: ReaderJob = { kind: 'describe', file: Buffer.from('no es una hoja'), lists };
  await expect(runReader(job, async () => [])).rejects.toThrow(
    'El archivo no es un Excel (.xlsx) ni un texto con columnas (.csv).',
  );
});
