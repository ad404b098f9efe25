import { Button, Progress } from '@mantine/core';
import { entero } from '../lib/format.ts';
import { EndlessBar } from './endless-bar.tsx';
import classes from './progress-line.module.css';

export interface Count {
  readonly done: number;
  readonly total: number;
}

export interface ProgressLineProps {
  /** What is counted: the name of the bar. */
  readonly label: string;
  /** Null while nothing is known of how much there is. */
  readonly count: Count | null;
  /** Before the total, where there may be more. */
  readonly atLeast?: boolean;
  /** What is said without a count. */
  readonly waiting: string;
  readonly onStop?: () => void;
}

/** How far something long has come: a bar, and «1.200 de 4.000» beside it in a room that does not change. */
export function ProgressLine({ label, count, atLeast, waiting, onStop }: ProgressLineProps) {
  const words = count ? wordsOf(count, atLeast) : waiting;
  const widest = count ? wordsOf({ ...count, done: count.total }, atLeast).length : 0;
  return (
    <div className={classes.line}>
      {count ? (
        <Progress.Root className={classes.bar ?? ''}>
          <Progress.Section
            withAria={false}
            value={percentOf(count)}
            role="progressbar"
            aria-label={label}
            aria-valuemin={0}
            aria-valuemax={count.total}
            aria-valuenow={Math.min(count.done, count.total)}
            aria-valuetext={words}
          />
        </Progress.Root>
      ) : (
        <EndlessBar className={classes.bar} label={label} words={waiting} />
      )}
      <span className={classes.count} style={{ minWidth: `${widest}ch` }}>
        {words}
      </span>
      {onStop && (
        <Button size="sm" variant="default" onClick={onStop}>
          Parar
        </Button>
      )}
    </div>
  );
}

function percentOf({ done, total }: Count): number {
  return total === 0 ? 0 : Math.min(100, Math.floor((done * 100) / total));
}

const wordsOf = ({ done, total }: Count, atLeast = false) =>
  `${entero(Math.min(done, total))} de ${atLeast ? 'más de ' : ''}${entero(total)}`;
