import { type ReactNode, useId } from 'react';
import { SkeletonBar } from '../../../ui/skeleton-rows.tsx';
import classes from './security.module.css';

export interface PartProps {
  readonly title: string;
  /** Its state, beside the title. */
  readonly badge?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the section: a title with its button, and the content. */
export function Part({ title, badge, action, children }: PartProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className={classes.head}>
        <h3 id={id} className={classes.title}>
          {title}
        </h3>
        {badge}
        {action && <div className={classes.action}>{action}</div>}
      </div>
      {children}
    </section>
  );
}

/** Placeholder rows of a list, with their final height. */
export function WaitingRows({ rows }: { readonly rows: number }) {
  return (
    <ul className={classes.rows} aria-busy="true">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows that do not exist have no other name.
        <li key={row}>
          <div className={classes.waiting}>
            <SkeletonBar width="40%" />
            <SkeletonBar width="60%" />
          </div>
        </li>
      ))}
    </ul>
  );
}
