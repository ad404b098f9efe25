import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Cliente } from '../../contract/parties.ts';
import type { Changed } from './changed-fields.ts';
import { http } from './http.ts';
import { makeOnce } from './make-once.ts';
import { newKey } from './new-key.ts';
import { clientesQuery, withSaved } from './queries.ts';

/** Creates a customer, or saves the changes of one with a code, and updates the loaded list. */
export function useSaveCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (customer: Changed<Cliente>): Promise<Cliente> => {
      const form = { ...customer };
      return customer.No === ''
        ? makeOnce<Cliente>('SetClientes', form)
        : http<Cliente>('/api/PostData/UpdateClientes', { form, idempotencyKey: newKey() });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(clientesQuery.queryKey, (list) => withSaved(list, saved));
    },
  });
}
