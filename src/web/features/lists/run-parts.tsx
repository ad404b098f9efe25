import { useEffect, useRef } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import classes from './copy-dialog.module.css';

/** What a run over ticked invoices says of one that it could not do. */
export interface Reason {
  readonly row: InvoiceRow;
  readonly why: string;
}

interface ReasonsProps {
  readonly label: string;
  readonly reasons: readonly Reason[];
}

/** Why some could not be done, each under its number and its client. */
export function Reasons({ label, reasons }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than its place, and is scrolled by keyboard.
    <ul className={classes.reasons} tabIndex={0} aria-label={label}>
      {reasons.map(({ row: { DocNo, Name }, why }) => (
        <li key={DocNo}>
          <strong>{Name ? `${DocNo}, ${Name}` : DocNo}</strong>
          {why !== Name && <span className={classes.why}>{why}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The focus was on what is gone. */
export function useFocusOnShow<T extends HTMLElement>() {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus({ preventScroll: true }), []);
  return element;
}
