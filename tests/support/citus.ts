import type { Sql } from '../../src/store/sql.ts';

/**
 * Makes a database of one machine behave as Citus was measured to (Citus is neither in Debian nor on npm): it
 * distributes nothing, records what it was asked to distribute, and refuses what Citus refuses.
 *
 * - A table cannot be distributed while one that is not distributed refers to it.
 * - A foreign key between a distributed table and one that is not is refused, in both directions; one to a reference
 *   table is not.
 */
export async function pretendCitus(sql: Sql): Promise<void> {
  await sql.begin((tx) =>
    tx.unsafe(`
    set local allow_system_table_mods = on;
    insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    select 16000, 'citus', u.usesysid, 'pg_catalog'::regnamespace, false, '13.2-1'
      from pg_user u where u.usename = current_user;

    create table pg_catalog.citus_tables (table_name regclass primary key, citus_table_type text not null);
    grant select on pg_catalog.citus_tables to public;

    create function pg_catalog.create_reference_table(spread regclass) returns void
      language sql as $$ insert into pg_catalog.citus_tables values (spread, 'reference') $$;

    create function pg_catalog.create_distributed_table(
      spread regclass, distribution_column text, colocate_with text default 'default'
    ) returns void language plpgsql as $$
    begin
      if colocate_with <> 'default' then perform colocate_with::regclass; end if;
      if exists (
        select from pg_constraint k left join pg_catalog.citus_tables t on t.table_name = k.conrelid
         where k.contype = 'f' and k.confrelid = spread and k.conrelid <> spread and t.table_name is null
      ) then
        raise exception 'cannot distribute %: a local table has a foreign key to it', spread;
      end if;
      insert into pg_catalog.citus_tables values (spread, 'distributed');
    end $$;

    create function pg_catalog.citus_refuses_keys() returns event_trigger language plpgsql as $$
    declare
      stray record;
    begin
      select k.conname, k.conrelid::regclass as from_table, k.confrelid::regclass as to_table into stray
        from pg_constraint k
        left join pg_catalog.citus_tables f on f.table_name = k.conrelid
        left join pg_catalog.citus_tables t on t.table_name = k.confrelid
       where k.contype = 'f' and k.conrelid <> k.confrelid
         and (f.citus_table_type is null) <> (t.citus_table_type is null)
         and coalesce(t.citus_table_type, '') <> 'reference'
       limit 1;
      if found then
        raise exception 'cannot create foreign key constraint %: % and % are not colocated',
          stray.conname, stray.from_table, stray.to_table;
      end if;
    end $$;
    create event trigger citus_refuses_keys on ddl_command_end
      when tag in ('CREATE TABLE', 'ALTER TABLE') execute function pg_catalog.citus_refuses_keys();
  `),
  );
}
