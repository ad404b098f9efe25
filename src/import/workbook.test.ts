import { expect, it } from 'vitest';
import { openContainer } from './container.ts';
import { writeWorkbook } from './workbook.ts';

it('leaves out letters for which a spreadsheet refuses the whole file, in cells and comments', async () => {
  const odd = 'Pan\ufffe\uffff y\n🥖';
  const file = await writeWorkbook(
    [{ name: 'Hoja', rows: [[odd]], widths: [10], comments: new Map([['0,0', odd]]) }],
    { title: 'Prueba', custom: {}, ranges: [] },
  );
  const container = openContainer(Buffer.from(file));
  for (const name of ['xl/sharedStrings.xml', 'xl/comments1.xml']) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of container.read(name)) chunks.push(chunk);
    const xml = Buffer.concat(chunks).toString();
    expect(xml).toContain('Pan y\n🥖');
  }
});
