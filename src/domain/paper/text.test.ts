import { describe, expect, it } from 'vitest';
import { drawable, oneLine, paragraphs, unprinted } from './text.ts';

describe('text for printing', () => {
  it('has composed letters, as the font does', () => {
    expect(oneLine('Mun\u0303oz')).toBe('Muñoz');
  });

  it('loses characters that cannot be printed', () => {
    expect(oneLine('a\u0000b\u200bc\u00add')).toBe('abcd');
  });

  it('keeps each letter and sign of Western Europe, and loses the controls among them', () => {
    const lost = /[\p{Cc}\p{Cf}]/u;
    for (let code = 0; code <= 0xff; code += 1) {
      const sign = String.fromCharCode(code);
      const isBlank = '\t\n\v\f\r'.includes(sign);
      const printed = isBlank ? ' ' : lost.test(sign) ? '' : sign;
      // Beside an emoji, each goes the way of all other texts.
      expect([sign, oneLine(`a${sign}b`)]).toEqual([sign, oneLine(`a${printed}b`)]);
      expect([sign, oneLine(`a${sign}b 😀`)]).toEqual([sign, oneLine(`a${printed}b`)]);
    }
  });

  it('has no gap in the place of an emoji, and keeps the symbols that fonts have', () => {
    expect(paragraphs('🚗 Chapa\n👩🏽‍🔧 y pintura ❤️\nÑandú 🇪🇸.')).toBe('Chapa\ny pintura\nÑandú .');
    expect(oneLine('Marca® ©2026 ™ ✓ 1️⃣')).toBe('Marca® ©2026 ™ ✓ 1');
  });

  it('is joined from several lines into one', () => {
    expect(oneLine('  Calle Mayor,\r\n 3\t 2.º ')).toBe('Calle Mayor, 3 2.º');
  });

  it('keeps its paragraphs, with at most one empty line between them', () => {
    expect(paragraphs('\n uno  y uno \r\n\n\n\ndos\u2028tres\vcuatro \n')).toBe(
      'uno y uno\n\ndos\ntres\ncuatro',
    );
  });

  it('has a sign for each letter that the typeface lacks', () => {
    expect(drawable('Pan 株式 «ñandú», 12 €')).toBe('Pan □□ «ñandú», 12 €');
  });

  it('says which letters and drawings are not printed, each once', () => {
    expect(unprinted('Mun\u0303oz, S.L.\u200b\n\tΑθήνα, София, 12\u00a0€ ✓')).toEqual({
      letters: [],
      drawings: [],
    });
    expect(unprinted('株式会社\u3000株 😀 y 👩🏽‍🔧 😀 ✔')).toEqual({
      letters: ['株', '式', '会', '社', '✔'],
      drawings: ['😀', '👩🏽‍🔧'],
    });
    expect(unprinted('Nº 1️⃣')).toEqual({ letters: [], drawings: [] });
  });
});
