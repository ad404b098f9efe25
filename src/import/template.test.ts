import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { openContainer } from './container.ts';
import { SHEETS } from './sheets.ts';
import { makeTemplate, manualColumns } from './template.ts';

describe('the template', () => {
  it('is explained by the manual column by column, in the template’s own words', () => {
    const chapter = readFileSync(
      new URL('../../docs/manual/07-importar.md', import.meta.url),
      'utf8',
    );
    const [, told = ''] = chapter.split('## Qué lleva cada hoja\n\n');
    expect(told).toBe(manualColumns());
  });

  it('states the face and size of each of its fonts, and has room for the help under the titles', async () => {
    const container = openContainer(await makeTemplate(LISTS));
    const part = async (name: string) => {
      const chunks: Uint8Array[] = [];
      for await (const chunk of container.read(name)) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    };
    const fonts = (await part('xl/styles.xml')).match(/<font>.*?<\/font>/g) ?? [];
    expect(fonts.length).toBeGreaterThan(3);
    for (const font of fonts) expect(font).toMatch(/<sz val="\d+"\/>.*<name val="Calibri"\/>/);
    for (const sheet of ['sheet2', 'sheet3', 'sheet4']) {
      const [, height] =
        /<row r="2"[^>]* ht="(\d+)"/.exec(await part(`xl/worksheets/${sheet}.xml`)) ?? [];
      expect(Number(height)).toBeGreaterThanOrEqual(30);
    }
  });

  it('matches no other program’s column name to two required columns of a sheet', () => {
    for (const { columns } of SHEETS) {
      const needed = columns.filter(({ isRequired }) => isRequired);
      const names = needed.flatMap(({ aliases }) => aliases);
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
