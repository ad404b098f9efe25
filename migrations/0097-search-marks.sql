-- Pieces of dates, amounts and numbers in the search of the lists (docs/decisions/0097). The trigrams of
-- `invoices_search` stop at every mark: of «0,10» they kept «starts with 10», which half of the invoices have. Its
-- successor, `invoices_search_marks`, takes comma and slash for letters. The application builds it while everybody
-- reads and writes, and then drops the one before (src/platform/migrate.ts). Here, only the extensions that both need.
create or replace function ensure_search_index() returns text language plpgsql as $$
begin
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  return null;
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  return sqlerrm;
-- Another process of the same installation is making them at this very moment.
when duplicate_object or unique_violation then
  return null;
end $$;

-- As in 0067, by either index: the second condition says what matches, the first is that of the new index.
create or replace function huella_search_page(
  company integer, pattern text, since date, with_annulled boolean, at_most integer,
  ordered_by text, is_descending boolean, skipped bigint, size bigint
) returns table (id bigint, matching integer) language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off as $$
begin
  if not huella_may_see(company) then return; end if;
  return query execute format(
    'with found as materialized (
       (select i.id, i.%1$I as key from invoices i
         where i.company_id = $1 and i.status in (''Registrada'', ''Anulada'')
           and replace(replace(i.search_text, '','', ''q''), ''/'', ''w'') like replace(replace($2, '','', ''q''), ''/'', ''w'')
           and i.search_text like $2 and i.posting_date >= coalesce($3, ''-infinity'')
         limit $5)
       union all
       (select i.id, i.%1$I from invoices i
         where $4 and i.company_id = $1 and i.status = ''Anulada''
           and i.search_text not like $2 and i.posting_date >= coalesce($3, ''-infinity'')
         limit $5)),
     page as (select f.id, f.key from found f order by f.key %2$s, f.id %2$s offset $6 limit $7)
     select p.id, c.matching from (select count(*)::integer as matching from found) as c
       left join page p on true order by p.key %2$s, p.id %2$s',
    ordered_by, case when is_descending then 'desc' else 'asc' end)
  using company, pattern, since, with_annulled, at_most, skipped, size;
end $$;
