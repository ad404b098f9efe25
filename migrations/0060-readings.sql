-- What was read from an uploaded invoice and its pages as pictures, so that the draft may be checked beside
-- the paper whenever it is opened.

-- The answer of ExtraerFactura but its draft: fields, lines and warnings. Null where nothing was read.
alter table uploads add column reading jsonb;

create table upload_pages (
  company_id integer not null references companies (id),
  upload_id uuid not null,
  -- From 1.
  page smallint not null,
  -- In pixels.
  width integer not null,
  height integer not null,
  -- WebP.
  content bytea not null,
  primary key (company_id, upload_id, page),
  foreign key (company_id, upload_id) references uploads (company_id, id) on delete cascade
);
