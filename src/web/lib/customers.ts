import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Cliente } from '../../contract/parties.ts';
import { http } from './http.ts';
import { makeOnce } from './make-once.ts';
import { newKey } from './new-key.ts';
import { clientesQuery, withSaved } from './queries.ts';

/** Creates a customer, or changes the one that has a code, and puts it in the list that is loaded. */
export function useSaveCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (customer: Cliente): Promise<Cliente> => {
      const form = { ...customer };
      const saved =
        customer.No === ''
          ? await makeOnce<Cliente | undefined>('SetClientes', form)
          : await http<Cliente | undefined>('/api/PostData/UpdateClientes', {
              form,
              idempotencyKey: newKey(),
            });
      return saved ?? customer;
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(clientesQuery.queryKey, (list) => withSaved(list, saved));
    },
  });
}
