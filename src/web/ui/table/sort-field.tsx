import { ActionIcon } from '@mantine/core';
import { IconArrowsSort, IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { Select } from '../forms/select.tsx';
import { Hint } from '../hint.tsx';
import type { Column } from './data-table.tsx';
import { ariaSort, type Sort, UNSORTED } from './sort.ts';
import classes from './sort-field.module.css';

export interface SortFieldProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** Replaces the sortable headers where the rows are a list: column and direction. */
export function SortField<Row>({ columns, sort, onSort }: SortFieldProps<Row>) {
  const options = columns.flatMap(({ header, sortBy }) =>
    sortBy === undefined ? [] : [{ value: sortBy, label: sentenceCase(header) }],
  );
  const column = sort.replace(/^-/, '');
  const direction = ariaSort(sort, column);
  const isSorted = options.some(({ value }) => value === column);
  const isDescending = direction === 'descending';
  const turn = isDescending ? 'Orden descendente: invertir' : 'Orden ascendente: invertir';
  return (
    <div className={classes.sort}>
      <Select
        aria-label="Ordenar por"
        className={classes.by ?? ''}
        leftSection={<IconArrowsSort size={16} stroke={1.7} aria-hidden="true" />}
        data={[...options, { value: UNSORTED, label: 'Sin ordenar' }]}
        value={isSorted ? column : UNSORTED}
        allowDeselect={false}
        onChange={(value) => {
          if (value === null) return;
          onSort(value !== UNSORTED && isSorted && isDescending ? `-${value}` : value);
        }}
      />
      <Hint label={turn}>
        <ActionIcon
          variant="default"
          className={classes.turn ?? ''}
          aria-label={turn}
          disabled={!isSorted}
          onClick={() => onSort(isDescending ? column : `-${column}`)}
        >
          {isDescending ? (
            <IconSortDescending size={18} stroke={1.7} aria-hidden="true" />
          ) : (
            <IconSortAscending size={18} stroke={1.7} aria-hidden="true" />
          )}
        </ActionIcon>
      </Hint>
    </div>
  );
}

const INITIALS = ['IGIC', 'IPSI'];

/** `BASE IMPONIBLE` in sentence case; short headers (`IVA`, `CIF`) and other taxes are acronyms. */
function sentenceCase(header: string): string {
  if (header !== header.toUpperCase()) return header;
  return header
    .split(' ')
    .map((word, at) => {
      if (word.length <= 3 || INITIALS.includes(word)) return word;
      return at === 0 ? word[0] + word.slice(1).toLowerCase() : word.toLowerCase();
    })
    .join(' ');
}
