import { useQueryClient } from '@tanstack/react-query';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { errorMessages } from '../../lib/http.ts';
import { loadModule } from '../../lib/load-module.ts';
import { useErrorDialog } from '../error-dialog.tsx';

const load = loadModule(() => import('./delete-draft.ts'));

/** What deleting a draft does, and whether it did. Its code comes when it is asked for: the first screen does without. */
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
    // Also when it failed: it may have been registered, or deleted, from another device.
    await queryClient.invalidateQueries({ queryKey: ['invoices'] });
    return isDeleted;
  };
}
