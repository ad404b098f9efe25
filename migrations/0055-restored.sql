-- A cadena that waits to be held against the AEAT: why, for the words, and when that was last tried by
-- itself, so that a restored installation heals without anybody pressing, and without asking too often.

alter table cadenas
  -- `falta`: the AEAT holds registros of ours that are not here. `copia`: a backup was restored, and
  -- something may be missing. `copia-falta`: both.
  add column reconcile_reason text not null default 'falta'
    check (reconcile_reason in ('falta', 'copia', 'copia-falta')),
  add column reconcile_tried_at timestamptz;

create index cadenas_reconcile on cadenas (reconcile_tried_at nulls first)
  where reconcile_required_at is not null;
