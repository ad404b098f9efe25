import '@mantine/dates/styles.layer.css';
import { DateInput, DatesProvider } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import 'dayjs/locale/es';
import type { ReactNode } from 'react';
import { parseDay } from './parse-day.ts';

export interface DayFieldProps {
  readonly label: string;
  /** `YYYY-MM-DD`, or empty. */
  readonly value: string;
  readonly today: string;
  readonly onChange: (day: string) => void;
  readonly isReadOnly?: boolean;
  readonly isOptional?: boolean;
  readonly maxDate?: string;
  readonly error?: ReactNode;
  readonly description?: ReactNode;
  readonly place: string;
}

const SPANISH = { locale: 'es', firstDayOfWeek: 1, weekendDays: [0, 6] } as const;

/** A day as people in Spain write it, typed or picked. */
export function DayField({
  isReadOnly,
  isOptional,
  maxDate,
  place,
  today,
  ...field
}: DayFieldProps) {
  return (
    <DatesProvider settings={{ ...SPANISH, weekendDays: [0, 6] }}>
      <DateInput
        {...field}
        data-place={place}
        value={field.value || null}
        onChange={(day) => {
          if (day || isOptional) field.onChange(day ?? '');
        }}
        dateParser={(text) => parseDay(text, today)}
        valueFormat="DD/MM/YYYY"
        placeholder={isOptional ? 'dd/mm/aaaa' : ''}
        readOnly={isReadOnly ?? false}
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
        {...(maxDate ? { maxDate } : {})}
        autoComplete="off"
        inputMode="numeric"
      />
    </DatesProvider>
  );
}
