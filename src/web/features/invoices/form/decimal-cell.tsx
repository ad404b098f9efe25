import { type KeyboardEvent, memo } from 'react';
import classes from './line-row.module.css';

export interface DecimalCellProps {
  readonly label: string;
  readonly value: string;
  readonly placeholder: string;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  readonly place: string;
  /** The sheet that it is in opens with the focus on it. */
  readonly isFirst?: boolean | undefined;
  readonly describedBy?: string | undefined;
  /** The text as shown once the cell has lost the focus. */
  readonly tidy: (text: string) => string;
  readonly onChange: (text: string) => void;
  readonly onEnter: (field: HTMLElement) => void;
}

/** A number with comma or point. Focusing selects it all; leaving shows it as `1.234,50`. */
export const DecimalCell = memo(function DecimalCell(props: DecimalCellProps) {
  const { value, tidy, onChange, onEnter } = props;

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    onEnter(event.currentTarget);
  };

  return (
    <input
      className={classes.figure}
      inputMode="decimal"
      autoComplete="off"
      aria-label={props.label}
      aria-invalid={props.isWrong || undefined}
      aria-describedby={props.describedBy}
      data-place={props.place}
      data-autofocus={props.isFirst || undefined}
      placeholder={props.placeholder}
      disabled={props.isReadOnly}
      maxLength={30}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={() => {
        const text = tidy(value);
        if (text !== value) onChange(text);
      }}
      onKeyDown={onKeyDown}
    />
  );
});
