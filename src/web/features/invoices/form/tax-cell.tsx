import { memo, useState } from 'react';
import { findVatGroup, type VatGroup } from '../../../../domain/vat.ts';
import classes from './line-row.module.css';
import { shortTax } from './lines.ts';

export interface TaxCellProps {
  readonly label: string;
  readonly value: string;
  readonly groups: readonly VatGroup[];
  /** The ones that may be chosen for this client. */
  readonly options: readonly VatGroup[];
  readonly typeClient: string;
  readonly isReadOnly: boolean;
  readonly isWrong: boolean;
  readonly place: string;
  /** The sheet that it is in opens with the focus on it. */
  readonly isFirst?: boolean | undefined;
  readonly describedBy?: string | undefined;
  readonly onChange: (tax: string) => void;
  /** For users who know the codes of the AEAT. */
  readonly onChooseCodes: () => void;
}

const CODES = '\u0000codigos';

/**
 * The tax of a line: `21 %` in the cell, its whole name in the list. It is the browser's own select, so that a phone
 * shows its own picker. Until it is focused it contains only the chosen option: thirty options in each of a hundred
 * lines would be noticeable at every key press.
 */
export const TaxCell = memo(function TaxCell(props: TaxCellProps) {
  const { value, groups, options, typeClient } = props;
  const chosen = findVatGroup(groups, value, typeClient);
  const [isReached, setReached] = useState(false);
  const reach = () => setReached(true);
  const isChosen = ({ VATProdPostingGroup }: VatGroup) => VATProdPostingGroup === value;
  const offered = isReached ? options : options.filter(isChosen);
  return (
    <div className={classes.tax}>
      <span aria-hidden="true">{shortTax(chosen, value)}</span>
      <select
        aria-label={props.label}
        aria-invalid={props.isWrong || undefined}
        aria-describedby={props.describedBy}
        data-place={props.place}
        data-autofocus={props.isFirst || undefined}
        value={value}
        disabled={props.isReadOnly}
        onPointerEnter={reach}
        onPointerDown={reach}
        onFocus={reach}
        onChange={(event) => {
          const tax = event.currentTarget.value;
          if (tax === CODES) props.onChooseCodes();
          else props.onChange(tax);
        }}
      >
        {!offered.some(isChosen) && <option value={value}>{chosen?.Description ?? value}</option>}
        {offered.map((group) => (
          <option key={group.VATProdPostingGroup} value={group.VATProdPostingGroup}>
            {group.Description}
          </option>
        ))}
        {isReached && <option value={CODES}>Elegir los códigos…</option>}
      </select>
    </div>
  );
});
