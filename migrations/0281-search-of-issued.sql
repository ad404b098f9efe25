-- The search for an invoice to rectify or to exchange, by the index of the search: the newest that match and are not
-- annulled, as `huella_search_page` (0157) finds those of a list.
--
-- only_simplified: those that an F3 could take the place of, and none did yet
-- in_range: how many invoices of the company may match
create function huella_search_issued(
  company integer, pattern text, only_simplified boolean, size bigint, in_range integer
) returns setof bigint language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_indexscan = off
set enable_indexonlyscan = off as $$
declare
  has_most boolean := coalesce((select in_range > c.reltuples / 2 from pg_class c
                                 where c.oid = 'invoices'::regclass and c.reltuples > 0), false);
begin
  if not huella_may_see(company) then return; end if;
  return query execute format(
    'select i.id from invoices i
      where i.company_id %1$s = $1 and i.status in (''Registrada'', ''Anulada'') and i.status <> ''Anulada''
        and replace(replace(i.search_text, '','', ''q''), ''/'', ''w'') like replace(replace($4, '','', ''q''), ''/'', ''w'')
        and i.search_text like $2
        %2$s
      order by i.posting_date desc, i.id desc limit $3',
    case when has_most then '+ 0' end,
    case when only_simplified then
      'and i.tipo_factura in (''F2'', ''R5'')
       and not exists (select from invoice_references x
                         join invoices f on f.company_id = x.company_id and f.id = x.invoice_id
                        where x.company_id = $1 and x.numero = i.doc_no and x.kind = ''sustituye''
                          and f.status <> ''Anulada'')' end)
  using company, pattern, size, regexp_replace(pattern, '(\d\d/\d\d/)\d{4}', '\1%', 'g');
end $$;
