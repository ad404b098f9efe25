-- The hourly chore that forgets read all keys to find the old ones. They lie in the order in which they came, so a
-- summary of each stretch of the table finds them, and costs nothing to whoever registers.
create index concurrently if not exists idempotency_keys_old on idempotency_keys using brin (created_at)
  with (pages_per_range = 16, autosummarize = on);
