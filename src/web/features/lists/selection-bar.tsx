import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { cuenta, entero } from '../../lib/format.ts';
import { toTicks } from '../../ui/focus-after.ts';
import classes from './selection-bar.module.css';
import { type InvoiceSelection, MAX_AT_ONCE } from './use-selection.ts';

export interface SelectionBarProps {
  readonly selection: InvoiceSelection;
  /** The control that selects more. */
  readonly more: ReactNode;
  /** The actions on the selected invoices. */
  readonly children: ReactNode;
}

/** A bar with the actions on the selected invoices. Nothing while none is selected. */
export function SelectionBar({ selection, more, children }: SelectionBarProps) {
  const { rows: selected, clear } = selection;
  if (selected.length === 0) return <p className="hu-hidden" role="status" />;
  return (
    <section className={classes.bar} aria-label="Facturas seleccionadas">
      <p className={classes.count} role="status">
        {cuenta(selected.length, 'seleccionada', 'seleccionadas')}
        {selected.length > MAX_AT_ONCE && `: ${entero(MAX_AT_ONCE)} como mucho de una vez`}
      </p>
      {more}
      {children}
      <Button
        ref={toTicks}
        variant="subtle"
        color="gray"
        {...(classes.clear && { className: classes.clear })}
        onClick={clear}
      >
        Quitar selección
      </Button>
    </section>
  );
}
