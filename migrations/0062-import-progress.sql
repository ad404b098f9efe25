-- Files that were imported, so that the same one is known again, and how the saving of the last one goes,
-- so that it can be left and found again.

create table imported_files (
  company_id integer not null references companies (id),
  -- SHA-256 of the file, in base64url. Neither its name nor its content is kept.
  import_id text not null,
  imported_at timestamptz not null,
  primary key (company_id, import_id)
);

create table import_runs (
  company_id integer primary key references companies (id),
  -- Whose row this is: of two savings at once, the later one.
  token uuid not null,
  status text not null check (status in ('guardando', 'terminada', 'fallida')),
  done integer not null default 0,
  total integer not null,
  -- What was saved, and why nothing was.
  result jsonb,
  message text,
  started_at timestamptz not null,
  updated_at timestamptz not null default now()
);
