import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  centsToEs,
  centsToNumber,
  centsToText,
  decimalComma,
  decimalToEs,
  decimalToText,
  divRound,
  hasTooManyDigits,
  MAX_CENTS,
  numberToCents,
  parseDecimal,
  parsePlainDecimal,
  sumText,
  textToCents,
} from './money.ts';

describe('divRound', () => {
  it.each([
    [5n, 2n, 3n], // 2.5 → 3
    [-5n, 2n, -3n], // -2.5 → -3: away from zero on both sides
    [4n, 3n, 1n],
    [-4n, 3n, -1n],
    [5n, -2n, -3n],
    [0n, 7n, 0n],
  ])('%s / %s is %s', (n, d, expected) => {
    expect(divRound(n, d)).toBe(expected);
  });

  it('is symmetric: -n rounds to the opposite of n', () => {
    const divisor = fc.bigInt({ min: 1n, max: 10n ** 14n });
    fc.assert(
      fc.property(fc.bigInt(), divisor, (n, d) => {
        expect(divRound(-n, d)).toBe(-divRound(n, d));
      }),
    );
  });

  it('is never further than half a divisor from the exact quotient', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt({ min: 1n, max: 10n ** 14n }), (n, d) => {
        const rest = 2n * (n - divRound(n, d) * d);
        expect(rest <= d && rest >= -d).toBe(true);
      }),
    );
  });

  it('refuses to divide by zero', () => {
    expect(() => divRound(1n, 0n)).toThrow(RangeError);
  });
});

describe('parseDecimal', () => {
  it.each<[string | number, number, bigint | null]>([
    ['1.234,56', 2, 123456n],
    ['1234.56', 2, 123456n],
    ['1234,56', 2, 123456n],
    ['1.234', 2, 123400n], // ambiguous: thousands
    ['1.234.567', 0, 1234567n],
    ['1.234.567,8', 2, 123456780n],
    ['0.500', 3, 500n], // no thousands begin with zero
    ['1234.567', 3, 1234567n], // nor with four digits
    ['10,005', 6, 10005000n],
    ['1.2345', 4, 12345n],
    ['-3,5', 2, -350n],
    ['+3', 2, 300n],
    [' 12,5 € ', 2, 1250n],
    ['12,5€', 2, 1250n],
    [',5', 2, 50n],
    ['.5', 2, 50n],
    ['5,', 2, 500n],
    ['5.', 2, 500n],
    ['1,500', 2, 150n], // trailing zeros mean nothing
    ['1,50000', 2, 150n],
    ['007', 0, 7n],
    ['00000000000012', 2, 1200n],
    ['-0', 2, 0n],
    [1.234, 3, 1234n], // a number never has thousands separators
    [10.005, 6, 10005000n],
    [-1, 2, -100n],
    ['1,234', 2, null], // too many decimals
    ['1.23,4', 2, null],
    ['1,234.56', 2, 123456n], // not a Spanish way to write numbers
    ['1,234,567', 2, 123456700n],
    ['-123,456.78', 2, -12345678n],
    ['+1,234,567.8', 2, 123456780n],
    ['1,234 €', 2, null], // a comma is a decimal one, also before a euro sign
    ['1,234 €', 3, 1234n],
    ['1234,567.89', 2, null],
    ['1,234.5,6', 2, null],
    ['1,2.3', 2, null],
    ['+1.234', 2, 123400n],
    ['+1.234,5', 2, 123450n],
    ['1234.567,8', 2, null],
    ['.123,4', 2, null],
    ['12,34.56', 2, null],
    ['1,234,56', 2, null],
    ['1 234 567,8', 2, 123456780n],
    ['1\u00a0234,56\u00a0€', 2, 123456n],
    ['1\u202f234', 2, 123400n],
    ['1 23', 2, null], // two numbers
    ['- 500', 2, null],
    ['123 456,7', 2, 12345670n],
    ['+1 234.56', 2, 123456n],
    ['1234 567', 2, null],
    ['1 2345', 2, null],
    ['€12,5', 2, 1250n],
    ['EUR 12,5', 2, 1250n],
    ['12,5 eur', 2, 1250n],
    ['1€2', 2, null],
    ['€ 1.234,56', 2, 123456n],
    ['1.234,56 EUR', 2, 123456n],
    ['−3,5', 2, -350n], // the minus sign of a page, not of a keyboard
    ['€', 2, null],
    ['1.2.3', 2, null],
    ['', 2, null],
    ['-', 2, null],
    [',', 2, null],
    ['abc', 2, null],
    ['1e3', 2, null],
    ['１２', 2, null], // full width digits
    ['0x10', 2, null],
    ['1234567890123', 2, null], // thirteen integer digits
    ['999999999999,99', 2, 99999999999999n],
    [Number.NaN, 2, null],
    [Number.POSITIVE_INFINITY, 2, null],
    [1e21, 2, null],
    [5e-7, 6, null],
  ])('%j with %i decimals is %s', (text, decimals, expected) => {
    expect(parseDecimal(text, decimals)).toBe(expected);
  });

  it('reads back what decimalToEs and decimalToText write', () => {
    const value = fc.bigInt({ min: 1n - 10n ** 12n, max: 10n ** 12n - 1n });
    fc.assert(
      fc.property(value, fc.integer({ min: 0, max: 6 }), (scaled, decimals) => {
        const es = decimalToEs(scaled, decimals, decimals);
        expect(parseDecimal(es, decimals)).toBe(scaled);
        const text = decimalToText(scaled, decimals);
        expect(parseDecimal(Number(text), decimals)).toBe(scaled);
        expect(parsePlainDecimal(text, decimals)).toBe(scaled);
      }),
    );
  });
});

