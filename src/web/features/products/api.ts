import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Producto } from '../../../contract/parties.ts';
import { http } from '../../lib/http.ts';
import { newKey } from '../../lib/new-key.ts';
import { productosQuery } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';
import type { ProductDraft } from './product-draft.ts';

/** Creates a product, or changes the one whose code it is, and puts it in the loaded list. */
export function useSaveProduct(original: Producto | undefined) {
  const queryClient = useQueryClient();
  const call = original ? 'UpdateProductos' : 'SetProductos';
  return useMutation({
    mutationFn: (draft: ProductDraft) =>
      http<Producto>(`/api/PostData/${call}`, { form: { ...draft }, idempotencyKey: newKey() }),
    onSuccess: (saved) => {
      queryClient.setQueryData(productosQuery.queryKey, (list: Producto[] = []) =>
        original
          ? list.map((product) => (product.No === original.No ? saved : product))
          : [...list, saved],
      );
    },
  });
}

export function useDeleteProduct() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (No: string) => {
      requireToken('Error el token ha caducado');
      return http('/api/PostData/DeleteProducto', { json: { No } });
    },
    onSuccess: (_answer, No) => {
      queryClient.setQueryData(productosQuery.queryKey, (list: Producto[] = []) =>
        list.filter((product) => product.No !== No),
      );
    },
  });
}
