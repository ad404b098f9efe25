-- A search that the newest invoices have nothing of, and that some days answer by their own writing («04/0»), in the order
-- of dates (docs/decisions/0137). The months of the days that hold the page are asked for one by one: a month is a
-- piece of the text that is searched, so that its index gives what matches in it and nothing else.

-- The ids of a page among what matches from one day to another, both included, in the order of dates.
create function huella_search_days(
  company integer, pattern text, first_day date, last_day date, is_descending boolean, skipped bigint, size bigint
) returns setof bigint language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off as $$
declare
  months text;
begin
  if not huella_may_see(company) then return; end if;
  select string_agg(format(
    'select i.id, i.posting_date from invoices i
      where i.company_id = $1 and i.status in (''Registrada'', ''Anulada'')
        and replace(replace(i.search_text, '','', ''q''), ''/'', ''w'') like replace(replace($2, '','', ''q''), ''/'', ''w'')
        and replace(replace(i.search_text, '','', ''q''), ''/'', ''w'') like %L
        and i.search_text like $2
        and i.posting_date between greatest($3, %L) and least($4, %L)',
    '%w' || to_char(month, 'MM"w"YYYY') || '%', month::date, (month + interval '1 month - 1 day')::date), ' union all ')
    into months
    from generate_series(date_trunc('month', first_day::timestamp), last_day::timestamp, interval '1 month') as month;
  if months is null then return; end if;
  return query execute format(
    'select id from (%1$s) as found order by posting_date %2$s, id %2$s offset $5 limit $6',
    months, case when is_descending then 'desc' else 'asc' end)
  using company, pattern, first_day, last_day, skipped, size;
end $$;
