-- A payment that was charged with nothing to give for it says why, to whoever asks and to whoever paid: also to
-- those who have no account. The rule is wider than the one in its place, so every row fits it.
-- needs: 0045
alter table payments add column conflict_reason text;
alter table mail_jobs drop constraint mail_jobs_owner;
alter table mail_jobs add constraint mail_jobs_owner
  check (company_id > 0 or (company_id = 0 and kind in ('pago-denegado', 'pago-devuelto', 'pago-sin-confirmar')))
  not valid;
