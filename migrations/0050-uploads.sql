-- Originals of the invoices that were uploaded to be read, as they came: each with its draft and, once
-- registered, with the invoice.

create table uploads (
  company_id integer not null references companies (id),
  id uuid not null,
  -- Null until its draft is saved.
  invoice_id bigint,
  file_name text not null,
  media_type text not null,
  content bytea not null,
  uploaded_at timestamptz not null,
  primary key (company_id, id),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
create index uploads_invoice on uploads (company_id, invoice_id);
create index uploads_loose on uploads (uploaded_at) where invoice_id is null;
