import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { retryMessage } from '../../lib/http.ts';
import { FailedState } from '../../ui/failed-state.tsx';
import { SkeletonText } from '../../ui/skeleton-rows.tsx';
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

export interface MissingCardProps {
  readonly title: string;
  /** What could not be asked for. */
  readonly failed: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** A card whose content has not come: it is waited for, or it failed. */
export function MissingCard({ title, failed, error, onRetry }: MissingCardProps) {
  return (
    <Card title={title}>
      {error ? (
        <FailedState title={failed} error={error} onRetry={onRetry} />
      ) : (
        <div aria-busy="true">
          <SkeletonText lines={3} />
        </div>
      )}
    </Card>
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
