-- Which companies were told that their subscription runs out, or that it ran out: once for each end,
-- whatever crashes and however many processes look. A renewal moves the end, and the next one is told again.
create table subscription_notices (
  company_id integer not null references companies (id),
  kind text not null check (kind in ('suscripcion-caduca', 'suscripcion-caducada')),
  ends_at timestamptz not null,
  told_at timestamptz not null,
  primary key (company_id, kind, ends_at)
);
create index companies_subscription_end on companies (subscription_ends_at) where deleted_at is null;

-- Whoever tried to sign up and was refused by the bank has no company: those messages hang from 0.
alter table mail_jobs drop constraint mail_jobs_company_id_fkey;
