import { notifications } from '@mantine/notifications';
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
import { impuestoOf } from '../../../../domain/impuestos.ts';
import { territoryOf } from '../../../../domain/postal-code.ts';
import { isOfferedTax } from '../../../../domain/product.ts';
import { PRICE_DECIMALS, taxBpsOf } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import { euros } from '../../../lib/format.ts';
import { errorMessages } from '../../../lib/http.ts';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { useCreateProduct } from '../api.ts';
import { useCatalogs } from './catalogs.tsx';
import type { DraftAction, DraftState } from './draft-state.ts';
import type { DraftStore } from './draft-store.ts';
import { focusPlace, placeInFocus } from './focus-place.ts';
import type { Figure, LineContext, LineLabels } from './line-row.tsx';
import {
  allowsNegative,
  contractDecimal,
  type DraftLine,
  emptyLine,
  hasDiscounts,
  type LineChange,
  pricedWithoutTax,
  productPrice,
  taxOptions,
  taxWithProduct,
  writtenLines,
} from './lines.ts';
import { pastedLines, pastedNumbers, TIDY } from './pasted-lines.ts';
import { undoToast } from './undo-toast.tsx';

export interface LineContextInput {
  readonly state: DraftState;
  readonly live: DraftStore;
  readonly dispatch: Dispatch<DraftAction>;
  readonly isReadOnly: boolean;
}

/** The actions of the lines. They remain the same functions, so that rows are not rendered needlessly. */
export function useLineContext(
  { state, live, dispatch, isReadOnly }: LineContextInput,
  root: RefObject<HTMLDivElement | null>,
) {
  const { products, groups, company } = useCatalogs();
  const [announcement, setAnnouncement] = useState('');
  const { lines, typeClient, claveRegimen, ivaIncluido } = state;
  const withoutTax = useCallback(
    (line: DraftLine) =>
      ivaIncluido
        ? pricedWithoutTax(line, taxBpsOf(line, { groups, typeClient, claveRegimen }))
        : line,
    [ivaIncluido, groups, typeClient, claveRegimen],
  );
  const priceOf = useCallback(
    (tax: string, product: Producto) => {
      if (!ivaIncluido) return euros(product.UnitPrice);
      const line = emptyLine('', taxWithProduct(groups, typeClient, tax, product));
      const taxBps = taxBpsOf(line, { groups, typeClient, claveRegimen });
      return `${productPrice(product, taxBps)}\u00a0€`;
    },
    [ivaIncluido, groups, typeClient, claveRegimen],
  );
  const saveProduct = useSaveProduct(dispatch, withoutTax, groups);
  const [codesOf, chooseCodes] = useState<string | null>(null);
  const wantedFocus = useRef<string | null>(null);
  const isNegativeAllowed = allowsNegative(state);
  const isDiscounted = hasDiscounts(lines);
  const isAbono = state.type === 'abono';
  const tax = impuestoOf(territoryOf(company.postCode, company.countryCode));

  // Moving a row takes it out of the document for a moment, and it loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the lines to have moved.
  useLayoutEffect(() => {
    if (wantedFocus.current === null) return;
    // On a phone the fields are in a sheet, outside the card.
    const sheet = document.querySelector<HTMLElement>('[role="dialog"]');
    focusPlace(root.current, wantedFocus.current) || focusPlace(sheet, wantedFocus.current);
    wantedFocus.current = null;
  }, [lines]);

  const change = useCallback(
    (id: string, lineChange: LineChange) => dispatch({ kind: 'line', id, change: lineChange }),
    [dispatch],
  );
  const choose = useCallback(
    (id: string, product: Producto) => {
      dispatch({ kind: 'line-product', id, product });
      focusPlace(root.current, `${id}.quantity`);
    },
    [dispatch, root],
  );
  const addDiscount = useCallback(
    (id: string) => {
      wantedFocus.current = `${id}.discount`;
      dispatch({ kind: 'line', id, change: { discount: '' } });
    },
    [dispatch],
  );
  const shareDiscount = useCallback(
    (id: string) => {
      const before = live.lines;
      dispatch({ kind: 'share-discount', id });
      undoToast('El descuento está en todas las líneas.', () => {
        for (const { id, discount = '' } of before) {
          dispatch({ kind: 'line', id, change: { discount } });
        }
      });
    },
    [live, dispatch],
  );
  const paste = useCallback(
    (id: string, text: string) => {
      const { nextLine } = live.state;
      const pasted = pastedLines(text, products);
      if (!pasted) return false;
      const room = MAX_LINES - writtenLines(live.lines).length;
      const taken = pasted.slice(0, Math.max(room, 0));
      wantedFocus.current = `l${nextLine + taken.length - 1}.description`;
      dispatch({ kind: 'lines-paste', id, pasted: taken });
      undoToast(pastedMessage(taken.length, pasted.length), () => {
        taken.forEach((_, index) => {
          dispatch({ kind: 'line-remove', id: `l${nextLine + index}` });
        });
      });
      return true;
    },
    [live, dispatch, products],
  );
  const pasteNumbers = useCallback(
    (id: string, field: Figure, text: string) => {
      const rows = pastedNumbers(text);
      if (!rows) return false;
      const fields = FIGURES.slice(FIGURES.indexOf(field));
      const from = live.lines.findIndex((line) => line.id === id);
      rows.forEach((cells, index) => {
        const line = live.lines[from + index];
        const changes = cells.flatMap((cell, at) => {
          const name = fields[at];
          return name && cell !== '' ? [[name, TIDY[name](cell)]] : [];
        });
        if (line) dispatch({ kind: 'line', id: line.id, change: Object.fromEntries(changes) });
      });
      return true;
    },
    [live, dispatch],
  );
  const move = useCallback(
    (id: string, step: -1 | 1) => {
      const from = live.lines.findIndex((line) => line.id === id);
      const to = from + step;
      if (to < 0 || to >= live.lines.length - 1 || from === live.lines.length - 1) return;
      wantedFocus.current = placeInFocus() ?? `${id}.description`;
      dispatch({ kind: 'line-move', id, step });
      setAnnouncement(`Línea en la posición ${to + 1}.`);
    },
    [live, dispatch],
  );
  const remove = useCallback(
    (id: string) => {
      const index = live.lines.findIndex((line) => line.id === id);
      const line = live.lines[index];
      if (!line) return;
      wantedFocus.current = `${live.lines[index + 1]?.id}.description`;
      dispatch({ kind: 'line-remove', id });
      undoToast('Línea eliminada.', () => dispatch({ kind: 'line-restore', line, index }));
    },
    [live, dispatch],
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
      live,
      products,
      groups,
      taxes: taxOptions(groups, typeClient, { hasClosed: isAbono }),
      isAbono,
      typeClient,
      claveRegimen,
      isReadOnly,
      ivaIncluido,
      labels: ivaIncluido ? labelsWith(tax) : LABELS,
      hasDiscounts: isDiscounted,
      isNegativeAllowed,
      change,
      choose,
      move,
      remove,
      saveProduct,
      addDiscount,
      shareDiscount,
      paste,
      pasteNumbers,
      chooseCodes,
      focusNext,
      priceOf,
    }),
    [
      live,
      products,
      groups,
      typeClient,
      claveRegimen,
      isAbono,
      isReadOnly,
      ivaIncluido,
      tax,
      isDiscounted,
      isNegativeAllowed,
      change,
      choose,
      move,
      remove,
      saveProduct,
      addDiscount,
      shareDiscount,
      paste,
      pasteNumbers,
      focusNext,
      priceOf,
    ],
  );
  return { context, tax, announcement, codesOf, closeCodes: () => chooseCodes(null) };
}

