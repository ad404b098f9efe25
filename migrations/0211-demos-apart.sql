-- What a demo declares goes to the AEAT's test service, also where everybody else's goes to production. A message says
-- it of itself: it may be sent again after its company has left the demo.
alter table envios add column es_demo boolean not null default false;
-- What is before this installation was a demo's: the AEAT of production never had it.
alter table instalaciones add column tras_demo boolean not null default false;
