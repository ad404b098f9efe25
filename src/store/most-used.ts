import type { MasUsados } from '../contract/invoices.ts';
import type { Tx } from './sql.ts';

/** Invoices examined: enough to tell what somebody sells, few enough to be read in a moment. */
const NEWEST = 100;

/**
 * Customers and products of a company by how many of its newest invoices name them, drafts included: the most used
 * first and, of equals, the one used last. It does not matter who made the invoices: a user, an import or the ERP.
 */
export async function findMostUsed(tx: Tx, companyId: number): Promise<MasUsados> {
  const [row] = await tx<{ clientes: string[] | null; productos: string[] | null }[]>`
    with newest as (
      select d.invoice_id as id, d.draft ->> 'invoiceClient' as customer, d.draft -> 'invoiceItems' as items
        from invoice_documents d
       where d.company_id = ${companyId} order by d.invoice_id desc limit ${NEWEST}
    ), customers as (
      select customer as no, count(*) as times, max(id) as last
        from newest where customer <> '' group by customer
    ), products as (
      select item ->> 'productNo' as no, count(distinct id) as times, max(id) as last
        from newest cross join jsonb_array_elements(items) as item
       where item ->> 'productNo' <> '' group by item ->> 'productNo'
    )
    select (select array_agg(no order by times desc, last desc) from customers) as clientes,
           (select array_agg(no order by times desc, last desc) from products) as productos`;
  return { clientes: row?.clientes ?? [], productos: row?.productos ?? [] };
}
