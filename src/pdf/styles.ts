import type { Weight } from './fonts.ts';

export const INK = '#1B1F1D';
export const BODY = '#3A423E';
export const MUTED = '#66706B';
export const LINE = '#D9D6CE';
/** The only accent; a second colour only ever comes with the user's logo. */
export const ACCENT = '#06684F';
export const ACCENT_SOFT = '#EFFAF5';
export const AMBER = '#835803';
export const AMBER_SOFT = '#FBF0DF';

export interface TextStyle {
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
  readonly color: string;
  /** Extra space between letters, in points. */
  readonly tracking?: number;
}

/**
 * 11 points is the largest size of data: the AEAT requires the texts around the QR to be no smaller than any other.
 */
export const HEADING: TextStyle = { weight: 600, size: 20, color: INK, tracking: -0.3 };
export const LARGE: TextStyle = { weight: 600, size: 11, color: INK };
export const STRONG: TextStyle = { weight: 600, size: 9.5, color: INK };
export const VALUE: TextStyle = { weight: 500, size: 9.5, color: INK };
export const CELL: TextStyle = { weight: 400, size: 9.5, color: INK };
export const TEXT: TextStyle = { weight: 400, size: 9.5, color: BODY };
export const SMALL: TextStyle = { weight: 400, size: 9, color: BODY };
export const LABEL: TextStyle = { weight: 400, size: 9, color: MUTED };
export const COLUMN: TextStyle = { weight: 500, size: 9, color: MUTED };
export const TOTAL: TextStyle = { weight: 700, size: 11, color: ACCENT };
export const FOOT: TextStyle = { weight: 400, size: 7.5, color: MUTED };
