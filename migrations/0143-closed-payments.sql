-- A payment that somebody had to look at is closed by hand, with the reason, for whoever asks later why it ended so.
alter table payments add column closed_at timestamptz;
alter table payments add column closed_because text;
