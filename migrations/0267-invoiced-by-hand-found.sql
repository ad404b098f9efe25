-- Those that wait, among all that the provider never invoiced here.
create index concurrently if not exists payments_by_hand on payments (invoice_by_hand_at)
  where status = 'paid' and invoice_no is null and invoice_by_hand_at is not null;
