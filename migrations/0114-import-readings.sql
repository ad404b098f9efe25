-- How far the file of a company is read and checked before anything is saved, so that whichever process is
-- asked knows, and one company has one file read at a time in all of them.

create table import_readings (
  company_id integer primary key references companies (id),
  -- Whose row this is: of two readings, the later one.
  token uuid not null,
  percent integer not null default 0,
  updated_at timestamptz not null default now()
);
