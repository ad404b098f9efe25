-- What a catalog holds, in few bytes: registering reads these, and the catalog itself only when it is one
-- that the process has not seen. Nearly all companies have the same ones.
alter table company_catalogs
  add column digest text not null generated always as (md5(entries::text)) stored;
