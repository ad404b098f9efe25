import { useSlow } from '../../ui/use-slow.ts';
import classes from './importing.module.css';

export interface ProgressProps {
  readonly title: string;
  readonly detail: string;
}

/** Over the screen while the server works on the whole file. Nothing under 300 ms. */
export function Progress({ title, detail }: ProgressProps) {
  const isSlow = useSlow(true);
  return (
    <div className={classes.overlay} data-shown={isSlow || undefined} role="status">
      <div className={classes.overlayCard}>
        <p className={classes.heading}>{title}</p>
        <p className="hu-muted">{detail}</p>
        <div className={classes.endless} aria-hidden="true" />
      </div>
    </div>
  );
}
