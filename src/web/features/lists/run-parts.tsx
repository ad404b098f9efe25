import { Button, Progress } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { entero } from '../../lib/format.ts';
import { DialogButtons } from '../../ui/dialog-foot.tsx';
import classes from './ticked-dialog.module.css';

/** Why a run over selected invoices could not process one of them. */
export interface Reason {
  readonly row: InvoiceRow;
  readonly why: string;
}

interface GoingProps {
  /** Accessible name of the progress bar. */
  readonly label: string;
  readonly done: number;
  readonly total: number;
  readonly onStop: () => void;
}

/** The progress of the run. Stopping waits for the calls under way. */
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
      <DialogButtons>
        <Button variant="default" aria-disabled={isStopping || undefined} onClick={stop}>
          Parar
        </Button>
      </DialogButtons>
    </>
  );
}

interface ReasonsProps {
  readonly label: string;
  readonly reasons: readonly Reason[];
}

/** Why some could not be processed, each under its number and its client. */
export function Reasons({ label, reasons }: ReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it may be longer than its space, and is scrolled by keyboard.
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

/** The element that had the focus is gone, so this one takes it. */
export function useFocusOnShow<T extends HTMLElement>() {
  const element = useRef<T>(null);
  useEffect(() => element.current?.focus({ preventScroll: true }), []);
  return element;
}
