-- Lists that are as quick with a million invoices as with ten: keys to sort by, an index per sort, a
-- trigram index to search by, and how many invoices stand before each place of each order, so that
-- page 60,000 is found without walking through the 59,999 before it (docs/decisions/0013).

-- In the order of bytes, which is the same everywhere and for ever: the application folds case and
-- accents, puts ñ after n and pads numbers (src/domain/list-text.ts), as this does once for what stands.
alter table invoices
  add column doc_key text collate "C" not null default '',
  add column name_key text collate "C" not null default '';

create function pg_temp.folded(t text) returns text language sql immutable as $$
  select translate(lower(t), 'ÁÀÂÄÃÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇáàâäãéèêëíìîïóòôöõúùûüç',
                             'aaaaaeeeeiiiiooooouuuuñcaaaaaeeeeiiiiooooouuuuc') $$;
create function pg_temp.padded(t text) returns text language sql immutable as $$
  select string_agg(coalesce(lpad(m[1], 18, '0'), m[2]), '' order by n)
    from regexp_matches(t, '(\d{1,18})|(\D+)', 'g') with ordinality as found (m, n) $$;

update invoices
   set doc_key = coalesce(pg_temp.padded(pg_temp.folded(doc_no)), ''),
       name_key = replace(pg_temp.folded(customer_name), 'ñ', 'n~'),
       search_text = pg_temp.folded(concat_ws(' ', doc_no, posting_date,
         to_char(posting_date, 'DD/MM/YYYY'), customer_nif, customer_name,
         replace(base::text, '.', ','), replace(vat::text, '.', ','), replace(total::text, '.', ',')));

-- One per order of the history. `posting_date` goes with them so that a range of dates is told apart
-- without opening the row. Those of the dates are there since 0002.
create index invoices_by_doc_no on invoices (company_id, doc_key, id) include (posting_date)
  where status in ('Registrada', 'Anulada');
create index invoices_by_name on invoices (company_id, name_key, id) include (posting_date)
  where status in ('Registrada', 'Anulada');
create index invoices_by_base on invoices (company_id, base, id) include (posting_date)
  where status in ('Registrada', 'Anulada');
create index invoices_by_vat on invoices (company_id, vat, id) include (posting_date)
  where status in ('Registrada', 'Anulada');
create index invoices_by_total on invoices (company_id, total, id) include (posting_date)
  where status in ('Registrada', 'Anulada');
-- What waits for a person or for the AEAT, counted without opening the rows.
create index invoices_pending_status on invoices (company_id, status)
  where status in ('Borrador', 'En espera', 'Rechazado', 'Aceptado con errores');

-- The index of the search needs two extensions that come with PostgreSQL («contrib»), which the owner of
-- the database may create. Where the database's user may not, or they are not installed, searching a long
-- history takes longer, and each start of the application tries again and says what is missing.
-- Null when the index is there, or else why not.
create function ensure_search_index() returns text language plpgsql as $$
begin
  if to_regclass('invoices_search') is not null then return null; end if;
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  execute 'create index invoices_search on invoices using gin (company_id, search_text gin_trgm_ops)
             with (gin_pending_list_limit = 1024) where status in (''Registrada'', ''Anulada'')';
  return null;
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  return sqlerrm;
-- Another process of the same installation is making it at this very moment.
when duplicate_table or duplicate_object or unique_violation then
  return null;
end $$;

-- The history of a company in each order, cut into blocks of some thousand invoices: where each block
-- begins and how many it holds. Exact at every commit (src/store/blocks.ts).
create table invoice_blocks (
  company_id integer not null references companies (id),
  sort text not null check (sort in
    ('PostingDate', 'DocNo', 'Name', 'Amount', 'VatAmount', 'AmountIncludingVat')),
  -- The key of its first place; the first block of an order begins before everything.
  from_date date not null,
  from_number numeric not null,
  from_text text collate "C" not null,
  from_id bigint not null,
  invoices integer not null,
  primary key (company_id, sort, from_date, from_number, from_text, from_id)
) with (fillfactor = 70);

