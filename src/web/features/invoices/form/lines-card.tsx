import { Button, Kbd, Switch } from '@mantine/core';
import { IconDiscount, IconPlus } from '@tabler/icons-react';
import { type CSSProperties, type Dispatch, memo, type RefObject, useMemo, useRef } from 'react';
import type { LecturaAnswer } from '../../../../contract/reading.ts';
import { tipoFacturaOf } from '../../../../domain/invoice.ts';
import { isEmptyLine } from '../../../../domain/totals.ts';
import { TABLE_ROLES } from '../../../ui/table-roles.ts';
import { lineMarks, sumLevels } from '../upload/reading-fields.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { DifferenceTable } from './difference-table.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import type { DraftStore } from './draft-store.ts';
import type { DraftTotals } from './draft-totals.ts';
import { FindingNote } from './finding-note.tsx';
import type { PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { focusPlace } from './focus-place.ts';
import { rememberIvaIncluido } from './iva-incluido.ts';
import { LineCard, LineSheet } from './line-card.tsx';
import { type LineLabels, LineRow, type LineRowProps } from './line-row.tsx';
import type { DraftLine } from './lines.ts';
import classes from './lines-card.module.css';
import { figure, TotalsBlock } from './totals-block.tsx';
import { useLineContext } from './use-line-context.ts';
import { UsualRetentionNote } from './usual-retention.tsx';

export interface LinesCardProps {
  readonly state: DraftState;
  readonly live: DraftStore;
  readonly totals: DraftTotals;
  readonly findings: readonly PlacedFinding[];
  readonly fix: FixContext;
  readonly dispatch: Dispatch<DraftAction>;
  readonly companyId: string;
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
  /** On a phone, the line whose sheet is open, or the place of the field in it that gets the focus. */
  readonly opened: string | null;
  readonly onOpen: (opened: string | null) => void;
  /** The finding about prices that include the tax, if any. */
  readonly ivaFinding: PlacedFinding | undefined;
  /** What it was read from, if it came from a file. */
  readonly lectura?: LecturaAnswer | undefined;
}

const NONE: readonly PlacedFinding[] = [];

/** The lines and their sums: a table or, on a phone, cards that open a sheet. */
export const LinesCard = memo(function LinesCard(props: LinesCardProps) {
  const { state, totals, findings, fix, isReadOnly, isNarrow, ivaFinding, lectura } = props;
  const root = useRef<HTMLDivElement>(null);
  const { context, tax, announcement, codesOf, closeCodes } = useLineContext(props, root);
  const coded = props.state.lines.find((line) => line.id === codesOf);
  const findingsOf = useMemo(() => byLine(findings), [findings]);
  const { lines } = state;
  const first = lines[0];
  const marks = lectura && !isReadOnly ? lineMarks(lectura, lines, totals) : undefined;
  const levels = useMemo(
    () => (lectura && !isReadOnly ? sumLevels(lectura, totals) : undefined),
    [lectura, totals, isReadOnly],
  );
  const shown = isReadOnly ? lines.filter((line) => !isEmptyLine(line)) : lines;

  const rowOf = (line: DraftLine, index: number): LineRowProps => ({
    line,
    position: index + 1,
    isFirst: index === 0,
    isLast: index >= lines.length - 2,
    isTail: index === lines.length - 1,
    level: marks?.get(line.id)?.level,
    original: marks?.get(line.id)?.original,
    total: figure(totals.byLine.get(line.id)?.totalCents ?? 0n),
    context,
    findings: findingsOf.get(line.id) ?? NONE,
    fix,
  });
  const rows = shown.map(rowOf);

  return (
    <section className={`hu-card ${classes.card}`} aria-labelledby="lineas" ref={root}>
      <div className={classes.head}>
        <h2 id="lineas" className={classes.title}>
          Líneas
        </h2>
        {mayHaveTaxInPrices(state) && (
          <Switch
            label={`Precios con ${tax} incluido`}
            data-place="ivaIncluido"
            checked={state.ivaIncluido}
            disabled={isReadOnly}
            onChange={({ currentTarget: { checked } }) => {
              rememberIvaIncluido(props.companyId, checked);
              props.dispatch({ kind: 'set', change: { ivaIncluido: checked } });
            }}
          />
        )}
        {!isNarrow && !isReadOnly && (
          <p className={classes.hint}>
            <Kbd>Alt</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> mueve la línea
          </p>
        )}
      </div>
      {ivaFinding && (
        <p className={classes.finding}>
          <FindingNote finding={ivaFinding} fix={fix} />
        </p>
      )}
      <p className="hu-hidden" role="status">
        {announcement}
      </p>
      {isNarrow ? (
        <Cards
          rows={rows}
          isReadOnly={isReadOnly}
          opened={props.opened}
          onOpen={props.onOpen}
          root={root}
        />
      ) : (
        <Rows rows={rows} labels={context.labels} hasDiscounts={context.hasDiscounts} />
      )}
      <div className={classes.foot}>
        {!isReadOnly && !isNarrow && (
          <div className={classes.adding}>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
              onClick={() => focusPlace(root.current, `${lines.at(-1)?.id}.description`)}
            >
              Añadir línea
            </Button>
            {first && !context.hasDiscounts && (
              <Button
                variant="subtle"
                color="gray"
                size="sm"
                leftSection={<IconDiscount size={16} stroke={1.8} aria-hidden="true" />}
                onClick={() => context.addDiscount(first.id)}
              >
                Añadir descuento
              </Button>
            )}
          </div>
        )}
        <div className={classes.sums}>
          <TotalsBlock totals={totals} tipoFactura={tipoFacturaOf(state)} levels={levels} />
          {!isReadOnly && !lectura && (
            <UsualRetentionNote state={state} totals={totals} dispatch={props.dispatch} />
          )}
        </div>
      </div>
      <DifferenceTable state={state} totals={totals} />
      {coded && (
        <CodesDialog
          tax={coded.tax}
          groups={context.groups}
          typeClient={context.typeClient}
          isAbono={context.isAbono}
          onChoose={(tax) => {
            context.change(coded.id, { tax });
            closeCodes();
          }}
          onClose={closeCodes}
        />
      )}
    </section>
  );
});

const { table, group, row, head, cell } = TABLE_ROLES;

/** A simplified invoice, or one that replaces it; any other only as long as its prices already include the tax. */
function mayHaveTaxInPrices(state: DraftState): boolean {
  return state.ivaIncluido || state.isSimplificada || tipoFacturaOf(state) === 'F3';
}

interface RowsProps {
  readonly rows: readonly LineRowProps[];
  readonly labels: LineLabels;
  readonly hasDiscounts: boolean;
}

function Rows({ rows, labels, hasDiscounts }: RowsProps) {
  return (
    <div className={classes.frame}>
      <table
        {...table}
        className={classes.table}
        data-wide={rows.some(isLong) || undefined}
        data-discounts={hasDiscounts || undefined}
        style={roomOf(rows)}
      >
        <caption className="hu-hidden">Líneas de la factura</caption>
        <thead {...group}>
          <tr {...row}>
            <th {...head} scope="col">
              Descripción
            </th>
            <th {...head} scope="col">
              Cantidad
            </th>
            <th {...head} scope="col">
              {labels.price}
            </th>
            {hasDiscounts && (
              <th {...head} scope="col">
                Dto. %
              </th>
            )}
            <th {...head} scope="col" className={classes.taxHead}>
              Impuesto
            </th>
            <th {...head} scope="col">
              {labels.total}
            </th>
            <td {...cell} />
          </tr>
        </thead>
        <tbody {...group}>
          {rows.map((line) => (
            <LineRow key={line.line.id} {...line} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** More digits than an ordinary column holds, from a million on. */
const LONG_FIGURE = 10;
/** `1.234,5` */
const LONG_QUANTITY = 7;

function isLong({ line, total }: LineRowProps): boolean {
  return (
    total.length > LONG_FIGURE ||
    line.price.length > LONG_FIGURE ||
    line.quantity.length > LONG_QUANTITY
  );
}

/** The width of the widest number in each column, in digits. The description gets the rest. */
function roomOf(rows: readonly LineRowProps[]): CSSProperties {
  const widest = (figureOf: (row: LineRowProps) => string) =>
    Math.max(0, ...rows.map((row) => figures(figureOf(row))));
  return {
    '--quantity-room': `${widest(({ line }) => line.quantity)}ch`,
    '--price-room': `${widest(({ line }) => line.price)}ch`,
    '--total-room': `${widest(({ total }) => total)}ch`,
  } as CSSProperties;
}

/**
 * A point or a comma is less than half as wide as a digit. Rounded to steps of two, so that not every key press moves
 * the columns.
 */
const figures = (text: string) =>
  2 * Math.ceil((text.length - 0.6 * (text.match(/[.,]/g)?.length ?? 0)) / 2);

interface CardsProps extends Pick<LinesCardProps, 'isReadOnly' | 'opened' | 'onOpen'> {
  readonly rows: readonly LineRowProps[];
  readonly root: RefObject<HTMLElement | null>;
}

function Cards({ rows, isReadOnly, opened, onOpen, root }: CardsProps) {
  const index = rows.findIndex(({ line }) => line.id === opened?.split('.')[0]);
  const open = rows[index];
  const tail = rows.at(-1);
  return (
    <>
      <ul className={classes.cards}>
        {rows
          .filter(({ isTail, line }) => !isTail || !isEmptyLine(line))
          .map((row) => (
            <LineCard key={row.line.id} {...row} onOpen={onOpen} />
          ))}
      </ul>
      {!isReadOnly && (
        <Button
          variant="default"
          fullWidth
          // The way to a line that is not there yet.
          data-place={tail && isEmptyLine(tail.line) ? `${tail.line.id}.description` : undefined}
          leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => onOpen(tail?.line.id ?? null)}
        >
          Añadir línea
        </Button>
      )}
      {open && (
        <LineSheet
          key={open.line.id}
          {...open}
          first={opened ?? undefined}
          onClose={() => {
            onOpen(null);
            // The card that opened the sheet exists again once the sheet is closed.
            requestAnimationFrame(() => focusPlace(root.current, `${open.line.id}.description`));
          }}
          onNext={() => onOpen(rows[index + 1]?.line.id ?? null)}
        />
      )}
    </>
  );
}

function byLine(findings: readonly PlacedFinding[]): ReadonlyMap<string, readonly PlacedFinding[]> {
  const found = new Map<string, PlacedFinding[]>();
  for (const finding of findings) {
    const id = finding.place.split('.')[0] ?? '';
    found.set(id, [...(found.get(id) ?? []), finding]);
  }
  return found;
}
