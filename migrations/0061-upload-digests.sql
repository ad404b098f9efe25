-- The same file uploaded twice is told: what it holds, in 32 bytes. Null of what was uploaded before.

alter table uploads add column digest bytea;
create index uploads_digest on uploads (company_id, digest);
