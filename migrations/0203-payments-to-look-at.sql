-- Payments taken that gave nothing, or that do not add up: few, among one or more of each company.
create index concurrently if not exists payments_to_look_at on payments (created_at)
  where status in ('conflict', 'mismatch');
