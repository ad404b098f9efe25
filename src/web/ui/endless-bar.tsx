import classes from './endless-bar.module.css';

export interface EndlessBarProps {
  readonly className?: string | undefined;
  readonly label: string;
  /** What is said instead of how far it has come. */
  readonly words: string;
}

/** The bar of something of which it is not known how long it takes. */
export function EndlessBar({ className = '', label, words }: EndlessBarProps) {
  return (
    <div
      className={`${classes.bar} ${className}`}
      role="progressbar"
      aria-label={label}
      aria-valuetext={words}
    />
  );
}
