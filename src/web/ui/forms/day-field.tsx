import '@mantine/dates/styles.layer.css';
import { DateInput, DatesProvider, type DatesProviderSettings } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import 'dayjs/locale/es';
import type { KeyboardEvent, ReactNode } from 'react';
import classes from './day-field.module.css';
import { parseDay } from './parse-day.ts';

export interface DayFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly value: string;
  readonly today: string;
  readonly onChange: (day: string) => void;
  readonly isDisabled?: boolean;
  readonly isOptional?: boolean;
  /** The last day that can be picked. A later one may still be typed: a finding then says what is wrong. */
  readonly maxDate?: string;
  /** The first one, in the same way. */
  readonly minDate?: string;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  /** The name by which findings refer to it. */
  readonly place?: string;
}

const SPANISH: DatesProviderSettings = { locale: 'es', firstDayOfWeek: 1, weekendDays: [0, 6] };

/** A date in Spanish format, typed or picked. */
export function DayField(props: DayFieldProps) {
  const { isDisabled, isOptional, maxDate, minDate, place, today, ...field } = props;
  return (
    <DatesProvider settings={SPANISH}>
      <DateInput
        {...field}
        classNames={{ day: classes.day ?? '' }}
        {...(place && { 'data-place': place })}
        value={field.value || null}
        onChange={(day) => {
          if (day || isOptional) field.onChange(day ?? '');
        }}
        dateParser={(text) => parseDay(text, today)}
        valueFormat="DD/MM/YYYY"
        placeholder={isOptional ? 'dd/mm/aaaa' : ''}
        disabled={isDisabled ?? false}
        clearable={isOptional ?? false}
        clearButtonProps={{ 'aria-label': `Borrar ${field.label.toLowerCase()}` }}
        rightSection={
          isOptional && field.value ? undefined : (
            <IconCalendar size={16} stroke={1.7} aria-hidden />
          )
        }
        rightSectionPointerEvents={isOptional && field.value ? 'all' : 'none'}
        nextLabel="Mes siguiente"
        previousLabel="Mes anterior"
        {...((minDate || maxDate) && {
          getDayProps: (day) => ({
            disabled: day < (minDate ?? day) || day > (maxDate ?? day),
          }),
        })}
        autoComplete="off"
        inputMode="numeric"
        onKeyDown={openWithArrow}
      />
    </DatesProvider>
  );
}

/** Alt+↓ opens the days, as it does a list; the browser would scroll the page. */
function openWithArrow(event: KeyboardEvent<HTMLInputElement>) {
  if (!event.altKey || event.key !== 'ArrowDown') return;
  event.preventDefault();
  event.currentTarget.click();
}
