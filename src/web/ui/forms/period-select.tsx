import type { SelectProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isoDateIn, zonaOf } from '../../../domain/dates.ts';
import { fecha } from '../../lib/format.ts';
import { type NamedPeriod, type Period, periodsOf } from '../../lib/periods.ts';
import { datosEmpresaQuery } from '../../lib/queries.ts';
import { Select } from './select.tsx';

export interface PeriodSelectProps
  extends Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'className'> {
  /** Either day may be empty. */
  readonly period: Period;
  readonly onChange: (period: Period) => void;
}

/** Chooses a month, a quarter or a year at once: the periods for which records are handed to the tax adviser. */
export function PeriodSelect({ period, onChange, ...field }: PeriodSelectProps) {
  const { data: company } = useQuery(datosEmpresaQuery);
  const zona = zonaOf(company?.postCode ?? '', company?.countryCode ?? 'ES');
  const periods = withChosen(periodsOf(isoDateIn(new Date(), zona)), period);
  const chosen = periods.find((one) => keyOf(one) === keyOf(period));
  return (
    <Select
      {...field}
      leftSection={<IconCalendar size={16} stroke={1.7} aria-hidden="true" />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      data={periods.map((one) => ({ value: keyOf(one), label: one.label }))}
      value={chosen ? keyOf(chosen) : null}
      onChange={(key) => {
        const { desde, hasta } = periods.find((one) => keyOf(one) === key) ?? NO_DAYS;
        onChange({ desde, hasta });
      }}
    />
  );
}

const NO_DAYS: Period = { desde: '', hasta: '' };

const keyOf = ({ desde, hasta }: Period) => `${desde} ${hasta}`;

/** Any other two days are shown as they are. */
function withChosen(periods: NamedPeriod[], period: Period): NamedPeriod[] {
  const { desde, hasta } = period;
  if (!(desde || hasta) || periods.some((one) => keyOf(one) === keyOf(period))) return periods;
  const label = [desde && `desde el ${fecha(desde)}`, hasta && `hasta el ${fecha(hasta)}`];
  return [...periods, { label: label.filter(Boolean).join(' '), desde, hasta }];
}
