import { useQueryClient } from '@tanstack/react-query';
import type { Cobros } from '../../../../contract/cobros.ts';
import { invoiceDetailQuery } from '../../../lib/queries.ts';

/** Shows what is owed of an invoice as the server has just answered it, and in the lists as well. */
export function useShowCobros(): (cobros: Cobros) => Promise<void> {
  const queryClient = useQueryClient();
  return async (cobros) => {
    queryClient.setQueryData(
      invoiceDetailQuery(cobros.DocNo).queryKey,
      (detail) => detail && { ...detail, cobros },
    );
    await queryClient.invalidateQueries({ queryKey: ['invoices'] });
  };
}

/** Asks for the invoices again: what was refused was often done by somebody else, or by a call whose answer was lost. */
export function useShowAnew(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ['invoices'] });
}
