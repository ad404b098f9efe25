-- Since when our own mail server does not take a message, whoever it is for: that, and no wrong address, is what
-- somebody has to come for.
alter table mail_jobs add column not_taken_since timestamptz;
