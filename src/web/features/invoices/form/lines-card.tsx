import { Button, Kbd } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import {
  type Dispatch,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import { PRICE_DECIMALS } from '../../../../domain/totals.ts';
import { errorMessages } from '../../../lib/http.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { useCreateProduct } from '../api.ts';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import type { DraftTotals } from './draft-totals.ts';
import type { PlacedFinding } from './findings.ts';
import type { FixContext } from './fixes.ts';
import { LineCard, LineSheet } from './line-card.tsx';
import { type LineContext, LineRow, type LineRowProps } from './line-row.tsx';
import {
  contractDecimal,
  type DraftLine,
  isEmptyLine,
  type LineChange,
  taxOptions,
} from './lines.ts';
import classes from './lines-card.module.css';
import { figure, TotalsBlock } from './totals-block.tsx';
import { undoToast } from './undo-toast.tsx';

export interface LinesCardProps {
  readonly state: DraftState;
  readonly totals: DraftTotals;
  readonly findings: readonly PlacedFinding[];
  readonly fix: FixContext;
  readonly dispatch: Dispatch<DraftAction>;
  readonly companyId: string;
  readonly isReadOnly: boolean;
  readonly isNarrow: boolean;
}

const NONE: readonly PlacedFinding[] = [];

/** The lines and what they come to: a table, or on a phone cards that open a sheet. */
export function LinesCard(props: LinesCardProps) {
  const { state, totals, findings, fix, isReadOnly, isNarrow } = props;
  const root = useRef<HTMLDivElement>(null);
  const { context, announcement } = useLineContext(props, root);
  const findingsOf = useMemo(() => byLine(findings), [findings]);
  const { lines } = state;
  const shown = isReadOnly ? lines.filter((line) => !isEmptyLine(line)) : lines;

  const rowOf = (line: DraftLine, index: number): LineRowProps => ({
    line,
    position: index + 1,
    isFirst: index === 0,
    isLast: index >= lines.length - 2,
    isTail: index === lines.length - 1,
    total: figure(totals.byLine.get(line.id)?.totalCents ?? 0n),
    context,
    findings: findingsOf.get(line.id) ?? NONE,
    fix,
  });
  const rows = shown.map(rowOf);

  return (
    <section className={classes.card} aria-labelledby="lineas" ref={root}>
      <div className={classes.head}>
        <h2 id="lineas" className={classes.title}>
          Líneas
        </h2>
        {!isNarrow && !isReadOnly && (
          <p className={classes.hint}>
            <Kbd>Alt</Kbd> <Kbd>↑</Kbd> <Kbd>↓</Kbd> mueve la línea
          </p>
        )}
      </div>
      <p className="hu-hidden" role="status">
        {announcement}
      </p>
      {isNarrow ? <Cards rows={rows} isReadOnly={isReadOnly} root={root} /> : <Rows rows={rows} />}
      <div className={classes.foot}>
        {!isReadOnly && !isNarrow && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
            onClick={() => focusPlace(root.current, `${lines.at(-1)?.id}.description`)}
          >
            Añadir línea
          </Button>
        )}
        <TotalsBlock totals={totals} />
      </div>
    </section>
  );
}

