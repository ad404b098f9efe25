-- «Dejarla como estaba»: the owner of an invoice gives up a correction or an anulación that the AEAT refused, and the
-- invoice stands as the AEAT has it (docs/decisions/0133). The refused registro stays in the cadena.

-- Of an invoice that the AEAT holds, its form and its row of the lists as they were before it was corrected: what
-- was issued then stands in its registro, but the form does not.
alter table invoice_documents add column held jsonb;

-- When a refused registro was given up, for the invoice's story and the log: written once.
create table desistimientos (
  company_id integer not null,
  -- Place of the refused registro.
  seq bigint not null,
  invoice_id bigint not null,
  at timestamptz not null,
  -- How the invoice was left.
  status text not null check (status in ('Registrada', 'Aceptado con errores', 'Anulada')),
  -- The session that asked for it.
  sid uuid,
  primary key (company_id, seq),
  foreign key (company_id, seq) references registros (company_id, seq)
);
create index desistimientos_invoice on desistimientos (company_id, invoice_id);

create trigger desistimientos_are_final before update or delete on desistimientos
  for each row execute function refuse_change();
