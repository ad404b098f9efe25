import { type ReactNode, type Ref, useId } from 'react';
import classes from './recovery.module.css';

export const CODE_LENGTH = 6;

export interface CodeFieldProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

/**
 * Six drawn boxes with one real input behind them, so that a code can be pasted (blanks included), filled in by the
 * phone, and read by screen readers.
 */
export function CodeField({ ref, value, onChange, error, children }: CodeFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className={classes.codeLabel}>
        Código de verificación
      </label>
      <div className={classes.code} data-error={error !== undefined || undefined}>
        <input
          ref={ref}
          id={id}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          value={value}
          onChange={(event) =>
            onChange(event.currentTarget.value.replace(/\D/g, '').slice(0, CODE_LENGTH))
          }
          aria-invalid={error !== undefined}
          aria-describedby={`${id}-error ${id}-help`}
        />
        <div className={classes.boxes} aria-hidden="true">
          {Array.from({ length: CODE_LENGTH }, (_, box) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place.
              key={box}
              data-next={box === Math.min(value.length, CODE_LENGTH - 1) || undefined}
            >
              {value[box]}
            </span>
          ))}
        </div>
      </div>
      <p id={`${id}-error`} className={classes.codeError} role="alert">
        {error}
      </p>
      <p id={`${id}-help`} className={classes.codeHelp}>
        {children}
      </p>
    </div>
  );
}
