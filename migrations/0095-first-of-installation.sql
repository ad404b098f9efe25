-- A trigger of a distributed table may look at nothing but its own row: which registro may be without one
-- before it is told by the registro itself. Where an installation began, verifying tells.

create or replace function refuse_second_first() returns trigger language plpgsql as $$
begin
  if new.xml not like '%<sum1:PrimerRegistro>S</sum1:PrimerRegistro>%' then
    raise exception 'Sólo el primer registro de una instalación puede no tener anterior'
      using errcode = 'HU001';
  end if;
  return new;
end $$;
