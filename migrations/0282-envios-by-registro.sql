-- The messages that held a registro, without reading all that its company ever sent.
create index concurrently if not exists envios_registros on envios (company_id, from_seq, id);
