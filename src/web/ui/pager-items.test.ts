import { describe, expect, it } from 'vitest';
import { pagerItems } from './pager-items.ts';

describe('pagerItems', () => {
  it('shows every page when there are five or fewer', () => {
    expect(pagerItems(1, 1)).toEqual([1]);
    expect(pagerItems(3, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('shows first, neighbours, last and gaps if there are more', () => {
    expect(pagerItems(6, 12)).toEqual([1, 'gap-before', 5, 6, 7, 'gap-after', 12]);
  });

  it('has no gap on the side of the first or last page it is on', () => {
    expect(pagerItems(1, 12)).toEqual([1, 2, 'gap-after', 12]);
    expect(pagerItems(12, 12)).toEqual([1, 'gap-before', 11, 12]);
  });

  it('never hides a single page behind a gap', () => {
    expect(pagerItems(4, 12)).toEqual([1, 2, 3, 4, 5, 'gap-after', 12]);
    expect(pagerItems(9, 12)).toEqual([1, 'gap-before', 8, 9, 10, 11, 12]);
  });

  it('shows no neighbours if there is no room for them', () => {
    expect(pagerItems(6, 12, 0)).toEqual([1, 'gap-before', 6, 'gap-after', 12]);
  });
});
