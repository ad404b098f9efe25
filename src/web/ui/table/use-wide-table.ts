import { useMediaQuery } from '@mantine/hooks';

/**
 * Whether there is room for a table's columns: below that width of the window its rows are a list
 * that unfolds.
 */
export function useWideTable(from: '48em' | '62em' = '62em'): boolean {
  return useMediaQuery(`(min-width: ${from})`, true, { getInitialValueInEffect: false });
}
