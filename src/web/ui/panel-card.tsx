import { type ReactNode, useId } from 'react';
import classes from './panel-card.module.css';

export interface PanelCardProps {
  readonly title: string;
  /** On the right of the title: a chip, a button. */
  readonly chip?: ReactNode;
  /** On the right of the content; above it on a phone. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A card with a title, on a page of several. The page may set its own distances. */
export function PanelCard({ title, chip, aside, children }: PanelCardProps) {
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
