-- Those of the last day, among all that were ever denied.
create index concurrently if not exists payments_denied on payments (settled_at)
  where status = 'denied' and asked_again_at is null;
