import type { ReactNode } from 'react';
import classes from './empty-state.module.css';
import { Mark } from './logo.tsx';

export interface EmptyStateProps {
  readonly title: string;
  /** What will appear here, or what to do next. */
  readonly children?: ReactNode;
  /** The one action that starts it. */
  readonly action?: ReactNode;
  /** False for «no results»: there is something, only nothing that matches. */
  readonly mark?: boolean;
  /** Shown instead of the mark. */
  readonly icon?: ReactNode;
}

/** The empty state of a list. */
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
