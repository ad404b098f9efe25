import { useSearchParams } from 'react-router';
import type { Column } from '../../ui/table/data-table.tsx';
import { type ListState, readListState, withListState } from './list-state.ts';

/** The state of a list with those columns, stored in the address. */
export function useListState(
  columns: readonly Column<never>[],
): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useSearchParams();
  const sortable = columns.flatMap(({ sortBy }) => sortBy ?? []);
  const change = (changed: Partial<ListState>) =>
    setParams((current) => withListState(current, sortable, changed), {
      // Typing another letter is not a page to go back to.
      replace: changed.search !== undefined,
      preventScrollReset: true,
    });
  return [readListState(params, sortable), change];
}
