import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  calledInvoice,
  checkNoSerie,
  counterIn,
  formatNoSerie,
  parseNoSerie,
  SERIES_KINDS,
  type Series,
  seriesKindOf,
  siblingSeries,
} from './series.ts';

const seriesOf = (text: string): Series => {
  const series = parseNoSerie(text);
  if (!series) throw new Error(`no counter in ${text}`);
  return series;
};

const sold = (tax: string) => ({ description: 'Uno', price: '1', tax });

const next = (text: string): string => {
  const series = seriesOf(text);
  return formatNoSerie({ ...series, nextNumber: series.nextNumber + 1n });
};

describe('the counter', () => {
  it.each([
    ['00001/LO', '00002/LO'],
    ['00009/LO', '00010/LO'],
    ['99999/LO', '100000/LO'],
    ['00001/26', '00002/26'], // leading digits come first
    ['F26-00001', 'F26-00002'], // otherwise the last run of digits
    ['2027/00001', '2028/00001'],
    ['A/2026-0001B', 'A/2026-0002B'],
    ['1', '2'],
    ['9', '10'],
  ])('%s is followed by %s', (text, expected) => {
    expect(next(text)).toBe(expected);
  });

  it('returns as it was written', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Z/-]{0,5}\d{1,9}[A-Z/-]{0,5}$/), (text) => {
        const series = parseNoSerie(text);
        expect(series && formatNoSerie(series)).toBe(text);
      }),
    );
  });

  it('is absent without digits, or with more digits than a counter holds', () => {
    expect(parseNoSerie('LOS')).toBeNull();
    expect(parseNoSerie('123456789012345')).toMatchObject({ width: 15 });
    expect(parseNoSerie('1234567890123456')).toBeNull();
  });
});

describe('the counter of a number that the AEAT holds', () => {
  it.each([
    ['F26-00001', 'F26-00042', 42n],
    ['00001/LO', '00042/LO', 42n],
    ['00001/LO', '100042/LO', 100_042n], // It has grown beyond its width.
    ['00001/LO', '00042/LOR', null], // Another of the six.
    ['00001/LO', '00042/LA', null],
    ['F26-00001', 'F27-00042', null],
    ['1/LO', '7/LO', 7n],
    ['F26-00001', 'F26-', null],
    ['F26-00001', 'F26-0004A', null],
    ['F26-00001', 'F26-A0004', null],
    ['A1A', 'A', null], // Prefix and suffix are the same letter.
  ])('in the series of %s, %s has %s', (text, number, counter) => {
    expect(counterIn(seriesOf(text), number)).toBe(counter);
  });
});

describe('the six series', () => {
  it('add S, R, RS, G and M at the end of the text', () => {
    const siblings = siblingSeries(seriesOf('00001/LO'));
    expect(SERIES_KINDS.map((kind) => formatNoSerie(siblings[kind]))).toEqual([
      '00001/LO',
      '00001/LOS',
      '00001/LOR',
      '00001/LORS',
      '00001/LOG',
      '00001/LOM',
    ]);
  });

  it('F26-00001 becomes F26-00001R, whose counter is still 00001', () => {
    expect(next('F26-00001R')).toBe('F26-00002R');
  });

  it.each([
    ['F1', 'F'],
    ['F2', 'S'],
    ['F3', 'F'],
    ['R1', 'R'],
    ['R4', 'R'],
    ['R5', 'RS'],
  ])('%s is numbered in %s', (tipo, kind) => {
    expect(seriesKindOf(tipo, [sold('IVA21')], '01')).toBe(kind);
  });

  it('telephones under art. 84.Uno.2.º g) are numbered in G, but not their rectificativas', () => {
    const lines = [sold('IVA21'), sold('ISPTEC')];
    expect(seriesKindOf('F1', lines, '01')).toBe('G');
    expect(seriesKindOf('R1', lines, '01')).toBe('R');
    expect(seriesKindOf('F2', lines, '01')).toBe('S');
  });

  it('the tax of an empty line, which is not invoiced, takes it to no other series', () => {
    const empty = { description: ' ', price: '', tax: 'ISPTEC' };
    expect(seriesKindOf('F1', [sold('IVA21'), empty], '01')).toBe('F');
    expect(seriesKindOf('F1', [sold('IVA21'), { ...empty, price: '0' }], '01')).toBe('F');
  });
});

describe('what agencies invoice as intermediaries (D.A. 4.ª)', () => {
  it.each([
    ['the situation', 'AGENMED21', '01'],
    ['codes by hand', '01/09/S1/21', '01'],
    ['the key of the whole invoice', 'IVA21', '09'],
  ])('is numbered in M by %s', (_, tax, claveRegimen) => {
    expect(seriesKindOf('F1', [sold(tax)], claveRegimen)).toBe('M');
    expect(seriesKindOf('R1', [sold(tax)], claveRegimen)).toBe('R');
  });

  it('is not numbered in M with the other keys of agencies', () => {
    expect(seriesKindOf('F1', [sold('01/05/S1/21')], '05')).toBe('F');
  });
});

it('lines of both separate series, which the rules refuse in one invoice, are numbered by the first', () => {
  const telephone = sold('ISPTEC');
  const mediation = sold('AGENMED21');
  const ordinary = sold('IVA21');
  expect(seriesKindOf('F1', [ordinary, telephone, mediation], '01')).toBe('G');
  expect(seriesKindOf('F1', [ordinary, mediation, telephone], '01')).toBe('M');
  // A line's own tax goes before the key of the whole invoice.
  expect(seriesKindOf('F1', [telephone, ordinary], '09')).toBe('G');
  expect(seriesKindOf('F1', [ordinary, telephone], '09')).toBe('M');
});

describe('checkNoSerie', () => {
  it.each([
    '00001/LO',
    'F26-00001',
    '1',
    'A & B 1',
    'FB-00001',
    'B-1/26',
    'B-1A',
    `1${'X'.repeat(57)}`,
  ])('accepts %s', (text) => {
    expect(checkNoSerie(text)).toBeNull();
  });

  it.each([
    ['', /vacío/],
    [' 00001', /espacios/],
    ['LOS', /debe llevar cifras/],
    ['00001/Ñ', /tilde/],
    ['00001="', /no admite/],
    ['00001\n', /no admite|tilde/],
    ['00001,LO', /comas/],
    ['1234567890123456', /15 cifras/],
    [`1${'X'.repeat(58)}`, /60 caracteres/],
    ['B-00001', /borradores/],
  ])('refuses %j', (text, reason) => {
    expect(checkNoSerie(text)).toMatch(reason);
  });
});

it('a draft is called a draft, and what has a number of a series an invoice', () => {
  expect(['B-12', '00001/26', 'B-1/26', 'B-', 'FB-1'].map(calledInvoice)).toEqual([
    'el borrador B-12',
    'la factura 00001/26',
    'la factura B-1/26',
    'la factura B-',
    'la factura FB-1',
  ]);
});
