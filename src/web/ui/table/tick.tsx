import { Checkbox } from '@mantine/core';
import type { TickProps } from './data-table.tsx';

/** The box of a row that can be ticked, or of all of a page. */
export function Tick({ label, onChange, ...marks }: TickProps) {
  return (
    <Checkbox
      aria-label={label}
      {...marks}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
