import type { MasUsados } from '../contract/invoices.ts';
import type { Tx } from './sql.ts';

/** Invoices that are looked at: enough to tell what somebody sells, few enough to be read in a moment. */
const NEWEST = 200;

/**
 * Customers and products of a company by how many of its newest invoices name them, drafts among them: the most used
 * first, and of equals those named last. Whoever made the invoices: this screen, another one, an import, the ERP.
 */
export async function findMostUsed(tx: Tx, companyId: number): Promise<MasUsados> {
  const [row] = await tx<{ clientes: string[] | null; productos: string[] | null }[]>`
    with newest as (
      select i.id, i.customer_no from invoices i
       where i.company_id = ${companyId} order by i.id desc limit ${NEWEST}
    ), customers as (
      select customer_no as no, count(*) as times, max(id) as last
        from newest where customer_no <> '' group by customer_no
    ), products as (
      select item ->> 'productNo' as no, count(distinct n.id) as times, max(n.id) as last
        from newest n
        join invoice_documents d on d.company_id = ${companyId} and d.invoice_id = n.id
       cross join jsonb_array_elements(d.draft -> 'invoiceItems') as item
       where item ->> 'productNo' <> '' group by item ->> 'productNo'
    )
    select (select array_agg(no order by times desc, last desc) from customers) as clientes,
           (select array_agg(no order by times desc, last desc) from products) as productos`;
  return { clientes: row?.clientes ?? [], productos: row?.productos ?? [] };
}
