import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Cliente } from '../../../contract/parties.ts';
import { http } from '../../lib/http.ts';
import { clientesQuery } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';

/** What the deletion answers: a sentence when the customer was put away instead, for its invoices. */
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
