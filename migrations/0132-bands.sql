-- The page of a range of dates in another order, in the middle of a long history, without walking to it
-- (docs/decisions/0132). Some sixteen blocks of an order are a band, and of each band it is known how many of its
-- invoices are of each day and of each month.

alter table invoice_blocks
  -- Of which band it is; 0 in an order that is too short for bands, and in that of dates, which needs none.
  add column band integer not null default 0,
  -- How many of its invoices are in invoice_band_days. Other than `invoices` once a version before this one
  -- counted in the block: its order is then walked again, until its bands are made anew.
  add column counted integer not null default 0;

create table invoice_band_days (
  company_id integer not null references companies (id),
  sort text not null check (sort in ('DocNo', 'Name', 'Amount', 'VatAmount', 'AmountIncludingVat')),
  -- Those of a whole month, whose first day is `day`; otherwise those of that day.
  of_month boolean not null,
  day date not null,
  band integer not null,
  invoices integer not null,
  primary key (company_id, sort, of_month, day, band)
) with (fillfactor = 70);

-- As in 0013, of the invoices from a day on.
create function huella_amount_page(
  company integer, ordered_by text, from_amount numeric, from_invoice bigint, skipped bigint, size bigint, since date
) returns setof bigint language plpgsql stable security definer set search_path from current as $$
begin
  if not huella_may_see(company) then return; end if;
  return query execute format(
    'select i.id from invoices i
      where i.company_id = $1 and i.status in (''Registrada'', ''Anulada'')
        and (i.%1$I, i.id) >= ($2, $3) and i.posting_date >= $4
      order by i.%1$I, i.id offset $5 limit $6', ordered_by)
  using company, from_amount, from_invoice, since, skipped, size;
end $$;
