-- The few that an operator is told of, out of a row for each company.
create index concurrently if not exists despachos_in_trouble on despachos (company_id)
  where failures > 0 or rechazados > 0 or detenido_at is not null;
