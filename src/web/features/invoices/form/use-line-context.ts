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
import type { LineContext, LineLabels } from './line-row.tsx';
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
} from './lines.ts';
import { undoToast } from './undo-toast.tsx';
import { usePasting } from './use-pasting.ts';

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
  const wantedFocus = useWantedFocus(root, lines);
  const isNegativeAllowed = allowsNegative(state);
  const isDiscounted = hasDiscounts(lines);
  const isAbono = state.type === 'abono';
  const tax = impuestoOf(territoryOf(company.postCode, company.countryCode));

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
  const { addDiscount, shareDiscount } = useDiscounts(live, dispatch, wantedFocus);
  const { move, remove } = useMoves({ live, dispatch, wantedFocus, setAnnouncement });
  const paste = usePasting({ live, dispatch, products, wantedFocus });
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
      priceOf,
    ],
  );
  return { context, tax, announcement, codesOf, closeCodes: () => chooseCodes(null) };
}

function focusNext(field: HTMLElement): void {
  const fields = [
    ...(field.closest('table, [role="dialog"]') ?? document).querySelectorAll<HTMLElement>(
      '[data-place]',
    ),
  ];
  fields[fields.indexOf(field) + 1]?.focus();
}

/** The place to focus once the lines have changed: it may not be there yet, or be moved, which takes the focus away. */
export type WantedFocus = RefObject<string | null>;

function useWantedFocus(
  root: RefObject<HTMLDivElement | null>,
  lines: readonly DraftLine[],
): WantedFocus {
  const wantedFocus = useRef<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the lines to have moved.
  useLayoutEffect(() => {
    if (wantedFocus.current === null) return;
    // On a phone the fields are in a sheet, outside the card.
    const sheet = document.querySelector<HTMLElement>('[role="dialog"]');
    focusPlace(root.current, wantedFocus.current) || focusPlace(sheet, wantedFocus.current);
    wantedFocus.current = null;
  }, [lines]);
  return wantedFocus;
}

function useDiscounts(live: DraftStore, dispatch: Dispatch<DraftAction>, wantedFocus: WantedFocus) {
  const addDiscount = useCallback(
    (id: string) => {
      wantedFocus.current = `${id}.discount`;
      dispatch({ kind: 'line', id, change: { discount: '' } });
    },
    [dispatch, wantedFocus],
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
  return { addDiscount, shareDiscount };
}

interface MovesInput extends Pick<LineContextInput, 'live' | 'dispatch'> {
  readonly wantedFocus: WantedFocus;
  readonly setAnnouncement: (announcement: string) => void;
}

function useMoves({ live, dispatch, wantedFocus, setAnnouncement }: MovesInput) {
  const move = useCallback(
    (id: string, step: -1 | 1) => {
      const from = live.lines.findIndex((line) => line.id === id);
      const to = from + step;
      if (to < 0 || to >= live.lines.length - 1 || from === live.lines.length - 1) return;
      wantedFocus.current = placeInFocus() ?? `${id}.description`;
      dispatch({ kind: 'line-move', id, step });
      setAnnouncement(`Línea en la posición ${to + 1}.`);
    },
    [live, dispatch, wantedFocus, setAnnouncement],
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
    [live, dispatch, wantedFocus],
  );
  return { move, remove };
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
