/** Which rows of the table are on which page. All in millimetres from the top of the page. */

/** If there is more to come, the last row of a page ends here or above: «Suma y sigue» goes below it. */
export const ROWS_END = 260;
/** Totals and payment end here or above. */
export const BLOCK_END = 270;

export interface PlanInput {
  readonly rowHeights: readonly number[];
  /** Where the first row of the first page begins. */
  readonly firstTop: number;
  /** The same on later pages, below «Suma anterior». */
  readonly nextTop: number;
  /** Height of totals and payment together, from the rule of the last row: they are not split. */
  readonly blockHeight: number;
}

/** Rows `from` to `to`, exclusive. */
export interface PageOfRows {
  readonly from: number;
  readonly to: number;
}

/** The totals never start a page alone or with a single row: two rows go with them. */
const COMPANY = 2;

/**
 * Fills each page with as many rows as fit; a row is never split. The last page has the totals. The first page has no
 * rows if not even one fits below what is above the table.
 *
 * A row taller than a page would overflow it: the table splits such rows beforehand.
 */
export function planPages({ rowHeights, firstTop, nextTop, blockHeight }: PlanInput): PageOfRows[] {
  const pages: PageOfRows[] = [];
  const count = rowHeights.length;
  let from = 0;
  let top = firstTop;
  if (firstTop + (rowHeights[0] ?? 0) > ROWS_END) {
    pages.push({ from, to: from });
    top = nextTop;
  }
  for (;;) {
    const { to, bottom } = fill(rowHeights, from, top);
    if (to === count && bottom + blockHeight <= BLOCK_END) return [...pages, { from, to }];
    const last = Math.min(to, Math.max(count - COMPANY, from + 1));
    pages.push({ from, to: last });
    if (last === count) return [...pages, { from: count, to: count }];
    from = last;
    top = nextTop;
  }
}

/** The rows that fit from there: at least one, so that the plan always ends. */
function fill(
  rowHeights: readonly number[],
  from: number,
  top: number,
): { to: number; bottom: number } {
  let to = from;
  let bottom = top;
  for (const height of rowHeights.slice(from)) {
    if (to > from && bottom + height > ROWS_END) break;
    bottom += height;
    to += 1;
  }
  return { to, bottom };
}