it.each([
  ['999.999.999.999,99', false],
  ['1.000.000.000.000', true],
  ['-1234567890123', true],
  ['+1 234 567 890 123', true],
  ['0001234567890', false],
  ['1,1234567890123', false],
  ['12345678901234 y pico', false],
  ['', false],
  [999999999999, false],
  [-1000000000000, true],
  [1e21, true],
  [Number.NaN, false],
])('that %j has too many digits is %s', (text, expected) => {
  expect(hasTooManyDigits(text)).toBe(expected);
});

describe('parsePlainDecimal', () => {
  it.each<[string, number, bigint | null]>([
    ['1.459', 6, 1459000n], // a program writes no thousands separators
    ['100.000', 2, 10000n],
    ['-12.500', 4, -125000n],
    ['+3', 2, 300n],
    ['.5', 2, 50n],
    ['5.', 2, 500n],
    ['1.234', 2, null],
    ['1.234.567', 0, null],
    ['1,5', 2, null],
    ['1 234', 2, null],
    ['1e3', 2, null],
    ['1234567890123', 2, null],
    ['.', 2, null],
    ['', 2, null],
  ])('%j with %i decimals is %s', (text, decimals, expected) => {
    expect(parsePlainDecimal(text, decimals)).toBe(expected);
  });
});

describe('cents as text', () => {
  it.each([
    [0n, '0.00', '0,00'],
    [5n, '0.05', '0,05'],
    [-5n, '-0.05', '-0,05'],
    [12100n, '121.00', '121,00'],
    [123456n, '1234.56', '1.234,56'],
    [-123456789n, '-1234567.89', '-1.234.567,89'],
    [100000n, '1000.00', '1.000,00'],
  ])('%s is %s and %s', (cents, text, es) => {
    expect(centsToText(cents)).toBe(text);
    expect(centsToEs(cents)).toBe(es);
    expect(textToCents(text)).toBe(cents);
  });

  it.each([
    ['121', 12100n],
    ['-3.5', -350n],
    ['3.', 300n],
  ])('reads %s', (text, cents) => {
    expect(textToCents(text)).toBe(cents);
  });

  it.each(['1,5', '', '1.234', 'abc', '--1', '1e2'])('throws on %j', (text) => {
    expect(() => textToCents(text)).toThrow(RangeError);
  });

  it('has a largest amount, which is read', () => {
    expect(centsToText(MAX_CENTS)).toBe('999999999999.99');
    expect(parseDecimal(centsToText(MAX_CENTS), 2)).toBe(MAX_CENTS);
    expect(parseDecimal(centsToText(MAX_CENTS + 1n), 2)).toBeNull();
  });

  it('adds up', () => {
    expect(sumText(['121.00', '-3.5', '0.05'])).toBe('117.55');
    expect(sumText([])).toBe('0.00');
  });

  it('makes JSON numbers with at most two decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), (cents) => {
        const json = JSON.stringify(centsToNumber(cents));
        expect(json).toMatch(/^-?\d+(\.\d{1,2})?$/);
        expect(textToCents(json === '-0' ? '0' : json)).toBe(cents);
      }),
    );
  });

  it('reads them back', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MAX_CENTS, max: MAX_CENTS }), (cents) => {
        expect(numberToCents(centsToNumber(cents))).toBe(cents);
      }),
    );
  });

  it('rejects numbers that are no amounts', () => {
    expect(() => numberToCents(0.005)).toThrow(RangeError);
    expect(() => numberToCents(Number.NaN)).toThrow(RangeError);
  });
});

describe('decimalToEs', () => {
  it.each([
    [25000n, 4, 0, '2,5'],
    [20000n, 4, 0, '2'],
    [12345678n, 6, 2, '12,345678'],
    [12500000n, 6, 2, '12,50'],
    [12345678900n, 4, 0, '1.234.567,89'],
    [-5n, 4, 2, '-0,0005'],
    [7n, 0, 0, '7'],
    [1234n, 0, 0, '1.234'],
  ])('%s with %i decimals, at least %i, is %s', (value, decimals, min, expected) => {
    expect(decimalToEs(value, decimals, min)).toBe(expected);
  });

  it.each([
    [25000n, '2,5', '2.5'],
    [20000n, '2', '2'],
    [-12345678n, '-1.234,5678', '-1234.5678'],
  ])(
    '%s with four decimals is %s without zeros at the end, and %s as plain text',
    (value, es, text) => {
      expect(decimalToEs(value, 4)).toBe(es);
      expect(decimalToText(value, 4)).toBe(text);
    },
  );
});

describe('decimalComma', () => {
  it.each([
    [2.5, '2,5'],
    ['2.50', '2,50'],
    ['100,50', '100,50'],
    ['1.234,50', '1.234,50'],
    ['12', '12'],
    // In text it is thousands; a JSON number never is.
    ['1.234', '1.234'],
    [1.234, '1,234'],
    [1.234_567_8, '1,2345678'], // More decimals than there may be: refused where it is read.
    ['1.2.3', '1.2.3'],
    ['doce', 'doce'],
    ['', ''],
  ])('%j is %s', (typed, expected) => {
    expect(decimalComma(typed, 6)).toBe(expected);
  });
});
