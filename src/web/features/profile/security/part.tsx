import { type ReactNode, useId } from 'react';
import classes from './security.module.css';

export interface PartProps {
  readonly title: string;
  /** Its state, beside the title. */
  readonly badge?: ReactNode;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** One of the matters of the section: a title with its button, and what there is. */
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
