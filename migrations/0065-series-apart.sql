-- A fifth series: what is sold under art. 84.Uno.2.º g) of Ley 37/1992 (silver, telephones, consoles, laptops)
-- is numbered apart (RD 1619/2012 art. 6.1.a), and so is what travel agencies invoice as go-betweens (D.A. 4.ª). Its text is the company's with a G at the end.

alter table series drop constraint series_kind_check;
alter table series add constraint series_kind_check check (kind in ('F', 'S', 'R', 'RS', 'G'));

insert into series (company_id, kind, prefix, suffix, width, next_number)
select company_id, 'G', prefix, suffix || 'G', width, 1
  from series
 where kind = 'F'
    on conflict do nothing;
