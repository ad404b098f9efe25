-- As 0144. By when they began, which never changes: an index on when they were last used would be written with each call.
create index concurrently if not exists sessions_old on sessions using brin (created_at)
  with (pages_per_range = 16, autosummarize = on);
