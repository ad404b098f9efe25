-- A sixth series: what travel agencies invoice as go-betweens has a series of its own kind (RD 1619/2012 D.A. 4.ª),
-- and so has what is sold under art. 84.Uno.2.º g) of Ley 37/1992 (art. 6.1.a). Both were in G; from now on G is the
-- latter's, and the former's is the company's text with an M at the end. Numbers that were given stay as they are.

alter table series drop constraint series_kind_check;
alter table series add constraint series_kind_check check (kind in ('F', 'S', 'R', 'RS', 'G', 'M'));

insert into series (company_id, kind, prefix, suffix, width, next_number)
select company_id, 'M', prefix, suffix || 'M', width, 1
  from series
 where kind = 'F'
    on conflict do nothing;
