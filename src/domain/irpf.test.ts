import { describe, expect, it } from 'vitest';
import { checkRetention, retentionOptions } from './irpf.ts';
import { parseDecimal } from './money.ts';
import type { Territory } from './postal-code.ts';

describe('the rates of retention', () => {
  const ofPeninsula = (current: string) => retentionOptions(current, 'peninsula');
  const ofTheLaw = ofPeninsula('').length;

  it.each([
    ['9,5', '9,5\u00a0%'],
    ['9.50', '9,5\u00a0%'],
    ['no', 'no'],
  ])('have the %s of the draft, as it is read', (current, label) => {
    expect(ofPeninsula(current)).toHaveLength(ofTheLaw + 1);
    expect(ofPeninsula(current).at(-1)).toEqual({ value: current, label });
  });

  it.each(['15', '15,00', '15.0'])('have %s once, with its words', (current) => {
    expect(ofPeninsula(current)).toHaveLength(ofTheLaw);
    expect(ofPeninsula(current).find(({ value }) => value === current)?.label).toBe(
      '15 %, profesionales',
    );
  });

  it('are 60 % less in Ceuta and Melilla, for who has the right to it', () => {
    const rates = (territory: Territory) =>
      retentionOptions('', territory).map(({ value }) => Number(parseDecimal(value, 2)) / 100);
    const usual = [15, 7, 19, 1, 2, 24];
    expect(rates('peninsula')).toEqual(usual);
    expect(rates('canarias')).toEqual(usual);
    // 15, 7 and 19 × 0.4.
    expect(rates('ceuta-melilla')).toEqual([6, 2.8, 7.6, ...usual]);
  });
});

it.each([
  ['', 0n],
  ['15', 1_500n],
  ['2,8', 280n],
  ['7.00', 700n],
  [19, 1_900n],
  ['50', 5_000n],
  ['50,01', null],
  ['-1', null],
  ['1,234', null],
  ['quince', null],
])('«%s» is a retention of %s', (percent, bps) => {
  expect(checkRetention(percent)).toBe(bps);
});
