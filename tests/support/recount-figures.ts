import { cutBlocks, inHistory } from '../../src/store/blocks.ts';
import type { Tx } from '../../src/store/sql.ts';

/** The orders of the history that have blocks. */
const SORTS = ['PostingDate', 'DocNo', 'Name', 'Amount', 'VatAmount', 'AmountIncludingVat'];

/** Counts the blocks, the bands and the months of a company again, from its invoices. */
export async function recountFigures(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from invoice_blocks where company_id = ${companyId}`;
  await tx`delete from invoice_band_days where company_id = ${companyId}`;
  await tx`delete from invoice_months where company_id = ${companyId}`;
  await tx`
    insert into invoice_blocks
           (company_id, sort, from_date, from_number, from_text, from_id, invoices, counted)
    select ${companyId}::int, sort, '-infinity', '-Infinity', '', 0, count(*), count(*)
      from invoices, unnest(${SORTS}::text[]) as sort
     where company_id = ${companyId} and ${inHistory(tx)}
     group by sort`;
  await cutBlocks(tx, companyId);
  await tx`
    insert into invoice_months (company_id, month, invoices, base, vat, total)
    select ${companyId}::int, date_trunc('month', i.posting_date)::date, count(*),
           sum(i.base - coalesce(d.replaced_base, 0)), sum(i.vat - coalesce(d.replaced_vat, 0)),
           sum(i.total - coalesce(d.replaced_total, 0))
      from invoices i
      left join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
     where i.company_id = ${companyId} and i.registered_at is not null and i.status <> 'Anulada'
     group by 2`;
}
