import { Checkbox } from '@mantine/core';
import type { TickProps } from './data-table.tsx';

/** The checkbox of a selectable row, or of a whole page. */
export function Tick({ label, onChange, ...marks }: TickProps) {
  return (
    <Checkbox
      aria-label={label}
      {...marks}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
