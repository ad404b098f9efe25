-- What of the invoices counted in the figures one takes the place of: a rectificativa por sustitución of what it
-- rectifies, an F3 of the simplified ones that it is exchanged for (docs/decisions/0230). Nothing, of most.
--
-- With the form and not with the row of the lists: the version before reads that row whole, and each of its
-- connections would refuse to do so once.
alter table invoice_documents
  add column replaced_base numeric(14, 2),
  add column replaced_vat numeric(14, 2),
  add column replaced_total numeric(14, 2);
