import { describe, expect, it } from 'vitest';
import { oneLine, paragraphs } from './text.ts';

describe('text for printing', () => {
  it('composes letters, which is how the font has them', () => {
    expect(oneLine('Mun\u0303oz')).toBe('Muñoz');
  });

  it('drops what is not for printing', () => {
    expect(oneLine('a\u0000b\u200bc\u00add')).toBe('abcd');
  });

  it('leaves no hole where an emoji was, and keeps the signs that fonts have', () => {
    expect(paragraphs('🚗 Chapa\n👩🏽‍🔧 y pintura ❤️\nÑandú 🇪🇸.')).toBe('Chapa\ny pintura\nÑandú .');
    expect(oneLine('Marca® ©2026 ™ ✓ 1️⃣')).toMatch(/^Marca® ©2026 ™ ✓ 1/);
  });

  it('makes one line of several', () => {
    expect(oneLine('  Calle Mayor,\r\n 3\t 2.º ')).toBe('Calle Mayor, 3 2.º');
  });

  it('keeps paragraphs, and no more than one empty line between them', () => {
    expect(paragraphs('\n uno  y uno \r\n\n\n\ndos\u2028tres \n')).toBe('uno y uno\n\ndos\ntres');
  });
});
