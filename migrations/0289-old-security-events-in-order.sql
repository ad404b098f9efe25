-- As 0288, once the first of those two years are deleted.
create index concurrently if not exists security_events_by_time on security_events (at);
