import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BLOCK_END, type PlanInput, planPages, ROWS_END } from './plan.ts';

/** Rows of 10 mm; the first page has room for 15 of them (110 to 260), the others for 20. */
const input = (rows: number, blockHeight = 50): PlanInput => ({
  rowHeights: Array.from({ length: rows }, () => 10),
  firstTop: 110,
  nextTop: 60,
  blockHeight,
});

describe('planPages', () => {
  it('keeps the totals under the last row if both fit', () => {
    // 110 + 11 × 10 + 50 = 270.
    expect(planPages(input(11))).toEqual([{ from: 0, to: 11 }]);
  });

  it('moves the last two rows with the totals if these do not fit', () => {
    expect(planPages(input(12))).toEqual([
      { from: 0, to: 10 },
      { from: 10, to: 12 },
    ]);
    expect(planPages(input(15))).toEqual([
      { from: 0, to: 13 },
      { from: 13, to: 15 },
    ]);
  });

  it('does not leave one row alone with the totals either', () => {
    // Fifteen rows fit on the first page; the sixteenth takes the fifteenth with it.
    expect(planPages(input(16))).toEqual([
      { from: 0, to: 14 },
      { from: 14, to: 16 },
    ]);
  });

  it('continues over as many pages as needed', () => {
    expect(planPages(input(50))).toEqual([
      { from: 0, to: 15 },
      { from: 15, to: 35 },
      { from: 35, to: 50 },
    ]);
  });

  it('does not leave the first page without rows', () => {
    expect(planPages(input(2, 150))).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 2 },
    ]);
  });

  it('gives the totals a page of their own if no row can go with them', () => {
    expect(planPages(input(1, 155))).toEqual([
      { from: 0, to: 1 },
      { from: 1, to: 1 },
    ]);
  });

  it('leaves the first page without rows if not even one fits there', () => {
    expect(planPages({ ...input(3), firstTop: 251 })).toEqual([
      { from: 0, to: 0 },
      { from: 0, to: 3 },
    ]);
  });

  it('has every row once, in order, and nothing below its limit', () => {
    const rows = fc.array(fc.double({ min: 6, max: 140, noNaN: true }), { maxLength: 120 });
    const block = fc.double({ min: 40, max: 120, noNaN: true });
    fc.assert(
      fc.property(rows, block, (rowHeights, blockHeight) => {
        const pages = planPages({ rowHeights, firstTop: 110, nextTop: 50, blockHeight });
        const order = pages.flatMap(({ from, to }) => rowHeights.slice(from, to));
        expect(order).toEqual(rowHeights);
        pages.forEach(({ from, to }, index) => {
          const top = index === 0 ? 110 : 50;
          const bottom = rowHeights.slice(from, to).reduce((sum, height) => sum + height, top);
          const isLast = index === pages.length - 1;
          if (!isLast) expect(bottom).toBeLessThanOrEqual(ROWS_END);
          else if (to > from + 2) expect(bottom + blockHeight).toBeLessThanOrEqual(BLOCK_END);
        });
      }),
    );
  });
});
