import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Cliente } from '../../contract/parties.ts';
import { http } from './http.ts';
import { newKey } from './new-key.ts';
import { clientesQuery } from './queries.ts';

/** Creates a customer, or changes the one that has a code, and puts it in the list that is loaded. */
export function useSaveCustomer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (customer: Cliente): Promise<Cliente> => {
      const call = customer.No === '' ? 'SetClientes' : 'UpdateClientes';
      const options = { form: { ...customer }, idempotencyKey: newKey() };
      return (await http<Cliente | undefined>(`/api/PostData/${call}`, options)) ?? customer;
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(clientesQuery.queryKey, (list: Cliente[] = []) =>
        list.some(({ No }) => No === saved.No)
          ? list.map((customer) => (customer.No === saved.No ? saved : customer))
          : [...list, saved],
      );
    },
  });
}
