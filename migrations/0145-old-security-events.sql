-- As 0144: two years of them, written in their order.
create index concurrently if not exists security_events_old on security_events using brin (at)
  with (pages_per_range = 16, autosummarize = on);
