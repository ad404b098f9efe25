-- An invoice that replaces others is known to be settled only if nothing was collected of those (docs/decisions/0640):
-- a mark that counted them would not notice when that is deleted, or counted for another invoice.
update invoices set settled_seq = null
 where settled_seq is not null
   and (company_id, id) in (
         select c.company_id, c.invoice_id from cobros c
           join invoice_references r on r.company_id = c.company_id and r.invoice_id = c.invoice_id);
