import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Mark } from './logo.tsx';

export interface EmptyStateProps {
  readonly title: string;
  /** What will come here, or the nearest way out. */
  readonly children?: ReactNode;
  /** The one action that starts it. */
  readonly action?: ReactNode;
  /** «No results» has no mark: there is something, only not this. */
  readonly mark?: boolean;
  /** In the place of the mark. */
  readonly icon?: ReactNode;
}

/** The empty face of a list. */
export function EmptyState({ title, children, action, mark = true, icon }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {mark && (
        <span className={classes.mark}>
          <Mark size={28} />
        </span>
      )}
      {icon !== undefined && <span className={classes.icon}>{icon}</span>}
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action !== undefined && <div className={classes.action}>{action}</div>}
    </div>
  );
}