function Rows({ rows }: { rows: readonly LineRowProps[] }) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} data-wide={rows.some(isLong) || undefined}>
        <caption className="hu-hidden">Líneas de la factura</caption>
        <thead>
          <tr>
            <th scope="col">Descripción</th>
            <th scope="col">Cantidad</th>
            <th scope="col">Precio</th>
            <th scope="col">Impuesto</th>
            <th scope="col">Total</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <LineRow key={row.line.id} {...row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** More figures than an ordinary column holds, from ten million on. */
const LONG_FIGURE = 12;

function isLong({ line, total }: LineRowProps): boolean {
  return total.length > LONG_FIGURE || line.price.length > LONG_FIGURE;
}

interface CardsProps {
  readonly rows: readonly LineRowProps[];
  readonly isReadOnly: boolean;
  readonly root: RefObject<HTMLElement | null>;
}

function Cards({ rows, isReadOnly, root }: CardsProps) {
  const [openId, setOpenId] = useState<string | null>(null);
  const index = rows.findIndex(({ line }) => line.id === openId);
  const open = rows[index];
  const tail = rows.at(-1);
  return (
    <>
      <ul className={classes.cards}>
        {rows
          .filter(({ isTail, line }) => !isTail || !isEmptyLine(line))
          .map((row) => (
            <LineCard key={row.line.id} {...row} onOpen={setOpenId} />
          ))}
      </ul>
      {!isReadOnly && (
        <Button
          variant="default"
          fullWidth
          leftSection={<IconPlus size={16} stroke={1.8} aria-hidden="true" />}
          onClick={() => setOpenId(tail?.line.id ?? null)}
        >
          Añadir línea
        </Button>
      )}
      {open && (
        <LineSheet
          key={open.line.id}
          {...open}
          onClose={() => {
            setOpenId(null);
            // The card it was opened from is there again once the sheet has gone.
            requestAnimationFrame(() => focusPlace(root.current, `${open.line.id}.description`));
          }}
          onNext={() => setOpenId(rows[index + 1]?.line.id ?? null)}
        />
      )}
    </>
  );
}

/** The actions of the lines, the same functions all along so that rows are not drawn for nothing. */
function useLineContext(
  { state, dispatch, companyId, isReadOnly }: LinesCardProps,
  root: RefObject<HTMLDivElement | null>,
) {
  const { products, groups } = useCatalogs();
  const [announcement, setAnnouncement] = useState('');
  const saveProduct = useSaveProduct(dispatch);
  const wantedFocus = useRef<string | null>(null);
  const { lines, typeClient } = state;

  // Moving a row takes it out of the page for a moment, and the focus with it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the lines to have moved.
  useLayoutEffect(() => {
    if (wantedFocus.current === null) return;
    focusPlace(root.current, wantedFocus.current);
    wantedFocus.current = null;
  }, [lines]);

  const latest = useRef(lines);
  latest.current = lines;

  const change = useCallback(
    (id: string, lineChange: LineChange) => dispatch({ kind: 'line', id, change: lineChange }),
    [dispatch],
  );
  const choose = useCallback(
    (id: string, product: Producto) => {
      dispatch({ kind: 'line-product', id, product });
      wantedFocus.current = `${id}.quantity`;
    },
    [dispatch],
  );
  const move = useCallback(
    (id: string, step: -1 | 1) => {
      const from = latest.current.findIndex((line) => line.id === id);
      const to = from + step;
      if (to < 0 || to >= latest.current.length - 1 || from === latest.current.length - 1) return;
      wantedFocus.current = placeInFocus() ?? `${id}.description`;
      dispatch({ kind: 'line-move', id, step });
      setAnnouncement(`Línea en la posición ${to + 1}.`);
    },
    [dispatch],
  );
  const remove = useCallback(
    (id: string) => {
      const index = latest.current.findIndex((line) => line.id === id);
      const line = latest.current[index];
      if (!line) return;
      wantedFocus.current = `${latest.current[index + 1]?.id}.description`;
      dispatch({ kind: 'line-remove', id });
      undoToast('Línea eliminada.', () => dispatch({ kind: 'line-restore', line, index }));
    },
    [dispatch],
  );
  const focusNext = useCallback((field: HTMLElement) => {
    const fields = [
      ...(field.closest('table, [role="dialog"]') ?? document).querySelectorAll<HTMLElement>(
        '[data-place]',
      ),
    ];
    fields[fields.indexOf(field) + 1]?.focus();
  }, []);

  const context = useMemo<LineContext>(
    () => ({
      products,
      companyId,
      groups,
      taxes: taxOptions(groups, typeClient),
      typeClient,
      isReadOnly,
      change,
      choose,
      move,
      remove,
      saveProduct,
      focusNext,
    }),
    [
      products,
      companyId,
      groups,
      typeClient,
      isReadOnly,
      change,
      choose,
      move,
      remove,
      saveProduct,
      focusNext,
    ],
  );
  return { context, announcement };
}

/** «Guardar como producto»: the line becomes that product's, and the next ones find it. */
function useSaveProduct(dispatch: Dispatch<DraftAction>) {
  const { mutate } = useCreateProduct();
  const errors = useErrorDialog();
  return useCallback(
    ({ id, description, price, unit }: DraftLine) => {
      mutate(
        {
          Name: description.trim(),
          UnitOfMeasure: unit ?? 'UD',
          UnitPrice: contractDecimal(price || '0', PRICE_DECIMALS),
        },
        {
          onSuccess: ({ No, UnitOfMeasure }) => {
            dispatch({
              kind: 'line',
              id,
              change: { linetype: 1, productNo: No, unit: UnitOfMeasure },
            });
            notifications.show({ message: `«${description.trim()}» ya está en tus productos.` });
          },
          onError: (error) => errors.show(errorMessages(error)),
        },
      );
    },
    [mutate, dispatch, errors],
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

/** Takes the focus to a field by the place it has in the form. False when there is none there. */
export function focusPlace(root: HTMLElement | null, place: string): boolean {
  const found = root?.querySelector<HTMLElement>(`[data-place="${CSS.escape(place)}"]`);
  const field = found?.matches('input, textarea, select, button')
    ? found
    : found?.querySelector('input');
  field?.focus();
  return field !== null && field !== undefined;
}

function placeInFocus(): string | null {
  return document.activeElement?.getAttribute('data-place') ?? null;
}
