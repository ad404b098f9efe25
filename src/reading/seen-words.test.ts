import { expect, it } from 'vitest';
import { isLeader, letteringsOf, type SeenLine, type SeenWord, strokeOf } from './seen-words.ts';

const seen = (text: string, x0: number, x1: number, y1 = 30, y0 = 0): SeenWord => ({
  text,
  confidence: 90,
  bbox: { x0, x1, y0, y1 },
});
const line = (words: readonly SeenWord[], foot: number): SeenLine => ({
  words,
  baseline: { x0: words[0]?.bbox.x0 ?? 0, x1: words.at(-1)?.bbox.x1 ?? 0, y0: foot, y1: foot },
});

it('reads a stroke close after a number as litres, but not the rule of a table', () => {
  const name = seen('Garrafa', 0, 100);
  const number = seen('25', 110, 140);
  expect(strokeOf([name, number, seen('|', 150, 154)], 2)).toBe('l');
  expect(strokeOf([name, number, seen('|', 150, 154), seen('de', 160, 190)], 2)).toBeNull();
  expect(strokeOf([name, number, seen('|', 150, 154, 60)], 2)).toBeNull();
  expect(strokeOf([name, number, seen('|', 170, 174)], 2)).toBeNull();
  expect(strokeOf([number, seen('|', 150, 154)], 1)).toBeNull();
});

it('reads a stroke close after a word as a numeral, and leaves figures alone', () => {
  const words = [seen('Tomate', 0, 100), seen('cat.', 110, 150)];
  expect(strokeOf([...words, seen('|', 165, 168)], 2)).toBe('I');
  expect(strokeOf([...words, seen('|', 190, 193)], 2)).toBeNull();
  expect(strokeOf([...words, seen('1', 165, 175)], 2)).toBeNull();
});

it('places a line by the letters that stand on it, whatever their descenders and ascenders', () => {
  // «Mesa» ends at 130, the descender of «pagos» at 138, and the baseline guessed for the line is two pixels off.
  const mesa = seen('Mesa', 0, 40, 130, 100);
  const pagos = seen('pagos', 50, 90, 138, 108);
  const [lettering] = letteringsOf([line([mesa, pagos], 128), line([mesa, pagos], 128)]);
  expect(lettering?.size).toBe(30);
  expect(lettering?.footOf(mesa)).toBe(130);
  expect(lettering?.footOf(pagos)).toBe(130);
});

it('gives a single word the height of most lines, measured from its top', () => {
  const lines = [100, 200, 300].map((y) =>
    line([seen('Mesa', 0, 40, y + 30, y), seen('de', 50, 70, y + 30, y)], y + 30),
  );
  const junio = seen('junio', 0, 50, 439, 400);
  const lettering = letteringsOf([...lines, line([junio], 422)]).at(-1);
  expect(lettering?.size).toBe(30);
  expect(lettering?.footOf(junio)).toBe(430);
});

it('does not measure a line by the dots that lead to its amount', () => {
  const hora = seen('Hora', 0, 40, 130, 100);
  const dots = [1, 2, 3, 4].map((i) => seen('EEEErrE', 50 * i, 50 * i + 40, 130, 125));
  const [lettering] = letteringsOf([line([hora, ...dots], 130)]);
  expect(lettering?.size).toBe(30);
  expect(isLeader(dots[0] as SeenWord, 30)).toBe(true);
  expect(isLeader(hora, 30)).toBe(false);
});
