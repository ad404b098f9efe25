-- The first and the last date of what a run registered: its result leads to those days of the history.
alter table register_runs add column first_day date, add column last_day date;
