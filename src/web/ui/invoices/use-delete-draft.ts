import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { errorMessages, http } from '../../lib/http.ts';
import { requireToken } from '../../lib/require-token.ts';
import { confirmAction } from '../confirm.tsx';
import { useErrorDialog } from '../error-dialog.tsx';

/** Asks, deletes the draft and says so. */
export function useDeleteDraft(): (row: InvoiceRow) => Promise<void> {
  const queryClient = useQueryClient();
  const errorDialog = useErrorDialog();
  const remove = useMutation({
    mutationFn: async (No: string) => {
      requireToken('El token ha caducado');
      await http('/api/PostData/DeleteInvoice', { json: { No } });
    },
    onSuccess: (_answer, No) => {
      notifications.show({ message: `El borrador ${No} está eliminado.` });
    },
    onError: (error) => errorDialog.show(errorMessages(error)),
    // Also when it fails: it may have been registered, or deleted, from another device.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['invoices'] }),
  });

  return async ({ DocNo, Name }) => {
    const whose = Name ? `, para «${Name}»,` : '';
    const goesOn = await confirmAction({
      title: 'Eliminar borrador',
      message: `El borrador ${DocNo}${whose} se perderá. No tiene número ni registro: no deja hueco.`,
      confirm: 'Eliminar borrador',
      danger: true,
    });
    if (goesOn) remove.mutate(DocNo);
  };
}
