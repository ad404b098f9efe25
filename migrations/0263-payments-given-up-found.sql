-- They are few among all that came to nothing.
create index concurrently if not exists payments_unasked on payments (created_at)
  where status = 'expired' and unasked_at is not null;
