-- Companies whose turn comes by itself: without those that stand at a rejection, whose time has come for ever and which
-- each look would read again.
create index concurrently if not exists despachos_going on despachos (next_envio_at)
  where waiting_since is not null and rechazados = 0 and detenido_at is null;
