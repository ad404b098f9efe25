import classes from './logo.module.css';

const ARCS = [
  'M4.6 21.4C4 19.6 3.7 17.6 3.9 15.2A12.1 12.1 0 0 1 28.1 15.2C28.1 17.4 27.9 19.4 27.5 21.2',
  'M9.6 26C8.5 22.9 8 19.6 8.1 15.6A7.9 7.9 0 0 1 23.9 15.6C23.9 19.4 23.5 22.6 22.7 25.6',
  'M14.6 28.6C13 25 12.2 20.6 12.3 15.9A3.7 3.7 0 0 1 19.7 15.9C19.7 20.2 19.3 24 18.4 27.6',
] as const;

/** The mark: three open arcs. `arcs` draws only the first ones from the centre in colour, and the others in grey. */
export function Mark({ size, arcs = 3 }: { readonly size: number; readonly arcs?: 1 | 2 | 3 }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      className={classes.mark}
      aria-hidden="true"
      focusable="false"
    >
      {ARCS.map((d, i) => (
        <path key={d} d={d} data-to-come={3 - i > arcs || undefined} />
      ))}
    </svg>
  );
}

/** The mark and the word. */
export function Logo({ size = 26 }: { readonly size?: number }) {
  return (
    <span className={classes.logo}>
      <Mark size={size} />
      <span className={classes.word}>Huella</span>
    </span>
  );
}
