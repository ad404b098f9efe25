-- Plans for any company are made for one of every size (docs/decisions/0204). PostgreSQL counts how many companies a table
-- has, and expects of each an equal part: among thousands of companies with two invoices, it would read through all of
-- one with a million to find four by their keys. It is to expect what it expects of a table that it has not counted:
-- a two-hundredth.
do $$
declare
  owned record;
begin
  -- What the tables of a distributed database may be told is Citus's matter, and each of its machines has its own counts.
  if exists (select from pg_extension where extname = 'citus') then return; end if;
  for owned in
    select c.oid::regclass as name, c.reltuples > 0 as is_counted
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
       and not exists (
             select from pg_index x
              where x.indrelid = c.oid and x.indisunique and x.indnkeyatts = 1 and x.indkey[0] = a.attnum)
     order by c.relname
  loop
    execute format('alter table %s alter column company_id set (n_distinct = 200)', owned.name);
    if owned.is_counted then execute format('analyze %s (company_id)', owned.name); end if;
  end loop;
end
$$;
