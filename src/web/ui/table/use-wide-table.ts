import { useMediaQuery } from '@mantine/hooks';

/**
 * Whether there is room for a table's columns: below that width of the window its rows are a list
 * that unfolds.
 */
export function useWideTable(from: `${number}em` = '62em'): boolean {
  return useMediaQuery(`(min-width: ${from})`, true, { getInitialValueInEffect: false });
}

/** Whether the columns of a table may be as wide as they like, with the words of their buttons. */
export function useRoomyTable(): boolean {
  return useMediaQuery('(min-width: 84em)', true, { getInitialValueInEffect: false });
}
