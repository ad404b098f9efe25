-- The wall between companies says nothing of how many rows a statement finds (docs/decisions/0190).
--
-- As `company_id = any(…)` it counted as one more condition: with a thousand companies PostgreSQL expected a
-- thousandth of the thousandth that the statement's own `company_id = $1` leaves, so one row of each company, and with
-- one row any index and any order of a join looks as good as another. Of `array_position` it expects nothing.
--
-- needs: 0071

-- The tables of the schema on which the wall does not stand as it should, and the policy that those with a company
-- should have. Citus refuses a sub-select in a policy; elsewhere it has the companies read once for each statement.
create function tables_without_wall() returns table (name name, company_column name, policy text, has_policy boolean)
  language sql stable as $$
  with wall as (
    select huella_may_be_web() as has_role,
           exists (select from pg_extension where extname = 'citus') as is_distributed)
  select c.relname, owned.attname,
         format('array_position(%s, %s) is not null',
           case when is_distributed then 'huella_companies()' else '(select huella_companies())' end,
           quote_ident(owned.attname)),
         p.oid is not null
    from wall
   cross join pg_class c
    left join pg_attribute owned on owned.attrelid = c.oid and not owned.attisdropped
     and owned.attname = case when c.relname = 'companies' then 'id' else 'company_id' end
    left join pg_policy p on p.polrelid = c.oid and p.polname = 'company_rows'
   where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     and c.relname <> 'schema_migrations'
     and (has_role and not has_table_privilege(huella_web_role(), c.oid, 'select')
          or owned.attname is not null
             and (not c.relrowsecurity
                  or c.relforcerowsecurity = has_role
                  or not has_role and not exists (
                       select from pg_policy whole
                        where whole.polrelid = c.oid and whole.polname = 'whole_table')
                  or p.oid is null
                  or pg_get_expr(p.polqual, p.polrelid) not ilike '%array_position%'
                  or pg_get_expr(p.polqual, p.polrelid) ilike '%select%' = is_distributed))
$$;

-- Puts the wall where it does not stand, and returns on how many tables it did so. A table that stands is not touched:
-- changing it waits for whoever reads it, and holds back whoever comes behind.
drop function enforce_company_rows();
create function enforce_company_rows(at_most integer default null) returns integer language plpgsql as $$
declare
  web text := huella_web_role();
  has_role boolean;
  done integer := 0;
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

  for item in select * from tables_without_wall() order by name limit at_most
  loop
    done := done + 1;
    if has_role then
      execute format('grant select, insert, update, delete on %I to %I', item.name, web);
    end if;
    continue when item.company_column is null;
    execute format('alter table %I enable row level security', item.name);
    -- Changed in place: no moment without it.
    execute format('%s policy company_rows on %I using (%s) with check (%3$s)',
      case when item.has_policy then 'alter' else 'create' end, item.name, item.policy);
    if has_role then
      execute format('alter table %I no force row level security', item.name);
    else
      execute format('alter table %I force row level security', item.name);
      if not exists (
        select from pg_policy where polrelid = to_regclass(quote_ident(item.name)) and polname = 'whole_table') then
        execute format(
          'create policy whole_table on %I to current_user using (huella_companies() is null)', item.name);
      end if;
    end if;
  end loop;
  return done;
end $$;
