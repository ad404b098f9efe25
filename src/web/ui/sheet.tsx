import type { ReactNode } from 'react';
import { BRAND_HUELLA } from './brand.ts';
import { Sello } from './sello.tsx';
import classes from './sheet.module.css';

export interface SheetProps {
  /** Rings of the sello that are made; all of them when left out. */
  readonly rings?: number;
  /** What was to be made was refused: the sello is the empty one. */
  readonly isDenied?: boolean;
  readonly children: ReactNode;
}

/** One sheet hanging on the thread of the cadena: what an access page is written on. */
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
