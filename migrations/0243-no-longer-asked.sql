-- What no program reads since 0134 (the column) and 0067 and 0198 (the functions).
--
-- needs: 0198
alter table despachos drop column batch_limit;
drop function huella_search(integer, text, date);
drop function huella_search_days(integer, text, date, date, boolean, bigint, bigint);
