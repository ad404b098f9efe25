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

it('draws it again for the next one who asks if it could not be drawn', async () => {
  const config = readConfig({});
  let isBroken = false;
  const failing = {
    ...config,
    get empresa() {
      if (isBroken) throw new Error('There was no memory left.');
      return config.empresa;
    },
  };
  const drawing = drawDeclaracion({ config: failing });
  isBroken = true; // Its text has been read, and nothing has been drawn.
  await expect(drawing).rejects.toThrow('no memory');
  isBroken = false;
  expect((await drawDeclaracion({ config: failing })).pdf.length).toBeGreaterThan(0);
});
