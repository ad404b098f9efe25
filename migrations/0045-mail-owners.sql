-- A message belongs to a company, or to 0 when it is for somebody who could not pay for an account (0019).
-- PostgreSQL cannot say that as a foreign key with the company first, as distribution asks (0007), and
-- companies are closed, never deleted; what it can say is which messages may belong to nobody, so that
-- no other is lost there.
alter table mail_jobs add constraint mail_jobs_owner
  check (company_id > 0 or (company_id = 0 and kind = 'pago-denegado'));
