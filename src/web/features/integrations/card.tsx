import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { retryMessage } from '../../lib/http.ts';
import classes from './integrations.module.css';

export interface CardProps {
  readonly title: string;
  /** At the right of the title: a chip, a button. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id} className={classes.heading}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** Why a call could not be done, beside the button that tries it again. */
export function Refusal({ error }: { readonly error: unknown }) {
  if (!error) return null;
  return (
    <p className={classes.refusal} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>{retryMessage(error)}</span>
    </p>
  );
}
