-- Recovery codes, one alive per account and only as an HMAC, and the pause that a rate limit imposes
-- on the next attempt.

alter table rate_limits add column blocked_until timestamptz;

create table recovery_codes (
  company_id integer primary key references companies (id),
  code_hmac bytea not null,
  expires_at timestamptz not null,
  tries integer not null default 0,
  created_at timestamptz not null
);
