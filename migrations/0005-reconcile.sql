-- The AEAT holds registros of this installation that we do not: an old backup was restored. While a
-- month stands here nothing is registered, or a number and a link of the cadena would be made twice.

alter table cadenas
  add column reconcile_required_at timestamptz,
  -- `2026-11`: months that were found to differ and have not been found equal since.
  add column reconcile_periodos text[] not null default '{}';
