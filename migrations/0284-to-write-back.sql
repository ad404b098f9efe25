-- What Business Central is to be told of, without comparing all that it was told.
create index concurrently if not exists bc_documents_untold on bc_documents (company_id, bc_company, bc_id)
  where written_back is null and invoice_id is not null;
