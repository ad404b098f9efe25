import type { Deps } from '../deps.ts';
import { isoDateIn, zonaOf } from '../domain/dates.ts';
import { withUsualTax } from '../domain/usual-tax.ts';
import type { Known } from '../import/known.ts';
import type { Lists } from '../import/sheets.ts';
import { choicesOf } from '../store/catalogs.ts';
import { listCustomers } from '../store/customers.ts';
import { listArchivedNos } from '../store/imports.ts';
import { listProducts } from '../store/products.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './company-of.ts';
import { importCatalogs, listsOf } from './import-template.ts';

/**
 * What the company has, against which a file is judged. What earlier files imported is looked up by reference
 * instead.
 */
export async function readKnown(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  companyId: number,
): Promise<{ readonly known: Known; readonly lists: Lists }> {
  const [company, catalogs, customers, archivedNos, products] = await Promise.all([
    companyOf({ sql: tx }, companyId),
    importCatalogs(tx, companyId),
    listCustomers(tx, companyId),
    listArchivedNos(tx, companyId),
    listProducts(tx, companyId),
  ]);
  return {
    lists: listsOf(catalogs),
    known: {
      customers,
      archivedNos,
      products,
      defaults: {
        PaymentTerms: company.paymentTerms,
        PaymentMethod: company.paymentMethod,
        CustomerPostingGroup: company.customerPostingGroup,
      },
      choices: choicesOf(catalogs),
      units: new Set(catalogs.unidades.map(({ Code }) => Code)),
      vatGroups: withUsualTax(catalogs.gruposIva, company.defaultTax),
      claves: new Set(catalogs.clavesRegimen.map(({ value }) => value)),
      today: isoDateIn(clock(), zonaOf(company.postCode, company.countryCode)),
    },
  };
}
