-- A page is a few rows: of a function the planner believes a thousand, and then joins them by reading all.
alter function huella_amount_page(integer, text, numeric, bigint, bigint, bigint) rows 8;
