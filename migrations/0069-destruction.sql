-- What the law asked to keep is destroyed when its term is over, and only then: whoever administers the
-- installation says of which company, outside of every private call. Besides, the messages that are deleted
-- each hour are found without reading all of them.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and huella_company() is null
     and current_setting('huella.destroy', true) = (to_jsonb(old) ->> 'company_id') then
    return old;
  end if;
  raise exception 'Lo registrado no se cambia ni se borra (RD 1007/2023 art. 8.2.a): %', tg_table_name
    using errcode = 'HU001';
end $$;

create index mail_jobs_ended on mail_jobs (coalesce(sent_at, failed_at)) where invoice_id is null;
