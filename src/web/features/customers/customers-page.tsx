import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Option } from '../../../contract/common.ts';
import type { Cliente } from '../../../contract/parties.ts';
import { useSaveCustomer } from '../../lib/customers.ts';
import { errorMessages } from '../../lib/http.ts';
import {
  clientesQuery,
  datosEmpresaQuery,
  formasPagoQuery,
  grupoContableQuery,
  paisesQuery,
  terminosPagoQuery,
} from '../../lib/queries.ts';
import { confirmAction } from '../../ui/confirm.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';
import { newCustomer } from '../../ui/forms/customer-draft.ts';
import { CustomerForm, type CustomerOptions } from '../../ui/forms/customer-form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import type { Labels } from '../../ui/table/labels.ts';
import {
  type RecordFormHandlers,
  RecordList,
  type RecordListTexts,
} from '../../ui/table/record-list.tsx';
import { useRoomyTable } from '../../ui/table/use-wide-table.ts';
import { useDeleteCustomer } from './api.ts';
import { customerColumns, customerDetails, customerSummary } from './customer-columns.tsx';

const TEXTS: RecordListTexts = {
  label: 'Clientes',
  noun: ['cliente', 'clientes'],
  search: 'Buscar clientes',
  add: 'Añadir Cliente',
  addNarrow: 'Crear Nuevo Cliente',
  listTitle: 'LISTADO DE CLIENTES',
  emptyTitle: 'Todavía no tienes clientes',
  emptyText: 'Añade el primero y podrás elegirlo en tus facturas. Solo te pedimos su nombre.',
  noResultsTitle: 'Ningún cliente coincide',
  failedTitle: 'No hemos podido cargar tus clientes',
};

/** Found by the NIF, which is on all of them, or else by the name. */
const INVOICES = {
  label: 'Ver sus facturas',
  to: ({ VATRegistrationNo, Name }: Cliente) =>
    `/panel/historial?${new URLSearchParams({ search: VATRegistrationNo || Name })}`,
};

export function Component() {
  const query = useQuery(clientesQuery);
  const options = useCustomerOptions();
  const labels = useCustomerLabels(options);
  const remove = useRemoveCustomer();

  return (
    <>
      <PageTitle title="Clientes" />
      <RecordList<Cliente, Cliente>
        texts={TEXTS}
        query={query}
        rowKey={({ No }) => No}
        labels={labels}
        columns={customerColumns(options, { isRoomy: useRoomyTable() })}
        dense
        tableFrom="78em"
        actionWidth="124px"
        summary={customerSummary}
        details={(customer) => customerDetails(customer, options)}
        renderForm={(customer, handlers) => (
          <CustomerStrip
            key={customer?.No ?? 'new'}
            customer={customer}
            customers={query.data ?? []}
            options={options}
            handlers={handlers}
          />
        )}
        onDelete={remove}
        link={INVOICES}
      />
    </>
  );
}

function useCustomerOptions(): CustomerOptions {
  return {
    paises: useQuery(paisesQuery).data ?? NONE,
    terminosPago: useQuery(terminosPagoQuery).data ?? NONE,
    formasPago: useQuery(formasPagoQuery).data ?? NONE,
    gruposContables: useQuery(grupoContableQuery).data ?? NONE,
  };
}

const NONE: readonly Option[] = [];

function useCustomerLabels(options: CustomerOptions): Labels<Cliente> {
  const { paises, terminosPago, formasPago, gruposContables } = options;
  return useMemo(
    () => ({
      countryCode: paises,
      PaymentTerms: terminosPago,
      PaymentMethod: formasPago,
      CustomerPostingGroup: gruposContables,
    }),
    [paises, terminosPago, formasPago, gruposContables],
  );
}

interface CustomerStripProps {
  readonly customer: Cliente | undefined;
  readonly customers: readonly Cliente[];
  readonly options: CustomerOptions;
  readonly handlers: RecordFormHandlers<Cliente>;
}

function CustomerStrip({ customer, customers, options, handlers }: CustomerStripProps) {
  const company = useQuery(datosEmpresaQuery);
  const save = useSaveCustomer();
  const errorDialog = useErrorDialog();
  return (
    <CustomerForm
      customer={customer ?? newCustomer(company.data)}
      customers={customers}
      options={options}
      isSaving={save.isPending}
      onSave={(draft) =>
        save.mutate(draft, {
          onSuccess: ({ Name }) => {
            notifications.show({ message: `«${Name}» está guardado.` });
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

/** Asks for confirmation, deletes, and reports it: the server archives a customer with invoices. */
function useRemoveCustomer() {
  const remove = useDeleteCustomer();
  const errorDialog = useErrorDialog();
  return async ({ No, Name }: Cliente) => {
    const goesOn = await confirmAction({
      title: 'Eliminar cliente',
      message: `«${Name}» dejará de estar en tu lista. Las facturas que ya tenga no cambian.`,
      confirm: 'Eliminar cliente',
      danger: true,
    });
    if (!goesOn) return;
    remove.mutate(No, {
      onSuccess: (answer) =>
        notifications.show({ message: answer?.message ?? `«${Name}» se ha eliminado.` }),
      onError: (error) => errorDialog.show(errorMessages(error)),
    });
  };
}
