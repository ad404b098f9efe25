-- What the owner can look up or be warned of: how far our clock is from the AEAT's, which downloads there
-- were, and that a certificate is about to expire.

-- Seconds that the AEAT's clock was ahead of ours (negative: behind) when it last answered.
alter table despachos add column desfase_segundos integer;
alter table despachos add column desfase_at timestamptz;

-- One row per invoice and day, so that who downloads a thousand times leaves one line.
create table invoice_downloads (
  company_id integer not null,
  invoice_id bigint not null,
  day date not null,
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (company_id, invoice_id, day),
  foreign key (company_id, invoice_id) references invoices (company_id, id) on delete cascade
);

-- Each warning goes out once per certificate, whatever crashes and however many processes look.
create table certificate_warnings (
  company_id integer not null references companies (id),
  huella_certificado text not null,
  days integer not null,
  warned_at timestamptz not null,
  primary key (company_id, huella_certificado, days)
);
create index certificates_expiry on certificates (valido_hasta);

-- Invoices whose operation has a day of its own: the AEAT files those under its month. They are few.
create index registros_operacion
  on registros (company_id, (left(issued ->> 'fechaOperacion', 7)))
  where tipo_registro = 'Alta' and issued ->> 'fechaOperacion' is not null;
