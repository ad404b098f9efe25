import { describe, expect, it } from 'vitest';
import {
  isRectificativa,
  isSimplified,
  MAX_NUMBERS_NAMED,
  numbersToLookUp,
  signOf,
  simplifiedFields,
  tipoFacturaOf,
} from './invoice.ts';

const draft = { type: 'factura', invoiceType: 0, crmemoType: 0, isSimplificada: false } as const;

describe('tipoFacturaOf', () => {
  it.each(['F1', 'F2', 'F3', 'F4'])('factura by position: %s', (expected) => {
    const invoiceType = Number(expected.slice(1)) - 1;
    expect(tipoFacturaOf({ ...draft, invoiceType })).toBe(expected);
  });

  it.each(['R1', 'R2', 'R3', 'R4', 'R5'])('abono by position: %s', (expected) => {
    const crmemoType = Number(expected.slice(1)) - 1;
    expect(tipoFacturaOf({ ...draft, type: 'abono', crmemoType })).toBe(expected);
  });

  it('the simplified checkbox decides', () => {
    expect(tipoFacturaOf({ ...draft, isSimplificada: true })).toBe('F2');
    expect(tipoFacturaOf({ ...draft, invoiceType: 2, isSimplificada: true })).toBe('F2');
    expect(tipoFacturaOf({ ...draft, type: 'abono', isSimplificada: true })).toBe('R5');
  });
});

it('only an abono por diferencias changes the sign', () => {
  expect(signOf({ type: 'abono', tipoRectificativa: 'I' })).toBe(-1n);
  expect(signOf({ type: 'abono', tipoRectificativa: 'S' })).toBe(1n);
  expect(signOf({ type: 'factura', tipoRectificativa: 'I' })).toBe(1n);
});

it('F2 and R5 are simplified; every R is a rectificativa', () => {
  const all = ['F1', 'F2', 'F3', 'F4', 'R1', 'R2', 'R3', 'R4', 'R5'] as const;
  expect(all.filter(isSimplified)).toEqual(['F2', 'R5']);
  expect(all.filter(isRectificativa)).toEqual(['R1', 'R2', 'R3', 'R4', 'R5']);
});

it('what is simplified by its tick or by either code has all three', () => {
  const all = { isSimplificada: true, invoiceType: 1, crmemoType: 4 };
  expect(simplifiedFields({ ...draft, isSimplificada: true })).toEqual(all);
  expect(simplifiedFields({ ...draft, invoiceType: 1 })).toEqual(all);
  expect(simplifiedFields({ ...draft, type: 'abono', crmemoType: 4 })).toEqual(all);
  expect(simplifiedFields({ ...draft, crmemoType: 4 })).toEqual({});
});

it('looks up no more of the numbers that a draft names than show that there are too many', () => {
  const numbers = Array.from({ length: 15_000 }, (_, number) => String(number));
  expect(numbersToLookUp(numbers.join(','))).toEqual(numbers.slice(0, MAX_NUMBERS_NAMED + 1));
  expect(numbersToLookUp(' 00001/26, ,00002/26')).toEqual(['00001/26', '00002/26']);
});
