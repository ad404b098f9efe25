import { useQueryClient } from '@tanstack/react-query';
import type { InvoiceRow } from '../../../contract/invoices.ts';
import { errorMessages } from '../../lib/http.ts';
import { loadModule } from '../../lib/load-module.ts';
import { useErrorDialog } from '../error-dialog.tsx';

const load = loadModule(() => import('./delete-draft.ts'));

/** What deleting a draft does. Its code comes when it is asked for: the first screen does without. */
export function useDeleteDraft(): (row: InvoiceRow) => Promise<void> {
  const queryClient = useQueryClient();
  const errorDialog = useErrorDialog();
  return async (row) => {
    try {
      const { deleteDraft } = await load();
      if (!(await deleteDraft(row))) return;
    } catch (error) {
      errorDialog.show(errorMessages(error));
    }
    // Also when it failed: it may have been registered, or deleted, from another device.
    await queryClient.invalidateQueries({ queryKey: ['invoices'] });
  };
}
