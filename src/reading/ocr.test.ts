import { expect, it } from 'vitest';
import { partedTax } from './ocr.ts';

const word = (text: string) => ({ text, page: 1, x: 100, y: 50, w: 60, h: 9 });

it('parts a tax from its rate where the blank between them was lost', () => {
  const parted = (text: string) => partedTax(word(text)).map((one) => one.text);
  expect(parted('IVA21%')).toEqual(['IVA', '21%']);
  expect(parted('IGC7%')).toEqual(['IGIC', '7%']);
  expect(parted('IRPF-15%')).toEqual(['IRPF', '-15%']);
  expect(parted('IVA')).toEqual(['IVA']);
  expect(parted('IVAL21')).toEqual(['IVAL21']);
});

it('leaves each part its share of the width, and a gap', () => {
  const [tax, rate] = partedTax(word('IVA21%'));
  expect(tax?.x).toBe(100);
  expect((rate?.x ?? 0) - (tax?.x ?? 0) - (tax?.w ?? 0)).toBeGreaterThan(0);
  expect((rate?.x ?? 0) + (rate?.w ?? 0)).toBeCloseTo(160);
});
