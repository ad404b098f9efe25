-- Once the tables are spread over machines (npm run admin -- distribuir), Citus refuses a foreign key from a table that is
-- not to one that is. So a migration that makes a table of companies spreads it first, by this, and adds its foreign
-- keys afterwards; tests/migrations.test.ts holds them to it. On a PostgreSQL of one machine it does nothing.
create function spread_by_company(new_table regclass) returns void language plpgsql as $$
declare
  is_spread boolean := false;
begin
  if exists (select from pg_extension where extname = 'citus') then
    execute $q$select exists (select from citus_tables where table_name = 'invoices'::regclass)$q$ into is_spread;
  end if;
  if is_spread then
    execute format('select create_distributed_table(%L, %L, colocate_with => %L)', new_table, 'company_id', 'invoices');
  end if;
end $$;
