-- A search in the order of dates, month by month from the end that is shown first, until the page is full
-- (docs/decisions/0198). `huella_search_days` stays for the version before this one.
--
-- The year of a month is left to the day itself: each invoice has the «202» and «026» of its years, and going through
-- the places of those costs four times what the other months with that number do. The company is not looked up
-- either where it has most invoices (0157).
--
-- in_range: how many invoices of the company may match by their date
-- most: after so many months it gives up, and returns nothing
create function huella_search_months(
  company integer, pattern text, first_day date, last_day date, is_descending boolean, skipped bigint, size bigint,
  in_range integer, most integer
) returns setof bigint language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off as $$
declare
  has_most boolean := coalesce((select in_range > c.reltuples / 2 from pg_class c
                                 where c.oid = 'invoices'::regclass and c.reltuples > 0), false);
  direction text := case when is_descending then 'desc' else 'asc' end;
  month date := date_trunc('month', case when is_descending then last_day else first_day end::timestamp);
  found bigint[] := '{}';
  of_month bigint[];
begin
  if not huella_may_see(company) then return; end if;
  for asked in 1 .. most loop
    execute format(
      'select array_agg(id order by posting_date %1$s, id %1$s) from invoices
        where company_id %2$s = $1 and status in (''Registrada'', ''Anulada'')
          and replace(replace(search_text, '','', ''q''), ''/'', ''w'') like replace(replace($2, '','', ''q''), ''/'', ''w'')
          and replace(replace(search_text, '','', ''q''), ''/'', ''w'') like %3$L
          and search_text like $2
          and posting_date between greatest($3, $5) and least($4, $6)',
      direction, case when has_most then '+ 0' end, '%' || to_char(month, '"w"MM"w"') || '%')
    into of_month
    using company, pattern, first_day, last_day, month, (month + interval '1 month - 1 day')::date;
    found := found || of_month;
    if cardinality(found) >= skipped + size or not month > first_day and is_descending
       or month + interval '1 month' > last_day and not is_descending then
      return query select unnest(found[skipped + 1 : skipped + size]);
      return;
    end if;
    month := month + case when is_descending then interval '-1 month' else interval '1 month' end;
  end loop;
end $$;
