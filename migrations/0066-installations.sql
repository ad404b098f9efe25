-- A cadena that lost its end for good (an old backup was restored and there is none newer) is not continued:
-- a new installation starts, with a NumeroInstalacion never used before and a cadena of its own, whose first
-- registro says PrimerRegistro. Places (`seq`) go on, so that what is sent and answered knows nothing of it.

-- Place of the first registro of the installation under way. What is before is of earlier ones.
alter table cadenas add column first_seq bigint not null default 1;

-- The installations of a company after its first one, which began with its account.
create table instalaciones (
  company_id integer not null references companies (id),
  first_seq bigint not null,
  numero text not null,
  -- The one that lost its end.
  anterior text not null,
  started_at timestamptz not null,
  primary key (company_id, first_seq),
  unique (company_id, numero)
);

-- What the AEAT holds of an installation that lost it: its numbers are never given again.
create table registros_perdidos (
  company_id integer not null references companies (id),
  num_serie_factura text not null,
  -- `dd-mm-yyyy`, as the AEAT writes it.
  fecha_expedicion_factura text not null,
  numero_instalacion text not null,
  huella text not null,
  importe_total text,
  estado_registro text not null,
  found_at timestamptz not null,
  primary key (company_id, num_serie_factura, fecha_expedicion_factura)
);

-- The first registro of a company has an empty text here, that of a later installation nothing: so the key
-- on it still keeps out a second successor of any registro.
alter table registros alter column huella_anterior drop not null;

create function refuse_second_first() returns trigger language plpgsql as $$
begin
  if not exists (select from cadenas where company_id = new.company_id and first_seq = new.seq) then
    raise exception 'Sólo el primer registro de una instalación puede no tener anterior'
      using errcode = 'HU001';
  end if;
  return new;
end $$;

create trigger registros_have_one_first before insert on registros
  for each row when (new.huella_anterior is null) execute function refuse_second_first();
