import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { lockCompany } from '../store/companies.ts';
import { archiveCustomer, deleteCustomer, findCustomer } from '../store/customers.ts';
import { isCustomerUsed } from '../store/invoices.ts';

/**
 * Deletes a customer. One that invoices refer to disappears from the lists but is kept for them.
 *
 * @returns which of the two happened
 * @throws {DomainError} NOT_FOUND; CONFLICT for the default customer of simplified invoices
 */
export async function removeCustomer(
  { sql, clock }: Pick<Deps, 'sql' | 'clock'>,
  companyId: number,
  no: string,
): Promise<'deleted' | 'archived'> {
  return sql.begin(async (tx) => {
    const company = await lockCompany(tx, companyId);
    if (!(await findCustomer(tx, companyId, no))) {
      throw new DomainError('NOT_FOUND', 'El cliente no existe.');
    }
    if (company?.defaultCustomerNo === no) {
      throw new DomainError(
        'CONFLICT',
        'Es el cliente por defecto de tus facturas simplificadas. Elige otro en tu perfil antes de eliminarlo.',
      );
    }
    if (await isCustomerUsed(tx, companyId, no)) {
      await archiveCustomer(tx, companyId, no, clock());
      return 'archived';
    }
    await deleteCustomer(tx, companyId, no);
    return 'deleted';
  });
}
