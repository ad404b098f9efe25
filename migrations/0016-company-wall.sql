-- The second wall between companies (docs/decisions/0016): whatever a query forgets, a private call
-- only reaches rows of its own company.

-- The company whose rows may be seen, as the transaction said; null when it said none.
create function huella_company() returns integer
  language sql stable parallel safe
  return nullif(current_setting('huella.company', true), '')::integer;

-- The role that private calls work as: one for each user that owns an installation.
create function huella_web_role() returns text
  language sql stable
  return current_user || '_web';

-- Whether it is there and may be changed to. Since PostgreSQL 16 being a member is not enough.
create function huella_may_be_web() returns boolean
  language sql stable
  return coalesce((
    select pg_has_role(current_user, oid,
             case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end)
      from pg_roles where rolname = huella_web_role()), false);

-- Puts the wall on every table of the schema that has rows of companies. Run after each migration, so
-- that no new table has to remember it.
--
-- Where the database's user may not make a role, there is none to change to: then the owner itself is
-- held back whenever a company is named, and whole only when none is.
create function enforce_company_rows() returns void language plpgsql as $$
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
        'create policy company_rows on %1$I using (%2$I = huella_company()) with check (%2$I = huella_company())',
        item.name, item.company_column);
    end if;
    if has_role then
      execute format('alter table %I no force row level security', item.name);
    else
      execute format('alter table %I force row level security', item.name);
      if not exists (select from pg_policy where polrelid = item.oid and polname = 'whole_table') then
        execute format(
          'create policy whole_table on %I to current_user using (huella_company() is null)', item.name);
      end if;
    end if;
  end loop;
end $$;
