import { useMediaQuery } from '@mantine/hooks';

/** Whether there is room for a table's columns: below it, its rows are a list that unfolds. */
export function useWideTable(): boolean {
  return useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false });
}
