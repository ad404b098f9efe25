-- The retention that new invoices begin with where it applies, per cent: professionals and landlords have it in most.
alter table companies add column default_retention text not null default '';
