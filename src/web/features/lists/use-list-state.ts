import { useSearchParams } from 'react-router';
import { type ListState, readListState, withListState } from './list-state.ts';

/** The state of a list, in the address. */
export function useListState(): [ListState, (change: Partial<ListState>) => void] {
  const [params, setParams] = useSearchParams();
  const change = (changed: Partial<ListState>) =>
    setParams((current) => withListState(current, changed), {
      // A letter more is not a page to come back to.
      replace: changed.search !== undefined,
      preventScrollReset: true,
    });
  return [readListState(params), change];
}
