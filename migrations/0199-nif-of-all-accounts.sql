-- Whoever signs up is held against all accounts with their NIF, closed ones too, which the unique index leaves out.
create index concurrently if not exists companies_nif on companies (nif);
