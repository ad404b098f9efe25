import type { CSSProperties } from 'react';
import classes from './sello.module.css';
import { SELLO_RINGS, SELLO_VIEW_BOX, selloPaths, selloRings } from './sello-path.ts';

export interface SelloProps {
  /** The 64 digits. Omitted, the sello is the empty one, for what is not registered yet. */
  readonly huella?: string | undefined;
  /** Height in px; the width follows. At least 40: below that, use the mark. */
  readonly size: number;
  readonly tone?: 'accent' | 'mismatch' | 'denied' | 'on-deep' | 'on-deep-quiet';
  /** How many rings are coloured, from the centre; the others are still to come. */
  readonly rings?: number;
  readonly className?: string;
}

/** The drawing of a huella. Decorative: the digits are beside it as text. */
export function Sello({
  huella,
  size,
  tone = 'accent',
  rings = SELLO_RINGS,
  className,
}: SelloProps) {
  const strokeWidth = size < 64 ? 2.9 : 2.6;
  const paths = huella ? selloPaths(huella, strokeWidth) : null;
  return (
    <svg
      viewBox={SELLO_VIEW_BOX}
      width={Math.round((size * 96) / 110)}
      height={size}
      className={[classes.sello, className].filter(Boolean).join(' ')}
      data-tone={tone}
      aria-hidden="true"
      focusable="false"
      style={{ '--sello-stroke': strokeWidth } as CSSProperties}
    >
      {paths ? (
        <>
          {rings < SELLO_RINGS && (
            <path className={classes.toCome} d={paths.slice(rings).join('')} />
          )}
          {rings > 0 && <path className={classes.made} d={paths.slice(0, rings).join('')} />}
        </>
      ) : (
        selloRings.map(({ rx, ry }) => (
          <ellipse key={rx} className={classes.empty} cx="0" cy="0" rx={rx} ry={ry} />
        ))
      )}
    </svg>
  );
}
