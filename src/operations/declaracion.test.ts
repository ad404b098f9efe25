import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { drawDeclaracion } from './declaracion.ts';

it('draws the PDF of a version once, however often anybody asks for it', async () => {
  const config = readConfig({});
  const [first, together] = await Promise.all([
    drawDeclaracion({ config }),
    drawDeclaracion({ config }),
  ]);
  const later = await drawDeclaracion({ config }, config.version);
  expect([together.pdf === first.pdf, later.pdf === first.pdf]).toEqual([true, true]);
});
