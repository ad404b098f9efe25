import classes from './skeleton-rows.module.css';

/** A placeholder bar for a text. Width in px or any CSS length. */
export function SkeletonBar({ width }: { readonly width: number | string }) {
  return <span className={classes.bar} style={{ width }} aria-hidden="true" />;
}

const TEXT_WIDTHS = ['60%', '80%', '55%', '70%', '45%'];

/** Placeholders for that many lines of text. */
export function SkeletonText({ lines }: { readonly lines: number }) {
  return (
    <div className={classes.text}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that do not exist have no other name.
        <SkeletonBar key={line} width={TEXT_WIDTHS[line % TEXT_WIDTHS.length] ?? '60%'} />
      ))}
    </div>
  );
}
