import { useQueryClient } from '@tanstack/react-query';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { errorMessages } from '../../lib/http.ts';
import { loadModule } from '../../lib/load-module.ts';
import { useErrorDialog } from '../error-dialog.tsx';

const load = loadModule(() => import('./delete-draft.ts'));

/**
 * Deletes a draft, and returns whether it did. Its code is loaded on demand, because the first screen does not need
 * it.
 */
export function useDeleteDraft(): (row: InvoiceRow) => Promise<boolean> {
  const queryClient = useQueryClient();
  const errorDialog = useErrorDialog();
  return async (row) => {
    let isDeleted = false;
    try {
      const { deleteDraft } = await load();
      isDeleted = await deleteDraft(row);
      if (!isDeleted) return false;
    } catch (error) {
      errorDialog.show(errorMessages(error));
    }
    // Also after a failure: it may have been registered or deleted on another device.
    await queryClient.invalidateQueries({ queryKey: ['invoices'] });
    return isDeleted;
  };
}
