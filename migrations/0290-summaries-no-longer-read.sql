-- The summaries of 0144 and 0145 find nothing beside the indexes of 0288 and 0289.
drop index if exists idempotency_keys_old, security_events_old;
