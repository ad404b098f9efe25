-- Isolating the one registro that makes the AEAT refuse a whole message: up to which place it has to be. Between there and
-- what was answered, the first half goes next; `batch_limit`, which forgot it after each half that was taken, is no longer
-- read.
alter table despachos add column aislar_hasta bigint;
