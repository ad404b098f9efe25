import { shallowEqual } from '@mantine/hooks';
import { type ClipboardEvent, type KeyboardEvent, memo } from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import { isEmptyLine } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { TABLE_ROLES } from '../../../ui/table-roles.ts';
import { LevelIcon } from '../upload/level-mark.tsx';
import type { Level } from '../upload/reading-fields.ts';
import type { LiveLines } from './draft-store.ts';
import { FindingNotes } from './finding-note.tsx';
import type { PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { placeInFocus } from './focus-place.ts';
import { lineCells, problemsOf, useLineActions } from './line-cells.tsx';
import { LineMenu } from './line-menu.tsx';
import classes from './line-row.module.css';
import { canBecomeProduct, type DraftLine, type LineChange } from './lines.ts';
import { useLiveLine } from './use-live-line.ts';

const { row, cell } = TABLE_ROLES;

/** What all the lines share. It stays the same object while nothing in it changes. */
export interface LineContext {
  readonly live: LiveLines;
  readonly products: readonly Producto[];
  readonly groups: readonly VatGroup[];
  readonly taxes: readonly VatGroup[];
  readonly typeClient: string;
  /** The key chosen for the whole invoice. */
  readonly claveRegimen: string;
  /** A rectificativa may have rates from when the other invoice was issued. */
  readonly isAbono: boolean;
  readonly isReadOnly: boolean;
  /** The prices include the tax. */
  readonly ivaIncluido: boolean;
  readonly labels: LineLabels;
  /** Some line has a discount, or was asked for one. */
  readonly hasDiscounts: boolean;
  /** Quantities may be negative. */
  readonly isNegativeAllowed: boolean;
  readonly change: (id: string, change: LineChange) => void;
  readonly choose: (id: string, product: Producto) => void;
  readonly move: (id: string, step: -1 | 1) => void;
  readonly remove: (id: string) => void;
  readonly saveProduct: (line: DraftLine) => void;
  /** Makes room for discounts, and goes to that of this line. */
  readonly addDiscount: (id: string) => void;
  readonly shareDiscount: (id: string) => void;
  /** Takes what was copied from a spreadsheet and pasted in that field. False when it is ordinary text. */
  readonly paste: (id: string, field: string | undefined, text: string) => boolean;
  /** Opens the dialog with the AEAT's codes for that line. */
  readonly chooseCodes: (id: string) => void;
  /** The price of a product in a line with that tax, with or without tax like the other prices. */
  readonly priceOf: (tax: string, product: Producto) => string;
  readonly focusNext: (field: HTMLElement) => void;
}

/** The headings of the columns of figures. */
export interface LineLabels {
  readonly price: string;
  readonly total: string;
}

export interface LineRowProps {
  readonly line: DraftLine;
  /** From 1. */
  readonly position: number;
  readonly isFirst: boolean;
  /** The last one before the empty one at the end. */
  readonly isLast: boolean;
  /** The empty one at the end. */
  readonly isTail: boolean;
  /** With VAT, `1.557,27`. */
  readonly total: string;
  /** How certain it is, for a line that was read from a file, and what the file says if that differs. */
  readonly level?: Level | undefined;
  readonly original?: string | undefined;
  readonly context: LineContext;
  readonly findings: readonly PlacedFinding[];
  readonly fix: FixContext;
}

/** One line of the table. Typing in one of a hundred renders only that one, and of it only the cell. */
export const LineRow = memo(LineFields, isSameRow);

/** A row gets what is typed in its line by itself, before the form is rendered with it. */
export function isSameRow(a: LineRowProps, b: LineRowProps): boolean {
  return a.line.id === b.line.id && shallowEqual({ ...a, line: b.line }, b);
}

function LineFields(props: LineRowProps) {
  const { position, context, findings, isTail } = props;
  const line = useLiveLine(props.line, context.live);
  const { id } = line;
  const { isReadOnly } = context;
  const problems = problemsOf(line, findings, context);
  const noteId = problems.length > 0 ? `linea-${id}-nota` : undefined;
  const actions = useLineActions(id, context);
  const columns = context.hasDiscounts ? 7 : 6;
  const cells = lineCells(line, context, {
    actions,
    problems,
    placeholder: isTail ? 'Producto o texto libre' : '',
    labelOf: (label) => `${label}, línea ${position}`,
    describedBy: noteId,
  });

  const onKeyDownCapture = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0 || isReadOnly) return;
    event.preventDefault();
    event.stopPropagation();
    context.move(id, step);
  };

  const onPaste = (event: ClipboardEvent) => {
    if (isReadOnly) return;
    const text = event.clipboardData.getData('text/plain');
    const field = placeInFocus()?.split('.')[1];
    if (context.paste(id, field, text)) event.preventDefault();
  };

  return (
    <>
      <tr
        {...row}
        className={classes.row}
        data-tail={(isTail && isEmptyLine(line)) || undefined}
        onKeyDownCapture={onKeyDownCapture}
        onPaste={onPaste}
      >
        <td {...cell} className={classes.what} data-marked={props.level && true}>
          {cells.description}
          <LineLevel {...props} />
        </td>
        <td {...cell}>{cells.quantity}</td>
        <td {...cell}>{cells.price}</td>
        {cells.discount !== null && <td {...cell}>{cells.discount}</td>}
        <td {...cell}>{cells.tax}</td>
        <td {...cell} className={classes.total}>
          {props.total}
        </td>
        <td {...cell} className={classes.menu}>
          {!isTail && !isReadOnly && (
            <LineMenu
              position={position}
              isFirst={props.isFirst}
              isLast={props.isLast}
              canBecomeProduct={canBecomeProduct(line)}
              hasDiscount={context.hasDiscounts}
              actions={actions}
            />
          )}
        </td>
      </tr>
      {cells.extra && !(isTail && isEmptyLine(line)) && (
        <tr {...row}>
          <td {...cell} colSpan={columns} className={classes.extra}>
            <div className={classes.extraBox}>
              <span className={classes.extraLabel}>{cells.extra.label}</span>
              <span className={classes.extraField}>{cells.extra.field}</span>
              <span className={classes.extraHelp}>{cells.extra.help}</span>
            </div>
          </td>
        </tr>
      )}
      {noteId && (
        <tr {...row} className={classes.notes}>
          <td {...cell} colSpan={columns} id={noteId}>
            <FindingNotes findings={problems} fix={props.fix} />
          </td>
        </tr>
      )}
    </>
  );
}

/** How certain a line is that was read from a file; nothing for other lines. */
export function LineLevel({ level, original }: Pick<LineRowProps, 'level' | 'original'>) {
  return (
    level && (
      <span className={classes.level}>
        <LevelIcon level={level} {...(original && { original })} />
      </span>
    )
  );
}
