-- The tax that a product is usually sold with: of several in a shop, the line has the right one at once.
alter table products add column vat_prod_posting_group text not null default '';
