-- Whose session made each registro, for the company's log of what was done with its account: the log reads
-- registros and messages where they stand, and writes no second row for each (docs/decisions/0121).
alter table registros add column sid uuid;
