-- What an invoice rectifies or exchanges of another program is not of ours, though ours may have the same number.
with latest as (
  select x.company_id, x.invoice_id, x.kind, x.numero, r.issued
    from invoice_references x
    join invoices i on i.company_id = x.company_id and i.id = x.invoice_id
   cross join lateral (
         select g.issued from registros g
          where g.company_id = i.company_id and g.invoice_id = i.id and g.issued is not null
            and g.seq + 0 <= i.seq
          order by g.seq + 0 desc limit 1) as r),
elsewhere as (
  select l.company_id, l.invoice_id, l.kind, l.numero
    from latest l
   cross join lateral jsonb_array_elements(
         l.issued -> case l.kind when 'rectifica' then 'rectifies' else 'sustituye' end) as n
   where n ->> 'numSerie' = l.numero and n ->> 'externa' = 'true')
delete from invoice_references x
 using elsewhere e
 where x.company_id = e.company_id and x.invoice_id = e.invoice_id
   and x.kind = e.kind and x.numero = e.numero;
