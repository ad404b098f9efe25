-- A company that a process of before 0065 or 0108 made during an update had no series of the kind that came with it, and
-- programs made it up as they read the rest. With all six kept, what reads them knows no others.
--
-- needs: 0108
insert into series (company_id, kind, prefix, suffix, width, next_number)
select company_id, 'G', prefix, suffix || 'G', width, 1
  from series
 where kind = 'F'
    on conflict do nothing;

insert into series (company_id, kind, prefix, suffix, width, next_number)
select company_id, 'M', prefix, suffix || 'M', width, 1
  from series
 where kind = 'F'
    on conflict do nothing;
