import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import classes from './error-note.module.css';

export interface ErrorNoteProps {
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Why something failed, beside the button that tries it again. It comes into sight wherever it appears. */
export function ErrorNote({ className, children }: ErrorNoteProps) {
  const note = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // Returns a promise in newer browsers, which is no way to undo an effect: React would fail when the note goes.
    note.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <p ref={note} className={`${classes.note} ${className ?? ''}`} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>{children}</span>
    </p>
  );
}
