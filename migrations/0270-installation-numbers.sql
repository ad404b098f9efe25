-- A number of installation stays unique, by an index that leaves something out: one that does is no key of the table.
-- As a key, each change of it (a demo that is paid for, a new installation) waited for every foreign key to its company
-- that was being checked, and whoever registers waited for it: a deadlock (0271).
--
-- needs: 0001
create unique index concurrently if not exists companies_numero_instalacion on companies (numero_instalacion)
 where numero_instalacion <> '';
