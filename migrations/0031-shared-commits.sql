-- Invoices of several companies share a commit (docs/decisions/0008): the wall lets such a transaction
-- reach the rows of all of them, and of nobody else. One company is a list of one.

create function huella_companies() returns integer[]
  language sql stable parallel safe
  return string_to_array(nullif(current_setting('huella.company', true), ''), ',')::integer[];

-- As in 0016, with the list in place of the one.
create or replace function enforce_company_rows() returns void language plpgsql as $$
declare
  web text := huella_web_role();
  has_role boolean;
  item record;
begin
  begin
    if not exists (select from pg_roles where rolname = web) then
      execute format('create role %I nologin', web);
    end if;
    if not huella_may_be_web() then
      execute format('grant %I to current_user', web);
    end if;
    has_role := true;
  exception
    when insufficient_privilege then has_role := false;
    -- Another database of this server is being migrated at this very moment.
    when duplicate_object or unique_violation then has_role := true;
  end;
  if has_role then
    execute format('grant usage on schema %I to %I', current_schema(), web);
    execute format('grant usage on all sequences in schema %I to %I', current_schema(), web);
  end if;

  for item in
    select c.oid, c.relname as name, owned.attname as company_column
      from pg_class c
      left join pg_attribute owned on owned.attrelid = c.oid and not owned.attisdropped
       and owned.attname = case when c.relname = 'companies' then 'id' else 'company_id' end
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and c.relname <> 'schema_migrations'
  loop
    if has_role then
      execute format('grant select, insert, update, delete on %I to %I', item.name, web);
    end if;
    continue when item.company_column is null;
    execute format('alter table %I enable row level security', item.name);
    if not exists (select from pg_policy where polrelid = item.oid and polname = 'company_rows') then
      execute format(
        'create policy company_rows on %1$I using (%2$I = any(huella_companies())) with check (%2$I = any(huella_companies()))',
        item.name, item.company_column);
    end if;
    if has_role then
      execute format('alter table %I no force row level security', item.name);
    else
      execute format('alter table %I force row level security', item.name);
      if not exists (select from pg_policy where polrelid = item.oid and polname = 'whole_table') then
        execute format(
          'create policy whole_table on %I to current_user using (huella_companies() is null)', item.name);
      end if;
    end if;
  end loop;
end $$;

-- They are made again, by the function above, when this migration ends.
do $$
declare
  item record;
begin
  for item in
    select p.polname as policy, c.relname as name
      from pg_policy p join pg_class c on c.oid = p.polrelid
     where c.relnamespace = current_schema()::regnamespace and p.polname in ('company_rows', 'whole_table')
  loop
    execute format('drop policy %I on %I', item.policy, item.name);
  end loop;
end $$;

-- The one company that a call is for; null for work of several, and for work of nobody.
create or replace function huella_company() returns integer
  language sql stable parallel safe
  return case when cardinality(huella_companies()) = 1 then (huella_companies())[1] end;
