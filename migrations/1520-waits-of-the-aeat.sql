-- Whether the time of the next message is what the AEAT asked for in an answer. A new certificate does not bring such a
-- message forward, as it does one that is tried again because nothing was answered.
alter table despachos add column is_wait_asked boolean not null default false;
