import { type ReactNode, useMemo } from 'react';
import type { Producto } from '../../../../contract/parties.ts';
import { PRICE_DECIMALS, QUANTITY_DECIMALS } from '../../../../domain/totals.ts';
import { findVatGroup } from '../../../../domain/vat.ts';
import { DecimalCell } from './decimal-cell.tsx';
import { DescriptionCell } from './description-cell.tsx';
import type { PlacedFinding } from './findings.ts';
import type { LineContext } from './line-row.tsx';
import {
  canShareDiscount,
  type DraftLine,
  decimalProblem,
  discountProblem,
  extraOf,
  type LineChange,
  type LineExtra,
  tidyDiscount,
  tidyPrice,
  tidyQuantity,
} from './lines.ts';
import { TaxCell } from './tax-cell.tsx';

export interface LineCells {
  readonly description: ReactNode;
  readonly quantity: ReactNode;
  readonly price: ReactNode;
  /** Null as long as no line has a discount. */
  readonly discount: ReactNode;
  readonly tax: ReactNode;
  /** What the line's situation also requires: its label and its field. */
  readonly extra: {
    readonly label: string;
    readonly help: string;
    readonly field: ReactNode;
  } | null;
}

interface CellsOptions {
  readonly actions: LineActions;
  readonly problems: readonly PlacedFinding[];
  readonly placeholder: string;
  /** The accessible name of a cell: with its line in the table, alone in its sheet. */
  readonly labelOf: (label: string) => string;
  readonly describedBy?: string | undefined;
  /** The place of the cell that gets the focus when the sheet opens. */
  readonly first?: string | undefined;
}

/**
 * The actions on one line. They remain the same functions, so that a key press renders only the cell that it is typed
 * in.
 */
export function useLineActions(id: string, context: LineContext) {
  return useMemo(() => {
    const { live } = context;
    const change = (changed: LineChange) => context.change(id, changed);
    return {
      describe: (description: string) =>
        change({ description, ...unlinked(live.line(id), description) }),
      setQuantity: (quantity: string) => change({ quantity }),
      setPrice: (price: string) => change({ price }),
      setTax: (tax: string) => change({ tax }),
      setCoste: (coste: string) => change({ coste }),
      setTipoDestino: (tipoDestino: string) => change({ tipoDestino }),
      setDiscount: (discount: string) => change({ discount }),
      addDiscount: () => context.addDiscount(id),
      shareDiscount: () => context.shareDiscount(id),
      canShareDiscount: () => {
        const line = live.line(id);
        return line !== undefined && canShareDiscount(line, live.lines);
      },
      choose: (product: Producto) => context.choose(id, product),
      chooseCodes: () => context.chooseCodes(id),
      move: (step: -1 | 1) => context.move(id, step),
      remove: () => context.remove(id),
      saveProduct: () => {
        const line = live.line(id);
        if (line) context.saveProduct(line);
      },
    };
  }, [id, context]);
}

export type LineActions = ReturnType<typeof useLineActions>;

/** The action for each additional field of a line. */
const EXTRA_ACTIONS = {
  coste: 'setCoste',
  tipoDestino: 'setTipoDestino',
} as const satisfies Record<LineExtra['field'], keyof LineActions>;

/** The fields of one line, the same in the row of the table and in the sheet of a phone. */
export function lineCells(line: DraftLine, context: LineContext, options: CellsOptions): LineCells {
  const { id } = line;
  const { actions, problems, describedBy } = options;
  const cell = (name: string, label: string) => ({
    label: options.labelOf(label),
    place: `${id}.${name}`,
    isReadOnly: context.isReadOnly,
    isWrong: problems.some(
      ({ place, gravedad }) => place === `${id}.${name}` && gravedad === 'bloquea',
    ),
    describedBy,
    isFirst: options.first === `${id}.${name}`,
  });
  const { groups, typeClient, claveRegimen } = context;
  const extra = extraOf(findVatGroup(groups, line.tax, typeClient), claveRegimen);

  return {
    description: (
      <DescriptionCell
        {...cell('description', 'Descripción')}
        value={line.description}
        placeholder={options.placeholder}
        products={context.products}
        tax={line.tax}
        priceOf={context.priceOf}
        onChange={actions.describe}
        onProduct={actions.choose}
        onEnter={context.focusNext}
      />
    ),
    quantity: (
      <DecimalCell
        {...cell('quantity', 'Cantidad')}
        value={line.quantity}
        placeholder="1"
        tidy={tidyQuantity}
        onChange={actions.setQuantity}
        onEnter={context.focusNext}
      />
    ),
    price: (
      <DecimalCell
        {...cell('price', context.labels.price)}
        value={line.price}
        placeholder="0,00"
        tidy={tidyPrice}
        onChange={actions.setPrice}
        onEnter={context.focusNext}
      />
    ),
    discount: context.hasDiscounts ? (
      <DecimalCell
        {...cell('discount', 'Descuento, %')}
        value={line.discount ?? ''}
        placeholder="0"
        tidy={tidyDiscount}
        onChange={actions.setDiscount}
        onEnter={context.focusNext}
      />
    ) : null,
    tax: (
      <TaxCell
        {...cell('tax', 'Impuesto')}
        value={line.tax}
        groups={context.groups}
        options={context.taxes}
        typeClient={context.typeClient}
        onChange={actions.setTax}
        onChooseCodes={actions.chooseCodes}
      />
    ),
    extra: extra && {
      label: extra.label,
      help: extra.help,
      field: (
        <DecimalCell
          {...cell(extra.field, extra.label)}
          value={line[extra.field] ?? ''}
          placeholder={extra.placeholder}
          tidy={extra.field === 'coste' ? tidyPrice : tidyQuantity}
          onChange={actions[EXTRA_ACTIONS[extra.field]]}
          onEnter={context.focusNext}
        />
      ),
    },
  };
}

/** A line whose text was emptied is no longer its product's: it is free text again. */
function unlinked(line: DraftLine | undefined, description: string): LineChange {
  return line?.linetype === 1 && description.trim() === '' ? { linetype: 0, productNo: '' } : {};
}

/** The server's findings, preceded by texts that are not numbers, which can be detected without it. */
export function problemsOf(
  line: DraftLine,
  findings: readonly PlacedFinding[],
  { isNegativeAllowed }: Pick<LineContext, 'isNegativeAllowed'>,
): PlacedFinding[] {
  const local = [
    ['quantity', decimalProblem(line.quantity, QUANTITY_DECIMALS, isNegativeAllowed)],
    ['price', decimalProblem(line.price, PRICE_DECIMALS)],
    ['coste', decimalProblem(line.coste ?? '', 2)],
    ['tipoDestino', decimalProblem(line.tipoDestino ?? '', 2)],
    ['discount', discountProblem(line.discount ?? '')],
  ] as const;
  const own = local.flatMap(([cell, mensaje]): PlacedFinding[] =>
    mensaje === null
      ? []
      : [
          {
            campo: cell,
            place: `${line.id}.${cell}`,
            mensaje,
            gravedad: 'bloquea',
            isMissing: false,
          },
        ],
  );
  const seen = new Set(own.map(({ place }) => place));
  return [...own, ...findings.filter(({ place }) => !seen.has(place))];
}
