import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Option } from '../../../contract/common.ts';
import type { Producto } from '../../../contract/parties.ts';
import { isProductTax } from '../../../domain/product.ts';
import type { VatGroup } from '../../../domain/vat.ts';
import { percent } from '../../lib/format.ts';
import { errorMessages } from '../../lib/http.ts';
import { grupoIvaQuery, productosQuery, unitOfMeasureQuery } from '../../lib/queries.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import type { Column } from '../../ui/table/data-table.tsx';
import {
  type RecordFormHandlers,
  RecordList,
  type RecordListTexts,
} from '../../ui/table/record-list.tsx';
import { useDeleteProduct, useSaveProduct } from './api.ts';
import { type ProductDraft, priceText } from './product-draft.ts';
import { ProductForm } from './product-form.tsx';
import classes from './products-page.module.css';

const TEXTS: RecordListTexts = {
  label: 'Productos / Servicios',
  noun: ['producto', 'productos'],
  search: 'Buscar productos',
  add: 'Añadir Producto',
  addNarrow: 'Crear Nuevo Producto',
  listTitle: 'LISTADO DE PRODUCTOS',
  emptyTitle: 'Todavía no tienes productos ni servicios',
  emptyText: 'Guarda lo que más vendes y lo tendrás a mano al escribir una factura.',
  noResultsTitle: 'Ningún producto coincide',
  failedTitle: 'No hemos podido cargar tus productos',
};

const NO_UNITS: readonly Option[] = [];
const NO_GROUPS: readonly VatGroup[] = [];

export function Component() {
  const query = useQuery(productosQuery);
  const units = useQuery(unitOfMeasureQuery).data ?? NO_UNITS;
  const groups = useQuery(grupoIvaQuery).data ?? NO_GROUPS;
  const taxes = useMemo(() => groups.filter(isProductTax).map(optionOf), [groups]);
  const labels = useMemo(
    () => ({ UnitOfMeasure: units, VATProdPostingGroup: taxes }),
    [units, taxes],
  );
  const remove = useRemoveProduct();

  return (
    <>
      <PageTitle title="Productos / Servicios" />
      <RecordList<Producto, ProductDraft>
        texts={TEXTS}
        query={query}
        rowKey={({ No }) => No}
        labels={labels}
        columns={productColumns(units, groups)}
        tableFrom="48em"
        actionWidth="116px"
        summary={({ Name, No, UnitPrice, UnitOfMeasure }) => ({
          title: Name,
          subtitle: No,
          value: price(UnitPrice),
          note: unitName(units, UnitOfMeasure),
        })}
        details={({ No, UnitPrice, UnitOfMeasure, VATProdPostingGroup }) => [
          { label: 'Código', value: No },
          { label: 'Precio', value: price(UnitPrice) },
          { label: 'Unidad', value: unitName(units, UnitOfMeasure) },
          { label: 'Impuesto', value: taxName(groups, VATProdPostingGroup) },
        ]}
        renderForm={(product, handlers) => (
          <ProductStrip
            key={product?.No ?? 'new'}
            product={product}
            units={units}
            taxes={taxes}
            handlers={handlers}
          />
        )}
        onDelete={remove}
      />
    </>
  );
}

function productColumns(units: readonly Option[], groups: readonly VatGroup[]): Column<Producto>[] {
  return [
    {
      key: 'No',
      header: 'Código',
      width: '13%',
      sortBy: 'No',
      cell: ({ No }) => <span className="hu-muted">{No}</span>,
    },
    {
      key: 'Name',
      header: 'Nombre',
      sortBy: 'Name',
      isRowHeader: true,
      bars: [52, 38, 60, 44],
      cell: ({ Name }) => <span className={classes.name}>{Name}</span>,
    },
    {
      key: 'UnitPrice',
      header: 'Precio',
      width: '18%',
      align: 'right',
      sortBy: 'UnitPrice',
      bars: [55, 45, 60],
      cell: ({ UnitPrice }) => <span className="hu-figures">{price(UnitPrice)}</span>,
    },
    {
      key: 'UnitOfMeasure',
      header: 'Unidad',
      width: '14%',
      sortBy: 'UnitOfMeasure',
      bars: [50, 40],
      cell: ({ UnitOfMeasure }) => unitName(units, UnitOfMeasure),
    },
    {
      key: 'VATProdPostingGroup',
      header: 'Impuesto',
      width: '12%',
      sortBy: 'VATProdPostingGroup',
      bars: [40, 40],
      cell: ({ VATProdPostingGroup }) => taxName(groups, VATProdPostingGroup),
    },
  ];
}

const price = (value: number) => `${priceText(value)}\u00a0€`;

function unitName(units: readonly Option[], code: string): string {
  return units.find(({ value }) => value === code)?.label ?? code;
}

const optionOf = ({ VATProdPostingGroup, Description }: VatGroup): Option => ({
  value: VATProdPostingGroup,
  label: Description,
});

/** Its tax, as in the cell of a line; a dash for the usual one. */
function taxName(groups: readonly VatGroup[], code = ''): string {
  if (code === '') return '—';
  const group = groups.find(
    (one) => one.VATProdPostingGroup === code && one.VATBusPostingGroup === 'NAC',
  );
  if (!group) return code;
  return group.verifactu.OperacionExenta ? 'Exento' : percent(group.VATPercentage);
}

interface ProductStripProps {
  readonly product: Producto | undefined;
  readonly units: readonly Option[];
  readonly taxes: readonly Option[];
  readonly handlers: RecordFormHandlers<ProductDraft>;
}

function ProductStrip({ product, units, taxes, handlers }: ProductStripProps) {
  const save = useSaveProduct(product);
  const errorDialog = useErrorDialog();
  return (
    <ProductForm
      product={product}
      units={units}
      taxes={taxes}
      isSaving={save.isPending}
      onSave={(draft) =>
        save.mutate(draft, {
          onSuccess: () => {
            notifications.show({ message: `«${draft.Name}» está guardado.` });
            handlers.onDone();
          },
          onError: (error) => errorDialog.show(errorMessages(error)),
        })
      }
      onCancel={handlers.onDone}
      onDirtyChange={handlers.onDirtyChange}
      typed={handlers.typed}
    />
  );
}

function useRemoveProduct() {
  const remove = useDeleteProduct();
  const errorDialog = useErrorDialog();
  return async ({ No, Name }: Producto) => {
    const goesOn = await confirmAction({
      title: 'Eliminar producto',
      message: `«${Name}» dejará de estar en tu lista. Las facturas que ya lo llevan no cambian.`,
      confirm: 'Eliminar producto',
      danger: true,
    });
    if (!goesOn) return;
    remove.mutate(No, {
      onSuccess: () => notifications.show({ message: `«${Name}» se ha eliminado.` }),
      onError: (error) => errorDialog.show(errorMessages(error)),
    });
  };
}
