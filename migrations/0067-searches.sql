-- A page of a search, found by the index of the search, which stops once it found enough instead of opening
-- all the invoices that match (decision 0013). It looks at the status too, which `huella_search` did not;
-- that one stays for the version before this one.

-- The ids of a page, in their order, and with each how many match, or `at_most`; one row without id when the
-- page is empty. `ordered_by` is a column of the history's orders.
--
-- By that index alone: for the sake of the limit the planner would rather read the invoices one after another
-- until enough of them match, which takes ten times as long.
create function huella_search_page(
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
