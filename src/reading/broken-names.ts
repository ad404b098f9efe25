import { isCalledAsStreet, isOnlyForm, isStation, LEGAL_FORM } from './party-words.ts';
import { type Cell, cellFrom, type Row } from './words.ts';

/**
 * Joins the names of companies that are called after a street and did not fit in their line, each half of which looks
 * like something else: `Ronda Norte` over `Automoción, S.A.`, `Calle Real Hostelería,` over `S.L.`
 */
export function withWholeNames(rows: readonly Row[]): Row[] {
  const gone = new Set<Cell>();
  const whole = new Map<Cell, Cell>();
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    const rest = /\d/.test(cell.plain) ? undefined : restOfName(rows, cell);
    if (!rest) continue;
    whole.set(cell, cellFrom([...cell.words, ...rest.words], cell.row));
    gone.add(rest);
  }
  if (gone.size === 0) return [...rows];
  return rows.map((row) => ({
    ...row,
    cells: row.cells.filter((cell) => !gone.has(cell)).map((cell) => whole.get(cell) ?? cell),
  }));
}

function restOfName(rows: readonly Row[], cell: Cell): Cell | undefined {
  if (LEGAL_FORM.test(cell.plain)) return undefined;
  const h = cell.words[0]?.h ?? cell.h;
  return rows
    .slice(cell.row + 1, cell.row + 4)
    .filter(({ page }) => page === cell.page)
    .flatMap(({ cells }) => cells)
    .find((below) => {
      const isUnder =
        Math.abs(below.x - cell.x) < 0.6 * h ||
        Math.abs(below.x + below.w / 2 - cell.x - cell.w / 2) < 0.5 * h;
      const isClose =
        below.y - cell.y < 1.9 * h && Math.abs((below.words[0]?.h ?? 0) - h) < 0.3 * h;
      return (
        isUnder &&
        isClose &&
        isCalledAsStreet(`${cell.plain} ${below.plain}`) &&
        (isOnlyForm(below) || hadNoRoom(rows, cell, below))
      );
    });
}

/** Whether the line, with the first word of the next one, would have been wider than any in its column. */
export function hadNoRoom(rows: readonly Row[], line: Cell, next: Cell): boolean {
  if (isStation(line.plain)) return false;
  const h = line.words[0]?.h ?? line.h;
  const column = rows
    .slice(Math.max(0, line.row - 6), line.row + 9)
    .filter(({ page }) => page === line.page)
    .flatMap(({ cells }) => cells)
    .filter(({ x, w }) => Math.abs(x - line.x) < h || Math.abs(x + w - line.x - line.w) < 0.3 * h);
  const widest = Math.max(...column.map(({ w }) => w));
  return line.w + 0.25 * h + (next.words[0]?.w ?? 0) > widest - 0.3 * h;
}