-- What was invoiced each month, as Inicio shows it: registered and not annulled.
create table invoice_months (
  company_id integer not null references companies (id),
  -- First day of it.
  month date not null,
  invoices integer not null,
  base numeric(18, 2) not null,
  vat numeric(18, 2) not null,
  total numeric(18, 2) not null,
  primary key (company_id, month)
) with (fillfactor = 50);

insert into invoice_months (company_id, month, invoices, base, vat, total)
select company_id, date_trunc('month', posting_date)::date, count(*), sum(base), sum(vat), sum(total)
  from invoices
 where registered_at is not null and status <> 'Anulada'
 group by 1, 2;

insert into invoice_blocks (company_id, sort, from_date, from_number, from_text, from_id, invoices)
select company_id, sort,
       case when block = 0 then '-infinity' else (array_agg(d order by place))[1] end,
       case when block = 0 then '-Infinity' else (array_agg(n order by place))[1] end,
       case when block = 0 then '' else (array_agg(t order by place))[1] end,
       case when block = 0 then 0 else (array_agg(id order by place))[1] end,
       count(*)
  from (select i.company_id, i.id, k.*,
               row_number() over (partition by company_id, sort order by d, n, t, id) as place,
               (row_number() over (partition by company_id, sort order by d, n, t, id) - 1) / 1024 as block
          from invoices i
         cross join lateral (values
           ('PostingDate', i.posting_date, 0::numeric, '' collate "C"),
           ('DocNo', '-infinity'::date, 0, i.doc_key),
           ('Name', '-infinity', 0, i.name_key),
           ('Amount', '-infinity', i.base, ''),
           ('VatAmount', '-infinity', i.vat, ''),
           ('AmountIncludingVat', '-infinity', i.total, '')) as k (sort, d, n, t)
         where i.status in ('Registrada', 'Anulada')) as placed
 group by company_id, sort, block;

-- A policy that tells companies apart (0016) keeps `like` and comparisons of amounts away from their
-- indexes: PostgreSQL cannot know that those operators tell nobody what they saw. These two functions
-- work as the owner of the tables, and hold the wall themselves: the company is the one of the request.
create function huella_may_see(company integer) returns boolean language plpgsql stable as $$
begin
  return coalesce(company = any(string_to_array(nullif(current_setting('huella.company', true), ''), ',')::integer[]),
                  current_setting('role') = 'none');
end $$;

create function huella_amount_page(
  company integer, ordered_by text, from_amount numeric, from_invoice bigint, skipped bigint, size bigint
) returns setof bigint language plpgsql stable security definer set search_path from current as $$
begin
  if not huella_may_see(company) then return; end if;
  if ordered_by = 'base' then
    return query select i.id from invoices i
     where i.company_id = company and i.status in ('Registrada', 'Anulada')
       and (i.base, i.id) >= (from_amount, from_invoice) order by i.base, i.id offset skipped limit size;
  elsif ordered_by = 'vat' then
    return query select i.id from invoices i
     where i.company_id = company and i.status in ('Registrada', 'Anulada')
       and (i.vat, i.id) >= (from_amount, from_invoice) order by i.vat, i.id offset skipped limit size;
  else
    return query select i.id from invoices i
     where i.company_id = company and i.status in ('Registrada', 'Anulada')
       and (i.total, i.id) >= (from_amount, from_invoice) order by i.total, i.id offset skipped limit size;
  end if;
end $$;

create function huella_search(company integer, pattern text, since date) returns setof invoices
language plpgsql stable security definer set search_path from current
set plan_cache_mode = force_custom_plan as $$
begin
  if not huella_may_see(company) then return; end if;
  return query select i.* from invoices i
   where i.company_id = company and i.status in ('Registrada', 'Anulada')
     and i.search_text like pattern and i.posting_date >= coalesce(since, '-infinity');
end $$;
