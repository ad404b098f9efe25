import { Select } from '../../ui/forms/select.tsx';
import classes from '../../ui/table/list-page.module.css';
import { COBROS, type ListState } from './list-state.ts';

const ALL = 'todas';

interface CobroFieldProps {
  readonly state: ListState;
  readonly onChange: (change: Partial<ListState>) => void;
}

/** Chooses only what is left to collect of the history, or what of it is overdue. */
export function CobroField({ state, onChange }: CobroFieldProps) {
  return (
    <Select
      aria-label="Cobro"
      placeholder="Cobro"
      {...(classes.cobro && { className: classes.cobro })}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      data={[
        { value: ALL, label: 'Todas' },
        ...COBROS.map(({ value, label }) => ({ value, label })),
      ]}
      value={state.cobro || null}
      onChange={(chosen) =>
        onChange({ cobro: COBROS.find(({ value }) => value === chosen)?.value ?? '' })
      }
    />
  );
}
