-- «Descargar mis datos»: one ZIP with all that a company has, made beside the requests and kept for seven days,
-- so that it may be downloaded after the account is closed (docs/decisions/0120).

-- One for each company: asking for another takes the place of the one before.
create table data_copies (
  company_id integer primary key references companies (id),
  id uuid not null,
  status text not null check (status in ('preparando', 'lista', 'fallida')),
  file_name text not null,
  requested_at timestamptz not null,
  ready_at timestamptz,
  -- From when on nobody downloads it and the hourly chore destroys it; null while it is being made.
  expires_at timestamptz,
  -- Invoices drawn, and how many there were when it began.
  done integer not null default 0,
  total integer not null default 0,
  bytes bigint not null default 0,
  attempts integer not null default 0,
  lease_until timestamptz not null default 'epoch',
  lease_token bigint not null default 0
);
create index data_copies_due on data_copies (lease_until) where status = 'preparando';
create index data_copies_expired on data_copies (expires_at);

-- The ZIP in stretches, from 0.
create table data_copy_pieces (
  company_id integer not null,
  piece integer not null,
  content bytea not null,
  primary key (company_id, piece),
  foreign key (company_id) references data_copies (company_id) on delete cascade
);
-- Deflated already: PostgreSQL would try again in vain.
alter table data_copy_pieces alter column content set storage external;
