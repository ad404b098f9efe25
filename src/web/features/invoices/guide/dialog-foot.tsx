import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessages } from '../../../lib/http.ts';
import classes from './guide.module.css';

export interface DialogFootProps {
  readonly error: unknown;
  /** What is said of an error that says nothing itself. */
  readonly failed: string;
  readonly isPending: boolean;
  readonly isCancelFocused?: boolean;
  readonly onCancel: () => void;
  /** The button that does it. */
  readonly children: ReactNode;
}

/** The foot of a question: why it could not be done, the way out and the button that does it. */
export function DialogFoot({
  error,
  failed,
  isPending,
  isCancelFocused = false,
  onCancel,
  children,
}: DialogFootProps) {
  return (
    <>
      {error != null && (
        <p className={classes.refused} role="alert">
          {errorMessages(error, failed).join(' ')}
        </p>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          data-autofocus={isCancelFocused || undefined}
          disabled={isPending}
          onClick={onCancel}
        >
          Cancelar
        </Button>
        {children}
      </div>
    </>
  );
}
