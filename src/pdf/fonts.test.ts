import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import { describe, expect, it } from 'vitest';
import { drawable, IN_ITS_PLACE } from '../domain/paper/text.ts';
import { fontOf, type Weight } from './fonts.ts';

/** What fontkit, which pdfkit draws with, makes of a text with all rules of the font. */
interface Oracle {
  readonly unitsPerEm: number;
  layout(text: string, features: readonly string[]): Run;
  getGlyph(id: number): { readonly path: { toSVG(): string }; readonly advanceWidth: number };
}

interface Run {
  readonly glyphs: readonly { readonly id: number }[];
  readonly positions: readonly { xAdvance: number; xOffset: number; yOffset: number }[];
}

const FILES: readonly (readonly [Weight, string])[] = [
  [400, 'Inter-Regular.ttf'],
  [500, 'Inter-Medium.ttf'],
  [600, 'Inter-SemiBold.ttf'],
  [700, 'Inter-Bold.ttf'],
];

function parse(bytes: Uint8Array): Oracle {
  const document = new PDFDocument({ autoFirstPage: false, font: '' });
  document.font(Buffer.from(bytes));
  return (document as unknown as { _font: { font: Oracle } })._font.font;
}

const oracles = FILES.map(
  ([weight, file]) =>
    [weight, parse(readFileSync(new URL(`./fonts/${file}`, import.meta.url)))] as const,
);

function expectSame(text: string, features = ['tnum', 'calt']): void {
  for (const [weight, oracle] of oracles) {
    const scale = 1000 / oracle.unitsPerEm;
    const { glyphs, positions } = oracle.layout(text, features);
    const shaped = fontOf(weight).shape(text);
    expect(shaped.glyphs.map(({ id }) => id)).toEqual(glyphs.map(({ id }) => id));
    const copied = String.fromCodePoint(...shaped.glyphs.flatMap(({ codePoints }) => codePoints));
    expect(copied.normalize()).toBe(text.normalize());
    const thousandths = (length: number) => Math.round(length * 1000);
    expect(shaped.advances.map(thousandths)).toEqual(
      positions.map(({ xAdvance }) => thousandths(xAdvance * scale)),
    );
  }
}

it('has the characters that are printed as they are, and a visible sign for the others', () => {
  const every = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code));
  const named = ['株', 'ア', '한', 'ﬁ', '￿', '😀', '𝐀'];
  for (const character of [...every, ...named].filter((one) => !/\s|\p{C}/u.test(one))) {
    const shown = drawable(character);
    for (const [, oracle] of oracles) {
      const [glyph] = oracle.layout(character, []).glyphs;
      expect([character, shown]).toEqual([
        character,
        glyph === undefined || glyph.id === 0 ? IN_ITS_PLACE : character,
      ]);
    }
  }
});

it.each(['Pan 株式会社', '한국 A-1', 'x✔x'])(
  'draws a sign for each letter that it lacks, from which the letter is copied: «%s»',
  (text) => {
    for (const [weight, oracle] of oracles) {
      const { glyphs, advances, width } = fontOf(weight).shape(text);
      const sign = oracle.layout(IN_ITS_PLACE, []).glyphs[0]?.id;
      expect(glyphs.map(({ id }) => id)).not.toContain(0);
      expect(glyphs.filter(({ id }) => id === sign)).toHaveLength(
        Array.from(text).filter((character) => drawable(character) !== character).length,
      );
      expect(glyphs.flatMap(({ codePoints }) => codePoints)).toEqual(
        Array.from(text, (character) => character.codePointAt(0)),
      );
      expect(advances.reduce((sum, advance) => sum + advance, 0)).toBeCloseTo(width);
    }
  },
);

describe('texts composed letter by letter', () => {
  it('equal what the rules of the font make of them', () => {
    const letters = [
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
      ...'áéíóúüñçàèòïÁÉÍÓÚÜÑÇÀÈÒÏß      ...,,,///%&\'"!?#$;ªº·«»“”‘’…€\u00a0',
      ...'xX()+*:@<>=–', // Those whose form depends on their neighbours.
    ];
    const text = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 24 });
    fc.assert(
      fc.property(text, (chosen) => expectSame(chosen.join(''))),
      { numRuns: 120 },
    );
  });

  it.each([
    '1.234,56 €',
    '00041/LO',
    'Obrador Candela, S.L.',
    'Taxi exprés, 2 x 4 m, 3x5',
    '2 × 4 m, 3×5', // With the sign as which an x between digits is drawn.
    'IVA incluido (21 %)',
    'Ref. 26-12: «TAX»',
    '2026-00012',
    'AVATAR To. Yo, Tú; L’Hospitalet',
    'an\u0303o', // ñ as n and its tilde.
  ])('also for «%s»', (text) => expectSame(text));

  it('also for a text full of x that is not plain, without trying each of them in two ways', () => {
    expectSame(`${'Ax'.repeat(40)}@`);
  });

  it.each(['Ruiz-Valdepeñas', '1234-ABC', 'e-mail:', 'A-12'])(
    'keep the hyphen of a word as narrow as its letters require: «%s»',
    (text) => expectSame(text, ['calt']),
  );

  it('measure the text around a hyphenated word as without it', () => {
    const widthOf = (text: string) => fontOf(600).shape(text).width;
    expect(widthOf('1.234 Ruiz-Peña 7,5')).toBeCloseTo(
      widthOf('1.234 ') + widthOf('Ruiz-Peña') + widthOf(' 7,5'),
    );
  });
});

describe('a subset of the font', () => {
  it.each(oracles)('draws its letters as the whole file does: %i', (weight, oracle) => {
    const { glyphs } = fontOf(weight).shape('Añorgà: «1.234,56 €» ÍÜç x@');
    const ids = [0, ...new Set(glyphs.map(({ id }) => id))];
    const subset = parse(fontOf(weight).file.subset(ids));
    ids.forEach((id, index) => {
      expect(subset.getGlyph(index).path.toSVG()).toBe(oracle.getGlyph(id).path.toSVG());
      expect(subset.getGlyph(index).advanceWidth).toBe(oracle.getGlyph(id).advanceWidth);
    });
  });
});
