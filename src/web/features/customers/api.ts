import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Cliente } from '../../../contract/parties.ts';
import { http } from '../../lib/http.ts';
import { clientesQuery } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';

/** The answer to a deletion: a sentence if the customer was archived instead, because of its invoices. */
export interface DeleteAnswer {
  readonly message?: string;
}

export function useDeleteCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (No: string) => {
      requireToken('Error el token ha caducado');
      return http<DeleteAnswer | undefined>('/api/PostData/DeleteCliente', { json: { No } });
    },
    onSuccess: (_answer, No) => {
      queryClient.setQueryData(clientesQuery.queryKey, (list: Cliente[] = []) =>
        list.filter((customer) => customer.No !== No),
      );
    },
  });
}
