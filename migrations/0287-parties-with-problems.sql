-- And the few clients and products.
create index concurrently if not exists bc_parties_problems on bc_parties (company_id, bc_company, number)
  where problems <> '[]';
