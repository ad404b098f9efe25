import { expect, it } from 'vitest';
import { isUnlike, mendedWord, partedAmounts, partedLabel, partedTax } from './ocr.ts';

const word = (text: string) => ({ text, page: 1, x: 100, y: 50, w: 60, h: 9 });

it('separates a tax from its rate if the blank between them was lost', () => {
  const parted = (text: string) => partedTax(word(text)).map((one) => one.text);
  expect(parted('IVA21%')).toEqual(['IVA', '21%']);
  expect(parted('IGC7%')).toEqual(['IGIC', '7%']);
  expect(parted('IRPF-15%')).toEqual(['IRPF', '-15%']);
  expect(parted('1VA21%')).toEqual(['IVA', '21%']);
  expect(parted('TOTALEUR')).toEqual(['TOTAL', 'EUR']);
  expect(parted('IVA')).toEqual(['IVA']);
  expect(parted('IVAL21')).toEqual(['IVAL21']);
  expect(parted('1A21%')).toEqual(['IVA', '21%']);
  for (const reference of ['1A21', '11A5', '1A2', 'lA5'])
    expect(parted(reference)).toEqual([reference]);
});

it('separates two amounts whose columns touch', () => {
  const parted = (text: string) => partedAmounts(word(text)).map((one) => one.text);
  expect(parted('273,581.367,90')).toEqual(['273,58', '1.367,90']);
  expect(parted('4.423,30993,20€')).toEqual(['4.423,30', '993,20€']);
  for (const one of ['1.367,90', '1,367,90', '1,234,567,90', '121,6000', '12,50%', '1,367.90'])
    expect(parted(one)).toEqual([one]);
});

it('gives each part its share of the width, and leaves a gap', () => {
  const [tax, rate] = partedTax(word('IVA21%'));
  expect(tax?.x).toBe(100);
  expect((rate?.x ?? 0) - (tax?.x ?? 0) - (tax?.w ?? 0)).toBeGreaterThan(0);
  expect((rate?.x ?? 0) + (rate?.w ?? 0)).toBeCloseTo(160);
});

it('separates a label from its value, but does not split web addresses or times', () => {
  const parted = (text: string) => partedLabel(word(text)).map((one) => one.text);
  expect(parted('NIF:12345678Z')).toEqual(['NIF:', '12345678Z']);
  expect(parted('N”:1-002341')).toEqual(['N”:', '1-002341']);
  for (const whole of ['https://a1.es', '14:22', 'Fecha:', 'Hoja:A'])
    expect(parted(whole)).toEqual([whole]);
});

it('repairs marks that do not occur in invoices', () => {
  expect(mendedWord('—1244,84')).toBe('-1244,84');
  expect(mendedWord('-—5')).toBe('-5');
  expect(mendedWord('10$')).toBe('10%');
  expect(mendedWord('T$8')).toBe('T8');
  expect(mendedWord('0933,17')).toBe('933,17');
  expect(mendedWord('=121,00')).toBe('=121,00');
  expect(mendedWord('m?')).toBe('m²');
  expect(mendedWord('L.R.P.F.')).toBe('I.R.P.F.');
  expect(mendedWord('1RPF')).toBe('IRPF');
  expect(mendedWord('N.LF.:')).toBe('N.IF.:');
  expect(mendedWord('LVAR')).toBe('LVAR');
  expect(mendedWord('Instal:-lacions')).toBe('Instal·lacions');
});

it('keeps sums, rates and NIF of which Tesseract is not sure, whose letters may have become figures', () => {
  for (const text of ['Total', '21%', '5,2%', '500799860', 'B12345674', '12345678Z'])
    expect(isUnlike(text)).toBe(true);
  for (const text of ['—n..F.', '12', 'B1234', '2100041845']) expect(isUnlike(text)).toBe(false);
});
