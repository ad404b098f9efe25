import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Producto } from '../../../contract/parties.ts';
import { changedFields } from '../../lib/changed-fields.ts';
import { http } from '../../lib/http.ts';
import { makeOnce } from '../../lib/make-once.ts';
import { newKey } from '../../lib/new-key.ts';
import { productosQuery, withSaved } from '../../lib/queries.ts';
import { requireToken } from '../../lib/require-token.ts';
import { type ProductDraft, productDraft, productForm } from './product-draft.ts';

/** Creates a product, or saves the changes since it was opened, and updates the loaded list. */
export function useSaveProduct(original: Producto | undefined) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (draft: ProductDraft) => {
      if (!original) return makeOnce<Producto>('SetProductos', { ...draft });
      const form = changedFields(productForm(productDraft(original)), draft);
      return http<Producto>('/api/PostData/UpdateProductos', { form, idempotencyKey: newKey() });
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(productosQuery.queryKey, (list) => withSaved(list, saved));
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
