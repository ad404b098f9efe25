import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { retryMessage } from '../../lib/http.ts';
import classes from './evidence.module.css';

export interface CardProps {
  readonly title: string;
  readonly chip?: ReactNode;
  /** At the right of what it says; above it on a phone. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

export function Card({ title, chip, aside, children }: CardProps) {
  const id = useId();
  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby={id}>
      <div className={classes.body}>
        <div className={classes.head}>
          <h2 id={id} className={classes.heading}>
            {title}
          </h2>
          {chip}
        </div>
        {children}
      </div>
      {aside}
    </section>
  );
}

/** Why a call could not be done, beside the button that tries it again. */
export function Refusal({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <p className={classes.refusal} role="alert">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden="true" />
      <span>
        <strong>{title}</strong> {retryMessage(error)}
      </span>
    </p>
  );
}
