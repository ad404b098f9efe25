import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SHEETS } from './sheets.ts';
import { manualColumns } from './template.ts';

describe('the template', () => {
  it('is told by the manual column by column, in the words of the template itself', () => {
    const chapter = readFileSync(
      new URL('../../docs/manual/07-importar.md', import.meta.url),
      'utf8',
    );
    const [, told = ''] = chapter.split('## Qué lleva cada hoja\n\n');
    expect(told).toBe(manualColumns());
  });

  it('gives no name of another program to two columns of a sheet that cannot do without it', () => {
    for (const { columns } of SHEETS) {
      const needed = columns.filter(({ isRequired }) => isRequired);
      const names = needed.flatMap(({ aliases }) => aliases);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
