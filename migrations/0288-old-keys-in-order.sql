-- The summaries of 0144 tell nothing from the third day on: what is deleted makes room for what comes, wherever that lies,
-- and each stretch of the table then has keys of both. An order by time is written at its end, beside what came just
-- before, and a key that gets its answer stays as it is there.
create index concurrently if not exists idempotency_keys_by_time on idempotency_keys (created_at);
