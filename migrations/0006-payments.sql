-- Payments of subscriptions, one row per attempt. A first payment has no company until the gateway
-- says that it was authorised, so the key is the number the gateway knows: on a distributed
-- PostgreSQL this is a reference table, as `companies` is (docs/decisions/0007).
--
-- No card data: they are typed on the gateway's page and never come here.

create table payments (
  -- DS_MERCHANT_ORDER: ours, new at each attempt.
  ds_order text primary key,
  -- The order as its payer knows it: several attempts may be of one.
  order_id text not null,
  kind text not null check (kind in ('alta', 'renovacion')),
  company_id integer references companies (id),
  plan text not null check (plan in ('monthly', 'semiannual', 'annual')),
  amount_cents bigint not null check (amount_cents > 0),
  -- mismatch: rightly signed, and not what was asked for. conflict: charged, and nothing to give for
  -- it; refunded is its end.
  status text not null check (
    status in ('pending', 'paid', 'denied', 'mismatch', 'expired', 'conflict', 'refunded')
  ),
  -- The company that is to be, its password already hashed, under AES-256-GCM; forgotten once used.
  sign_up bytea,
  ds_response text,
  ds_authorisation_code text,
  created_at timestamptz not null,
  settled_at timestamptz,
  refund_tried_at timestamptz,
  check (kind = 'alta' or company_id is not null)
);
create index payments_order on payments (order_id);
create index payments_company on payments (company_id) where company_id is not null;
create index payments_unfinished on payments (created_at)
  where status in ('pending', 'conflict') or sign_up is not null;
