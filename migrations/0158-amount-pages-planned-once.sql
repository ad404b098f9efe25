-- The pages of an order of amounts are planned once, as the statements that ask for them (docs/decisions/0155): along
-- the index of that order, wherever they begin.
alter function huella_amount_page(integer, text, numeric, bigint, bigint, bigint)
  set plan_cache_mode = force_generic_plan;
alter function huella_amount_page(integer, text, numeric, bigint, bigint, bigint) set enable_sort = off;
alter function huella_amount_page(integer, text, numeric, bigint, bigint, bigint) set enable_seqscan = off;
