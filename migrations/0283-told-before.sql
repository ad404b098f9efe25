-- What Business Central was told of and the AEAT says otherwise since is told again, as whoever settles an invoice notes
-- from here on: what is still to tell is what nothing was written back of.
update bc_documents d set written_back = null
  from invoices i
 where i.company_id = d.company_id and i.id = d.invoice_id and d.written_back is not null
   and d.written_back <> md5(concat_ws('|', i.doc_no, i.status, i.huella, i.csv));
