-- Since when a payment waits for somebody to invoice it by hand: it is not tried again, and is seen until it has its
-- number.
alter table payments add column invoice_by_hand_at timestamptz;
