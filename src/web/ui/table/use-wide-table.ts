import { useMediaQuery } from '@mantine/hooks';

/** Whether there is room for a table's columns: in a narrower window its rows are a list that unfolds. */
export function useWideTable(from: `${number}em` = '62em'): boolean {
  return useMediaQuery(`(min-width: ${from})`, true, { getInitialValueInEffect: false });
}

/** Whether the columns of a table may have their full width, with the words of their buttons. */
export function useRoomyTable(): boolean {
  return useMediaQuery('(min-width: 84em)', true, { getInitialValueInEffect: false });
}
