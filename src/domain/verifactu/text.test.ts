import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeXml, xmlText } from './text.ts';

describe('xmlText', () => {
  it.each([
    ['Café & niños <3', 120, 'Café & niños <3'],
    ['  dos\n líneas\t ', 120, 'dos  líneas'],
    ['a\u0000b\u0007c\ufffed', 120, 'abcd'],
    ['media \ud83d pareja', 120, 'media  pareja'],
    ['entera \ud83d\ude00', 120, 'entera \ud83d\ude00'],
    ['\u00a0nbsp\u00a0', 120, 'nbsp'],
    ['abcdef', 3, 'abc'],
    ['ab cd', 3, 'ab'], // the trailing blank is removed too
    ['\ud83d\ude00\ud83d\ude00\ud83d\ude00', 2, '\ud83d\ude00\ud83d\ude00'],
    ['', 5, ''],
  ])('%j within %i is %j', (text, max, expected) => {
    expect(xmlText(text, max)).toBe(expected);
  });

  it('always fits, is trimmed, and does not change when cut again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
        const fitted = xmlText(text, max);
        expect([...fitted].length).toBeLessThanOrEqual(max);
        expect(fitted).toBe(fitted.trim());
        expect(xmlText(fitted, max)).toBe(fitted);
      }),
    );
  });
});

describe('escapeXml', () => {
  it.each([
    ['A & B < C > D', 'A &amp; B &lt; C &gt; D'],
    ['&amp;', '&amp;amp;'],
    ['x]]>y', 'x]]&gt;y'],
    [`"comillas" y 'apóstrofos'`, `"comillas" y 'apóstrofos'`],
  ])('%s is written %s', (text, expected) => {
    expect(escapeXml(text)).toBe(expected);
  });
});
