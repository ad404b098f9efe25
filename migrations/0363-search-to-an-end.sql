-- A search through a range of dates that is over. As in 0157, by which the version before this one still searches.
create function huella_search_page(
  company integer, pattern text, since date, until date, with_annulled boolean, at_most integer,
  ordered_by text, is_descending boolean, skipped bigint, size bigint, in_range integer
) returns table (id bigint, matching integer) language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off as $$
declare
  -- Of a database of several machines nothing is known here: there by company.
  has_most boolean := coalesce((select in_range > c.reltuples / 2 from pg_class c
                                 where c.oid = 'invoices'::regclass and c.reltuples > 0), false);
begin
  if not huella_may_see(company) then return; end if;
  -- The company is compared in each row in any case; as a sum it is not looked up in the index.
  return query execute format(
    'with found as materialized (
       (select i.id, i.%1$I as key from invoices i
         where i.company_id %3$s = $1 and i.status in (''Registrada'', ''Anulada'')
           and replace(replace(i.search_text, '','', ''q''), ''/'', ''w'') like replace(replace($8, '','', ''q''), ''/'', ''w'')
           and i.search_text like $2
           and i.posting_date between coalesce($3, ''-infinity'') and coalesce($9, ''infinity'')
         limit $5)
       union all
       (select i.id, i.%1$I from invoices i
         where $4 and i.company_id = $1 and i.status = ''Anulada''
           and i.search_text not like $2
           and i.posting_date between coalesce($3, ''-infinity'') and coalesce($9, ''infinity'')
         limit $5)),
     page as (select f.id, f.key from found f order by f.key %2$s, f.id %2$s offset $6 limit $7)
     select p.id, c.matching from (select count(*)::integer as matching from found) as c
       left join page p on true order by p.key %2$s, p.id %2$s',
    ordered_by, case when is_descending then 'desc' else 'asc' end, case when has_most then '+ 0' end)
  using company, pattern, since, with_annulled, at_most, skipped, size,
        regexp_replace(pattern, '(\d\d/\d\d/)\d{4}', '\1%', 'g'), until;
end $$;
