import { Button, SegmentedControl } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { SearchField } from '../../ui/search-field.tsx';
import classes from '../../ui/table/list-page.module.css';
import { isFiltered, type ListState, RANGES, type Range } from './list-state.ts';

export interface ListToolbarProps {
  readonly state: ListState;
  readonly onChange: (change: Partial<ListState>) => void;
}

/** The search, the ranges of dates and, only when there is something to clear, «Limpiar». */
export function ListToolbar({ state, onChange }: ListToolbarProps) {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false });
  return (
    <div className={classes.toolbar}>
      <SearchField
        label={isNarrow ? 'Buscar facturas' : 'Buscar por cliente, número, NIF o importe'}
        value={state.search}
        onSearch={(search) => onChange({ search })}
        className={classes.search}
      />
      <SegmentedControl
        aria-label="Fechas"
        fullWidth={isNarrow}
        {...(classes.ranges && { className: classes.ranges })}
        data={RANGES.map(({ value, label }) => ({ value, label }))}
        value={state.range}
        onChange={(range) => onChange({ range: range as Range })}
      />
      {isFiltered(state) && (
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconX size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => onChange({ search: '', range: 'all' })}
        >
          Limpiar
        </Button>
      )}
    </div>
  );
}
