-- A card that was denied may have been tried again on the gateway's page, and paid: such a payment is asked about once
-- more, and its row says when.
alter table payments add column asked_again_at timestamptz;
