import { PeriodSelect } from '../../ui/forms/period-select.tsx';
import classes from '../../ui/table/list-page.module.css';
import { ALL_DATES, type ListState } from './list-state.ts';

export interface PeriodFieldProps {
  readonly state: ListState;
  readonly onChange: (change: Partial<ListState>) => void;
}

/** The period of a list; in the address, it becomes its first and last day. */
export function PeriodField({ state, onChange }: PeriodFieldProps) {
  return (
    <PeriodSelect
      aria-label="Periodo"
      placeholder="Periodo"
      {...(classes.period && { className: classes.period })}
      period={state}
      onChange={(period) => onChange({ ...ALL_DATES, ...period })}
    />
  );
}
