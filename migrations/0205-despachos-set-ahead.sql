-- Companies whose turn was written down by a clock that has been put back since: none, nearly always, and the dispatcher
-- looks for them each time.
create index concurrently if not exists despachos_set_ahead on despachos (next_envio_set_at)
  where waiting_since is not null and rechazados = 0 and detenido_at is null;
