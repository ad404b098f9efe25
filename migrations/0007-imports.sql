-- Invoices that came in a file, so that the same file twice is the same invoices, and the run of
-- «Registrar todas» of each company, so that it can be left, found again and gone on with.

create table imported_invoices (
  company_id integer not null,
  -- Folded: without accents or case, as references are compared.
  referencia text not null,
  invoice_id bigint not null,
  content_hash text not null,
  -- Version of the draft as the file left it; a later one was saved by a person.
  version integer not null,
  imported_at timestamptz not null default now(),
  primary key (company_id, referencia),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
create index imported_invoices_invoice on imported_invoices (company_id, invoice_id);

create table register_runs (
  company_id integer primary key references companies (id),
  status text not null check (status in ('en-marcha', 'parando', 'parada', 'terminada', 'detenida')),
  -- Drafts made after the start are not part of it.
  last_invoice_id bigint not null,
  total integer not null,
  registered integer not null default 0,
  failed integer not null default 0,
  -- Why it stopped by itself, for the person.
  message text,
  started_at timestamptz not null,
  finished_at timestamptz,
  lease_until timestamptz not null default 'epoch',
  lease_token bigint not null default 0
);
create index register_runs_going on register_runs (lease_until)
  where status in ('en-marcha', 'parando');

create table register_run_failures (
  company_id integer not null,
  invoice_id bigint not null,
  doc_no text not null,
  customer_name text not null,
  messages jsonb not null,
  primary key (company_id, invoice_id),
  foreign key (company_id) references register_runs (company_id) on delete cascade,
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);
