import { Progress as Bar, Button } from '@mantine/core';
import { Link } from 'react-router';
import { entero } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';
import line from '../../ui/progress-line.module.css';
import { useSlow } from '../../ui/use-slow.ts';
import classes from './importing.module.css';

export interface ProgressProps {
  readonly title: string;
  readonly detail: string;
  /** Progress, once known: rows, or a percentage. */
  readonly count?: { readonly hechas: number; readonly total: number } | null;
  readonly percent?: number | undefined;
  /** It continues if the user leaves. */
  readonly mayLeave?: boolean;
}

/** An overlay while the server works on the whole file. Not shown for less than 300 ms. */
export function Progress({ title, detail, count, percent, mayLeave = false }: ProgressProps) {
  const isSlow = useSlow(true);
  const saved = count && count.total > 0 ? Math.floor((count.hechas * 100) / count.total) : 0;
  return (
    <div className={classes.overlay} data-shown={isSlow || undefined} role="status">
      <div className={classes.overlayCard}>
        <p className={classes.heading}>{title}</p>
        <p className="hu-muted">{detail}</p>
        {count ? (
          <>
            <Bar value={saved} aria-label="Filas guardadas" mt={8} />
            <p className={classes.progressCount}>
              {entero(count.hechas)} de {entero(count.total)} filas
            </p>
          </>
        ) : percent !== undefined ? (
          <>
            <Bar value={percent} aria-label="Parte leída" mt={8} />
            <p className={classes.progressCount}>{percent} %</p>
          </>
        ) : (
          <div className={`${line.endless} ${classes.endless}`} aria-hidden="true" />
        )}
        {mayLeave && (
          <Button component={Link} to={PATHS.home} variant="default" size="sm" mt={8}>
            Seguir con otra cosa
          </Button>
        )}
      </div>
    </div>
  );
}
