-- The id of the call that began a run, for the log of whichever process carries it to its end. None, where it began by itself.
alter table register_runs add column req_id text;
alter table bc_runs add column req_id text;
