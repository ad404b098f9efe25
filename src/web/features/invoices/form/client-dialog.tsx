import type { Cliente } from '../../../../contract/parties.ts';
import { useSaveCustomer } from '../../../lib/customers.ts';
import { errorMessages } from '../../../lib/http.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useErrorDialog } from '../../../ui/error-dialog.tsx';
import { CustomerForm, firstMissing } from '../../../ui/forms/customer-form.tsx';
import { useCatalogs } from './catalogs.tsx';

export interface ClientDialogProps {
  /** A client without `No` is a new one. */
  readonly client: Cliente;
  /** What had been half typed in it before. */
  readonly typed: Cliente | undefined;
  readonly onDirtyChange: (isDirty: boolean, draft: Cliente) => void;
  readonly onSaved: (client: Cliente) => void;
  readonly onClose: () => void;
}

/** «Crear Nuevo Cliente», or the card of the chosen client, without leaving the invoice. */
export function ClientDialog(props: ClientDialogProps) {
  const { client, typed, onDirtyChange, onSaved, onClose } = props;
  const catalogs = useCatalogs();
  const save = useSaveCustomer();
  const errors = useErrorDialog();

  return (
    <Dialog
      onClose={onClose}
      size={960}
      title={client.No ? 'Ficha del cliente' : 'Crear Nuevo Cliente'}
      closeOnClickOutside={false}
    >
      <CustomerForm
        customer={client}
        typed={typed}
        start={firstMissing(typed ?? client)}
        onDirtyChange={onDirtyChange}
        options={catalogs}
        customers={catalogs.clients}
        isSaving={save.isPending}
        onCancel={onClose}
        onUse={client.No ? undefined : onSaved}
        onSave={(customer) =>
          save.mutate(customer, {
            onSuccess: onSaved,
            onError: (error) => errors.show(errorMessages(error)),
          })
        }
      />
    </Dialog>
  );
}
