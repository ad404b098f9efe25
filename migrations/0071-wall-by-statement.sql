-- The companies that a transaction may reach are read once for each statement, not once for each row:
-- with invoices of sixty companies in one commit (docs/decisions/0008) every row read a list of sixty. A
-- sub-select says so to PostgreSQL; Citus refuses those in policies, so there it stays as it was.

-- As in 0031, with policies of another form changed in place: no moment without them.
create or replace function enforce_company_rows() returns void language plpgsql as $$
declare
  web text := huella_web_role();
  is_distributed boolean := exists (select from pg_extension where extname = 'citus');
  companies text := case when is_distributed then 'huella_companies()' else '(select huella_companies())::integer[]' end;
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
    select c.oid, c.relname as name, owned.attname as company_column, p.oid is not null as has_policy,
           pg_get_expr(p.polqual, p.polrelid) ilike '%select%' as has_select
      from pg_class c
      left join pg_attribute owned on owned.attrelid = c.oid and not owned.attisdropped
       and owned.attname = case when c.relname = 'companies' then 'id' else 'company_id' end
      left join pg_policy p on p.polrelid = c.oid and p.polname = 'company_rows'
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
       and c.relname <> 'schema_migrations'
  loop
    if has_role then
      execute format('grant select, insert, update, delete on %I to %I', item.name, web);
    end if;
    continue when item.company_column is null;
    execute format('alter table %I enable row level security', item.name);
    if not item.has_policy or item.has_select = is_distributed then
      execute format(
        '%1$s policy company_rows on %2$I using (%3$I = any(%4$s)) with check (%3$I = any(%4$s))',
        case when item.has_policy then 'alter' else 'create' end, item.name, item.company_column, companies);
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
