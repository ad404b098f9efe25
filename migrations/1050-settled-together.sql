-- What an invoice and its credit settle against each other is noted down of both, and goes together: the id of the other
-- cobro (docs/decisions/1050). No key: a version that does not know of it deletes one of the two alone.
alter table cobros add column settled_with uuid;
