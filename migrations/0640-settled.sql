-- The registro as of which nothing was left to collect of an invoice, written when a cobro is noted down or deleted
-- (docs/decisions/0640): with a later one, that has to be looked at again. Nothing that registers writes it.
alter table invoices add column settled_seq bigint;