/** The most that an invoice may have (`src/contract/invoices.ts`). */
const MAX_LINES = 1000;

const FIGURES = ['quantity', 'price', 'discount'] as const;

function pastedMessage(taken: number, found: number): string {
  if (taken < found) return `Se han pegado ${taken} de ${found} líneas: una factura no admite más.`;
  return taken === 1 ? 'Línea pegada.' : `${taken} líneas pegadas.`;
}

const LABELS: LineLabels = { price: 'Precio', total: 'Total' };

function labelsWith(tax: string): LineLabels {
  const included = `(${tax}\u00a0incl.)`;
  return { price: `Precio ${included}`, total: `Importe ${included}` };
}

/** «Guardar como producto»: the line is linked to the new product, and later lines can find it. */
function useSaveProduct(
  dispatch: Dispatch<DraftAction>,
  withoutTax: (line: DraftLine) => DraftLine,
  groups: readonly VatGroup[],
) {
  const { mutate } = useCreateProduct();
  const errors = useErrorDialog();
  return useCallback(
    (line: DraftLine) => {
      const { id, description, price, unit, tax } = withoutTax(line);
      mutate(
        {
          Name: description.trim(),
          UnitOfMeasure: unit ?? 'UD',
          UnitPrice: contractDecimal(price || '0', PRICE_DECIMALS),
          ...(isOfferedTax(groups, tax) && { VATProdPostingGroup: tax }),
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
    [mutate, dispatch, withoutTax, groups, errors],
  );
}
