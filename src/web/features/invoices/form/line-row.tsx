import { type KeyboardEvent, memo } from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import { PRICE_DECIMALS, QUANTITY_DECIMALS } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { DecimalCell } from './decimal-cell.tsx';
import { DescriptionCell } from './description-cell.tsx';
import { FindingNote } from './finding-note.tsx';
import type { PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { LineMenu } from './line-menu.tsx';
import classes from './line-row.module.css';
import {
  type DraftLine,
  decimalProblem,
  isEmptyLine,
  type LineChange,
  tidyPrice,
  tidyQuantity,
} from './lines.ts';
import { TaxCell } from './tax-cell.tsx';

/** What all the lines share; it stays the same object while nothing of it changes. */
export interface LineContext {
  readonly products: readonly Producto[];
  readonly companyId: string;
  readonly groups: readonly VatGroup[];
  readonly taxes: readonly VatGroup[];
  readonly typeClient: string;
  readonly isReadOnly: boolean;
  readonly change: (id: string, change: LineChange) => void;
  readonly choose: (id: string, product: Producto) => void;
  readonly move: (id: string, step: -1 | 1) => void;
  readonly remove: (id: string) => void;
  readonly saveProduct: (line: DraftLine) => void;
  readonly focusNext: (field: HTMLElement) => void;
}

export interface LineRowProps {
  readonly line: DraftLine;
  /** From 1. */
  readonly position: number;
  readonly isFirst: boolean;
  /** The last one that is not the empty one at the end. */
  readonly isLast: boolean;
  /** The empty one at the end. */
  readonly isTail: boolean;
  /** With VAT, `1.557,27`. */
  readonly total: string;
  readonly context: LineContext;
  readonly findings: readonly PlacedFinding[];
  readonly fix: FixContext;
}

/** One line of the table. Memoised by what it shows: typing in one of a hundred draws one. */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, position, context, findings, isTail } = props;
  const { id } = line;
  const { isReadOnly } = context;
  const problems = problemsOf(line, findings);
  const noteId = problems.length > 0 ? `linea-${id}-nota` : undefined;
  const isWrong = (cell: string) =>
    problems.some(({ place, gravedad }) => place === `${id}.${cell}` && gravedad === 'bloquea');
  const cell = (name: string, label: string) => ({
    label: `${label}, línea ${position}`,
    place: `${id}.${name}`,
    isReadOnly,
    isWrong: isWrong(name),
    describedBy: noteId,
  });

  const onKeyDownCapture = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (!event.altKey || step === 0 || isReadOnly) return;
    event.preventDefault();
    event.stopPropagation();
    context.move(id, step);
  };

  return (
    <>
      <tr
        className={classes.row}
        data-tail={(isTail && isEmptyLine(line)) || undefined}
        onKeyDownCapture={onKeyDownCapture}
      >
        <td>
          <DescriptionCell
            {...cell('description', 'Descripción')}
            value={line.description}
            placeholder={isTail ? 'Producto o texto libre' : ''}
            products={context.products}
            companyId={context.companyId}
            onChange={(description) =>
              context.change(id, { description, ...unlinked(line, description) })
            }
            onProduct={(product) => context.choose(id, product)}
            onEnter={context.focusNext}
          />
        </td>
        <td>
          <DecimalCell
            {...cell('quantity', 'Cantidad')}
            value={line.quantity}
            placeholder="1"
            tidy={tidyQuantity}
            onChange={(quantity) => context.change(id, { quantity })}
            onEnter={context.focusNext}
          />
        </td>
        <td>
          <DecimalCell
            {...cell('price', 'Precio')}
            value={line.price}
            placeholder="0,00"
            tidy={tidyPrice}
            onChange={(price) => context.change(id, { price })}
            onEnter={context.focusNext}
          />
        </td>
        <td>
          <TaxCell
            {...cell('tax', 'Impuesto')}
            value={line.tax}
            groups={context.groups}
            options={context.taxes}
            typeClient={context.typeClient}
            onChange={(tax) => context.change(id, { tax })}
          />
        </td>
        <td className={classes.total}>{props.total}</td>
        <td className={classes.menu}>
          {!isTail && !isReadOnly && (
            <LineMenu
              label={`Más acciones de la línea ${position}`}
              isFirst={props.isFirst}
              isLast={props.isLast}
              canBecomeProduct={line.linetype === 0 && line.description.trim() !== ''}
              onMove={(step) => context.move(id, step)}
              onSaveProduct={() => context.saveProduct(line)}
              onRemove={() => context.remove(id)}
            />
          )}
        </td>
      </tr>
      {noteId && (
        <tr className={classes.notes}>
          <td colSpan={6} id={noteId}>
            {problems.map((finding) => (
              <FindingNote
                key={`${finding.place} ${finding.mensaje}`}
                finding={finding}
                fix={props.fix}
              />
            ))}
          </td>
        </tr>
      )}
    </>
  );
});

/** A line whose text is no longer its product's name is free text again. */
export function unlinked(line: DraftLine, description: string): LineChange {
  return line.linetype === 1 && description.trim() === '' ? { linetype: 0, productNo: '' } : {};
}

/** The server's findings, and before them what is no number, which needs no server to be seen. */
export function problemsOf(line: DraftLine, findings: readonly PlacedFinding[]): PlacedFinding[] {
  const local = [
    ['quantity', decimalProblem(line.quantity, QUANTITY_DECIMALS)],
    ['price', decimalProblem(line.price, PRICE_DECIMALS)],
  ] as const;
  const own = local.flatMap(([cell, mensaje]): PlacedFinding[] =>
    mensaje === null
      ? []
      : [{ campo: cell, place: `${line.id}.${cell}`, mensaje, gravedad: 'bloquea' }],
  );
  const seen = new Set(own.map(({ place }) => place));
  return [...own, ...findings.filter(({ place }) => !seen.has(place))];
}
