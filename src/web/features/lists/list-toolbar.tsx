import { ActionIcon, Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { toSearch } from '../../ui/focus-after.ts';
import { SearchField } from '../../ui/search-field.tsx';
import classes from '../../ui/table/list-page.module.css';
import { useRoomyTable, useWideTable } from '../../ui/table/use-wide-table.ts';
import { CobroField } from './cobro-field.tsx';
import {
  ALL_DATES,
  isFiltered,
  type ListState,
  RANGES,
  type Range,
  UNFILTERED,
} from './list-state.ts';
import { PeriodField } from './period-field.tsx';

export interface ListToolbarProps {
  readonly state: ListState;
  /** Whether a month, a quarter or a year may also be chosen, and what is left to collect. */
  readonly isArchive: boolean;
  readonly onChange: (change: Partial<ListState>) => void;
}

/** The search, the filters and, only when there is something to clear, «Limpiar». */
export function ListToolbar({ state, isArchive, onChange }: ListToolbarProps) {
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  // While the table has columns, there is room for all the filters beside the search.
  const hasColumns = useWideTable();
  const isRoomy = useRoomyTable();
  const isStacked = isNarrow || (isArchive && !hasColumns);
  const isTight = isStacked || (isArchive && !isRoomy);
  const canClear = isFiltered(state);
  const clear = () => onChange(UNFILTERED);
  return (
    <div className={classes.toolbar} data-stacked={isStacked || undefined}>
      <SearchField
        label={isNarrow ? 'Buscar facturas' : 'Buscar por cliente, número, NIF o importe'}
        value={state.search}
        onSearch={(search) => onChange({ search })}
        className={classes.search}
      />
      {canClear && isTight && (
        // Beside the search: an additional row would push the list down.
        <ActionIcon
          ref={toSearch}
          size={isNarrow ? 44 : 36}
          variant="default"
          aria-label="Limpiar"
          onClick={clear}
        >
          <IconX size={18} stroke={1.8} aria-hidden="true" />
        </ActionIcon>
      )}
      <SegmentedControl
        aria-label="Fechas"
        fullWidth={isNarrow}
        {...(classes.ranges && { className: classes.ranges })}
        data={RANGES.map(({ value, label }) => ({ value, label }))}
        // A period is none of these ranges.
        value={state.desde || state.hasta ? '' : state.range}
        onChange={(range) => onChange({ ...ALL_DATES, range: range as Range })}
      />
      {isArchive && <PeriodField state={state} onChange={onChange} />}
      {isArchive && <CobroField state={state} onChange={onChange} />}
      {canClear && !isTight && (
        <Button
          ref={toSearch}
          variant="subtle"
          color="gray"
          leftSection={<IconX size={16} stroke={1.8} aria-hidden="true" />}
          onClick={clear}
        >
          Limpiar
        </Button>
      )}
    </div>
  );
}
