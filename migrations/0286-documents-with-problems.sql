-- The few documents of Business Central that somebody is told of.
create index concurrently if not exists bc_documents_problems on bc_documents (company_id, bc_company, issued_on, number)
  where reasons <> '[]';
