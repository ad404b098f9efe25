-- Until when a company waits is told by the application's clock. Put back (it had been ahead), it would wait until that
-- moment comes again, a day later perhaps: when it was written down tells.
alter table despachos add column next_envio_set_at timestamptz;
