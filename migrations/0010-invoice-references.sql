-- Which invoices each one rectifies or replaces, so that a simplified invoice is exchanged only once and
-- says by which; and what the paper says of how to pay the company.
create table invoice_references (
  company_id integer not null,
  invoice_id bigint not null,
  kind text not null check (kind in ('rectifica', 'sustituye')),
  -- NumSerieFactura of the other, which may be of another program.
  numero text not null,
  primary key (company_id, invoice_id, kind, numero),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
create index invoice_references_numero on invoice_references (company_id, numero);

-- Of a corrected invoice only its latest registro counts.
insert into invoice_references (company_id, invoice_id, kind, numero)
select distinct r.company_id, r.invoice_id, t.kind, t.reference ->> 'numSerie'
  from registros r
 cross join lateral (
       select 'rectifica' as kind, jsonb_array_elements(r.issued -> 'rectifies') as reference
        union all
       select 'sustituye', jsonb_array_elements(r.issued -> 'sustituye')) as t
 where r.tipo_registro = 'Alta' and r.issued is not null
   and r.seq = (select max(l.seq) from registros l
                 where l.company_id = r.company_id and l.invoice_id = r.invoice_id
                   and l.tipo_registro = 'Alta');

alter table companies add column iban text not null default '';
alter table companies add column phone text not null default '';
