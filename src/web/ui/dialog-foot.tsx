import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { errorMessages } from '../lib/http.ts';
import classes from './dialog-foot.module.css';

export interface DialogFootProps {
  readonly error: unknown;
  /** Message for an error without one of its own. */
  readonly failed: string;
  readonly isPending: boolean;
  readonly isCancelFocused?: boolean;
  readonly onCancel: () => void;
  /** The button that confirms. */
  readonly children: ReactNode;
}

/** The foot of a confirmation dialog: why it failed, a button to cancel and one to confirm. */
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
      <DialogButtons>
        <Button
          variant="default"
          data-autofocus={isCancelFocused || undefined}
          disabled={isPending}
          onClick={onCancel}
        >
          Cancelar
        </Button>
        {children}
      </DialogButtons>
    </>
  );
}

/** The buttons at the foot of a dialog; on a phone they take its whole width. */
export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return <div className={classes.buttons}>{children}</div>;
}
