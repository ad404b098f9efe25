-- An invoice whose number another program had declared is left without effect (docs/decisions/0232): told apart from one
-- that is left as the AEAT has it.
alter table desistimientos add column sin_efecto boolean not null default false;
