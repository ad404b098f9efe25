-- The index of 0270 keeps what this constraint kept.
alter table companies drop constraint if exists companies_numero_instalacion_key;
