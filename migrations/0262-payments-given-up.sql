-- When a payment was given up that the gateway could not be asked about: it is still asked about for a month, and
-- somebody looks at it.
alter table payments add column unasked_at timestamptz;
