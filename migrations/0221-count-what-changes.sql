-- What was registered before 0220 was counted in the figures with all that it says (docs/decisions/0230).

with replacing as (
  select i.company_id, i.id,
         case when i.tipo_factura = 'F3' then r.issued -> 'sustituye' else r.issued -> 'rectifies' end as named
    from invoices i
   cross join lateral (
         select g.issued from registros g
          where g.company_id = i.company_id and g.invoice_id = i.id and g.issued is not null
            and g.seq + 0 <= i.seq
          order by g.seq + 0 desc limit 1) as r
   where i.registered_at is not null and i.tipo_factura in ('F3', 'R1', 'R2', 'R3', 'R4', 'R5')
     and (i.tipo_factura = 'F3' or r.issued ->> 'tipoRectificativa' = 'S')),
-- Those of other programs were never counted here, and those annulled no longer are.
originals as (
  select distinct p.company_id, p.id, o.id as original, o.base, o.vat, o.total
    from replacing p
   cross join lateral jsonb_array_elements(p.named) as n
    join invoices o on o.company_id = p.company_id and o.doc_no = n ->> 'numSerie'
   where n ->> 'externa' is distinct from 'true'
     and o.registered_at is not null and o.status <> 'Anulada'),
-- Of several that are replaced together, one may have taken another's place already.
within as (
  select o.company_id, o.id, sum(w.base) as base, sum(w.vat) as vat, sum(w.total) as total
    from originals o
    join originals w on w.company_id = o.company_id and w.id = o.original
    join originals a on a.company_id = o.company_id and a.id = o.id and a.original = w.original
   group by o.company_id, o.id),
sums as (
  select o.company_id, o.id, sum(o.base) as base, sum(o.vat) as vat, sum(o.total) as total
    from originals o
   group by o.company_id, o.id)
update invoice_documents d
   set replaced_base = s.base - coalesce(w.base, 0),
       replaced_vat = s.vat - coalesce(w.vat, 0),
       replaced_total = s.total - coalesce(w.total, 0)
  from sums s
  left join within w on w.company_id = s.company_id and w.id = s.id
 where d.company_id = s.company_id and d.invoice_id = s.id;

update invoice_months m
   set base = m.base - t.base, vat = m.vat - t.vat, total = m.total - t.total
  from (select i.company_id, date_trunc('month', i.posting_date)::date as month,
               sum(d.replaced_base) as base, sum(d.replaced_vat) as vat, sum(d.replaced_total) as total
          from invoice_documents d
          join invoices i on i.company_id = d.company_id and i.id = d.invoice_id
         where d.replaced_total is not null and i.registered_at is not null and i.status <> 'Anulada'
         group by 1, 2) as t
 where m.company_id = t.company_id and m.month = t.month;
