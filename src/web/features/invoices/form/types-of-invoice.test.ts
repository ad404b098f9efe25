import { describe, expect, it } from 'vitest';
import { retentionOptions } from './types-of-invoice.ts';

describe('the rates of retention', () => {
  const ofTheLaw = retentionOptions('').length;

  it.each([
    ['9,5', '9,5\u00a0%'],
    ['9.50', '9,5\u00a0%'],
    ['no', 'no'],
  ])('have the %s of the draft, as it is read', (current, label) => {
    expect(retentionOptions(current)).toHaveLength(ofTheLaw + 1);
    expect(retentionOptions(current).at(-1)).toEqual({ value: current, label });
  });

  it.each(['15', '15,00', '15.0'])('have %s once, with its words', (current) => {
    expect(retentionOptions(current)).toHaveLength(ofTheLaw);
    expect(retentionOptions(current).find(({ value }) => value === current)?.label).toBe(
      '15 %, profesionales',
    );
  });
});
