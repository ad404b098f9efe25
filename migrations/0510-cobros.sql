-- What a company notes down as collected of its invoices, several of one that is paid in parts (docs/decisions/0510).
-- Nothing of the invoice changes with it.
create table cobros (
  company_id integer not null,
  id uuid not null,
  invoice_id bigint not null,
  fecha date not null,
  -- With the sign of what is owed: what is given back for a credit is negative.
  importe numeric(14, 2) not null check (importe <> 0),
  -- «Medio utilizado» of the AEAT's book; 03 is no cobro: the tax fell due without one.
  medio text not null check (medio in ('01', '02', '03', '04', '05')),
  -- The account, or whatever else proves it; empty for nothing.
  identificacion text not null,
  noted_at timestamptz not null,
  -- The session that noted it down.
  sid uuid,
  primary key (company_id, id)
);
-- What PostgreSQL expects of a company's share of the rows (docs/decisions/0204).
alter table cobros alter column company_id set (n_distinct = 200);
select spread_by_company('cobros');
alter table cobros add foreign key (company_id, invoice_id) references invoices (company_id, id);
create index cobros_invoice on cobros (company_id, invoice_id);
create index cobros_fecha on cobros (company_id, fecha, id);
