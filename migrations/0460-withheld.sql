-- A new installation keeps from being sent what waited in a restored copy and would take the place of a later registro of
-- the same invoice at the AEAT (docs/decisions/0460).

-- Positions in the cadena that are passed over, in no order.
alter table despachos add column retenidos bigint[] not null default '{}';

-- Of those, what the invoice was left at is told as of what its owner gave up; but the AEAT did not refuse it.
alter table desistimientos add column sin_enviar boolean not null default false;
