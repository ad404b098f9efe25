import { describe, expect, it } from 'vitest';
import { decoded, readCsv } from './csv.ts';
import { ChoiceFinder, cellText, readDecimal, withSign } from './read-values.ts';

const BOUNDS = { rows: 100, columns: 20 };
const TEXT = 'Razón social;Cuota €\r\n"Muñoz; Hijos";1,5\r\n';

function utf16(text: string, { isBig, hasMark }: { isBig: boolean; hasMark: boolean }): Buffer {
  const bytes = Buffer.from((hasMark ? '\ufeff' : '') + text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
}

function rowsOf(file: Uint8Array): string[][] {
  const sheet = readCsv(file, BOUNDS);
  return Array.from({ length: sheet.rowCount }, (_, row) =>
    [0, 1, 2].map((column) => cellText(sheet.at(row, column))),
  );
}

describe('a CSV', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT)],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${TEXT}`)],
    ['UTF-16 with its mark', utf16(TEXT, { isBig: false, hasMark: true })],
    ['UTF-16 of big end with its mark', utf16(TEXT, { isBig: true, hasMark: true })],
    ['UTF-16 without a mark', utf16(TEXT, { isBig: false, hasMark: false })],
    // ó, ñ and € are F3, F1 and 80 in Windows-1252.
    ['Windows-1252', Buffer.from(TEXT.replace('€', '\u0080'), 'latin1')],
  ])('is read in %s', (_, file) => {
    expect(decoded(file)).toBe(TEXT);
    expect(rowsOf(file)).toEqual([
      ['Razón social', 'Cuota €', ''],
      ['Muñoz; Hijos', '1,5', ''],
    ]);
  });

  it.each([false, true])('is read in UTF-16 for its mark alone, of big end: %s', (isBig) => {
    // Of Greek letters no half is a zero, by which it could be guessed.
    const text = 'Όνομα;Χώρα\nΈνα;Ελλάδα\n';
    expect(decoded(utf16(text, { isBig, hasMark: true }))).toBe(text);
  });

  it.each([';', ',', '\t', '|'])('is read with «%s» between its columns', (separator) => {
    const line = (...cells: string[]) => cells.map((cell) => `"${cell}"`).join(separator);
    const file = Buffer.from(`${line('Nombre', 'NIF', 'CP')}\n${line('Uno, S.L.', 'B1', '01001')}`);
    expect(rowsOf(file)).toEqual([
      ['Nombre', 'NIF', 'CP'],
      ['Uno, S.L.', 'B1', '01001'],
    ]);
  });

  it('is read below lines of another width, with commas in its names', () => {
    const file = [
      'Pérez, Núñez y Cía., S.L.',
      'Listado de clientes;12/11/2026',
      '',
      'Código;Nombre;NIF',
      ...Array.from({ length: 12 }, (_, index) => `${index};Instalaciones ${index}, S.L.;B1`),
    ];
    expect(rowsOf(Buffer.from(file.join('\r\n')))[4]).toEqual(['0', 'Instalaciones 0, S.L.', 'B1']);
  });

  it('follows the separator line that Excel writes first', () => {
    expect(rowsOf(Buffer.from('sep=|\nNombre|Precio;IVA\nUno|2;3'))[1]?.slice(0, 2)).toEqual([
      ...['Uno', '2;3'],
    ]);
  });
});

describe('a rate of another program', () => {
  it.each(['7,5', '7.5', '7,50 %', '7.50%'])('%s is found among the taxes', (value) => {
    const taxes = new ChoiceFinder('impuestos', [
      { value: 'IVA7.5', label: 'IVA 7,5 %', also: ['7.5'] },
    ]);
    expect(taxes.read({ kind: 'value', value })).toEqual({ ok: true, text: 'IVA7.5' });
  });
});

describe('a number of another program', () => {
  it.each([
    ['1.234,50', ',', '1234.5'],
    ['1.234', ',', '1234'],
    ['12,5 €', ',', '12.5'],
    ['1,234.50', '.', '1234.5'],
    ['1.234', '.', '1.234'],
    ['12,00-', ',', '-12'],
  ] as const)('%s with «%s» is %s', (text, sign, number) => {
    const read = readDecimal({ kind: 'value', value: text }, 6, sign);
    expect(read).toMatchObject({ ok: true, text: expect.stringMatching(/^-?[\d.]+$/) });
    expect(Number((read as { text: string }).text)).toBe(Number(number));
  });

  it('is refused if it is written with the other decimal sign, without guessing', () => {
    expect(withSign('12.50', ',')).toBeNull();
    expect(withSign('12,50', '.')).toBeNull();
    expect(withSign('1.23.4', ',')).toBeNull();
  });
});
