-- The pages of everything that came from Business Central, which each sorted all of it.
create index concurrently if not exists bc_documents_days on bc_documents (company_id, issued_on, bc_id);
