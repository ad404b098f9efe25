-- Those that were noted down before: at the same moment and in the same session, with opposite amounts, of an invoice and
-- of one that names it (docs/decisions/1050). Each of the two is looked up by itself: an «or» inside would compare every
-- pair with all references of the company.
update cobros c set settled_with = o.id
  from cobros o
 where o.company_id = c.company_id and o.id <> c.id and o.noted_at = c.noted_at and o.sid = c.sid
   and o.fecha = c.fecha and o.medio = c.medio and o.importe = -c.importe
   and c.settled_with is null and o.settled_with is null
   and (exists (
          select from invoice_references r
            join invoices i on i.company_id = r.company_id and i.doc_no = r.numero
           where r.company_id = c.company_id and r.invoice_id = c.invoice_id and i.id = o.invoice_id)
     or exists (
          select from invoice_references r
            join invoices i on i.company_id = r.company_id and i.doc_no = r.numero
           where r.company_id = o.company_id and r.invoice_id = o.invoice_id and i.id = c.invoice_id));
