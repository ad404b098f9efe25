import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { deleteProduct } from '../store/products.ts';

/**
 * Deletes a product. Invoices keep what they copied from it.
 *
 * @throws {DomainError} NOT_FOUND
 */
export async function removeProduct(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  no: string,
): Promise<void> {
  if (!(await deleteProduct(sql, companyId, no))) {
    throw new DomainError('NOT_FOUND', 'El producto no existe.');
  }
}
