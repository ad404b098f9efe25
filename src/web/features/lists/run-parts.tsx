import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { entero } from '../../lib/format.ts';
import classes from './ticked-dialog.module.css';

/** What a run over ticked invoices says of one that it could not do. */
export interface Reason {
  readonly row: InvoiceRow;
  readonly why: string;
}

interface GoingProps {
  /** Name of the bar. */
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly onStop: () => void;
}

/** How far it has come. Stopping waits for those that are under way. */
export function Going({ label, done, total, onStop }: GoingProps) {
  const [isStopping, setIsStopping] = useState(false);
  const count = useFocusOnShow<HTMLParagraphElement>();
  const stop = () => {
    setIsStopping(true);
    onStop();
  };
  return (
    <>
      <Progress value={Math.floor((done * 100) / total)} aria-label={label} />
      <p ref={count} tabIndex={-1} className={classes.count} role="status">
        {isStopping ? 'Parando…' : `${entero(done)} de ${entero(total)}`}
      </p>
      <div className={classes.buttons}>
        <Button variant="default" aria-disabled={isStopping || undefined} onClick={stop}>
          Parar
        </Button>
      </div>
    </>
  );
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
