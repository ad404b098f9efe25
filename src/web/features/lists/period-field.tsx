import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isoDateIn, zonaOf } from '../../../domain/dates.ts';
import { fecha } from '../../lib/format.ts';
import { datosEmpresaQuery } from '../../lib/queries.ts';
import { Select } from '../../ui/forms/select.tsx';
import classes from '../../ui/table/list-page.module.css';
import { ALL_DATES, type ListState } from './list-state.ts';
import { type NamedPeriod, periodsOf } from './periods.ts';

export interface PeriodFieldProps {
  readonly state: ListState;
  readonly onChange: (change: Partial<ListState>) => void;
}

/**
 * Chooses a month, a quarter or a year at once: the periods for which invoices are handed to the tax adviser. In the
 * address, it becomes its first and last day.
 */
export function PeriodField({ state, onChange }: PeriodFieldProps) {
  const { data: company } = useQuery(datosEmpresaQuery);
  const zona = zonaOf(company?.postCode ?? '', company?.countryCode ?? 'ES');
  const periods = withChosen(periodsOf(isoDateIn(new Date(), zona)), state);
  const chosen = periods.find((period) => isOf(period, state));
  return (
    <Select
      aria-label="Periodo"
      placeholder="Periodo"
      {...(classes.period && { className: classes.period })}
      leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden="true" />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      data={periods.map((period) => ({ value: keyOf(period), label: period.label }))}
      value={chosen ? keyOf(chosen) : null}
      onChange={(key) => {
        const { desde, hasta } = periods.find((period) => keyOf(period) === key) ?? ALL_DATES;
        onChange({ ...ALL_DATES, desde, hasta });
      }}
    />
  );
}

const keyOf = ({ desde, hasta }: Pick<NamedPeriod, 'desde' | 'hasta'>) => `${desde} ${hasta}`;
const isOf = (period: NamedPeriod, state: ListState) => keyOf(period) === keyOf(state);

/** Any other two days in the address are shown as they are. */
function withChosen(periods: NamedPeriod[], state: ListState): NamedPeriod[] {
  const { desde, hasta } = state;
  if (!(desde || hasta) || periods.some((period) => isOf(period, state))) return periods;
  const label = [desde && `desde el ${fecha(desde)}`, hasta && `hasta el ${fecha(hasta)}`];
  return [...periods, { label: label.filter(Boolean).join(' '), desde, hasta }];
}
