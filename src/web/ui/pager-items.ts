export type PagerItem = number | 'gap-before' | 'gap-after';

/**
 * The buttons of a pager: all pages if there are at most five; otherwise the first, the current one with its
 * neighbours, the last, and gaps for skipped pages. A gap never stands for a single page: then that page is shown.
 */
export function pagerItems(page: number, pages: number, neighbours = 1): PagerItem[] {
  if (pages <= 5) return range(1, pages);
  const from = Math.max(2, page - neighbours);
  const to = Math.min(pages - 1, page + neighbours);
  const before: PagerItem[] = from > 3 ? ['gap-before'] : range(2, from - 1);
  const after: PagerItem[] = to < pages - 2 ? ['gap-after'] : range(to + 1, pages - 1);
  return [1, ...before, ...range(from, to), ...after, pages];
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}
