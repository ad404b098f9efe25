-- The provider invoices the subscriptions it sells from its own account: which invoice each payment
-- got, and when it was last tried.

alter table payments add column invoice_no text;
alter table payments add column invoice_tried_at timestamptz;

create index payments_to_invoice on payments (settled_at)
  where status = 'paid' and invoice_no is null;
