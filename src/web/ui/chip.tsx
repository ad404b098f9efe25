import type { ComponentType, ReactNode } from 'react';
import classes from './chip.module.css';

export type Tone = 'green' | 'amber' | 'red' | 'blue' | 'grey';

export interface ChipProps {
  readonly tone: Tone;
  readonly icon?: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: 'true' }>;
  readonly children: ReactNode;
}

/** A state: colour, icon and words. Never truncated. */
export function Chip({ tone, icon: Icon, children }: ChipProps) {
  return (
    <span className={classes.chip} data-tone={tone} data-plain={!Icon || undefined}>
      {Icon && <Icon size={14} stroke={1.9} aria-hidden="true" />}
      {children}
    </span>
  );
}

/** A kind of thing («Abono», «Simpl.»), not a state. */
export function Tag({ children }: { readonly children: ReactNode }) {
  return <span className={classes.tag}>{children}</span>;
}

/** How many things need attention. `label` says what, which the number alone would not. */
export function Counter({ value, label }: { readonly value: number; readonly label: string }) {
  if (value <= 0) return null;
  return (
    <span className={classes.counter}>
      <span aria-hidden="true">{value > 99 ? '99+' : value}</span>
      <span className="hu-hidden">{`, ${value} ${label}`}</span>
    </span>
  );
}
