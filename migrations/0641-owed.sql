-- What is owed of the history is found among what may be owed, which hardly grows: among all invoices of a company, it
-- took reading every one that was ever collected.
create index concurrently if not exists invoices_owed on invoices (company_id, posting_date desc, id desc)
  where status = 'Registrada' and tipo_factura not in ('F2', 'R5') and settled_seq is distinct from seq;
