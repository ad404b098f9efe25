import { type ReactNode, useId } from 'react';
import classes from './panel-card.module.css';

export interface PanelCardProps {
  readonly title: string;
  /** At the right of the title: a chip, a button. */
  readonly chip?: ReactNode;
  /** At the right of what it says; above it on a phone. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A card of a page of them, with its title. The page may give its own distances. */
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
