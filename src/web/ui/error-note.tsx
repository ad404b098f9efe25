import { IconAlertCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './error-note.module.css';

export interface ErrorNoteProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Why something failed, beside the button that tries it again. */
export function ErrorNote({ className, children }: ErrorNoteProps) {
  return (
    <p className={`${classes.note} ${className ?? ''}`} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
