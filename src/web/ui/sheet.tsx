import type { ReactNode } from 'react';
import { BRAND_HUELLA } from './brand.ts';
import { Sello } from './sello.tsx';
import classes from './sheet.module.css';

export interface SheetProps {
  /** Completed rings of the sello; all of them by default. */
  readonly rings?: number;
  /** It was refused: the sello is the empty one. */
  readonly isDenied?: boolean;
  readonly children: ReactNode;
}

/** A sheet hanging on the thread of the cadena, as the background of access pages. */
export function Sheet({ rings = 8, isDenied = false, children }: SheetProps) {
  return (
    <div className={classes.page} data-made={(rings >= 8 && !isDenied) || undefined}>
      <div className={classes.card}>
        <span className={classes.sello}>
          {isDenied ? (
            <Sello size={124} tone="denied" />
          ) : (
            <Sello huella={BRAND_HUELLA} size={124} rings={rings} />
          )}
        </span>
        {children}
      </div>
    </div>
  );
}
