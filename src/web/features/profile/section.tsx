import { type ReactNode, useId } from 'react';
import classes from './profile.module.css';

export interface SectionProps {
  /** Target of links in the panel. */
  readonly id?: string;
  readonly title: string;
  readonly help?: string;
  /** State of the section: a chip. */
  readonly badge?: ReactNode;
  readonly children: ReactNode;
}

/** A section of the profile: description and state on the left, its fields on the right. */
export function Section({ id, title, help, badge, children }: SectionProps) {
  const titleId = useId();
  return (
    <section id={id} className={classes.section} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} className={classes.title} tabIndex={-1}>
          {title}
        </h2>
        {help && <p className={classes.help}>{help}</p>}
        <p className={classes.badge} role="status">
          {badge}
        </p>
      </div>
      <div>{children}</div>
    </section>
  );
}
