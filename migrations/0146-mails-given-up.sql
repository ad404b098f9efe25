-- Messages that were given up, of which those that say what is nobody's but their reader's go in a month.
create index concurrently if not exists mail_jobs_given_up on mail_jobs (failed_at) where failed_at is not null;
