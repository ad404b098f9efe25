-- Annulled invoices are few, and the search text does not say that they are (0067).
create index concurrently if not exists invoices_annulled on invoices (company_id, id)
  where status = 'Anulada';
