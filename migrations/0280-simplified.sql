-- Simplified invoices that may be exchanged for an F3 are offered from the newest on: found among all of a company's,
-- where hardly any is one, they took reading these.
create index concurrently if not exists invoices_simplified on invoices (company_id, posting_date desc, id desc)
  where tipo_factura in ('F2', 'R5') and status in ('Registrada', 'Anulada');
