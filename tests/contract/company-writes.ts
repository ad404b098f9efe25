import type { Sql } from '../../src/store/sql.ts';
import { companyTables } from './company-plans.ts';

/** What a transaction wrote with one statement in one table. */
export interface Write {
  readonly transaction: string;
  readonly table: string;
  /** On one line, without its comments. */
  readonly statement: string;
  readonly companies: readonly number[];
}

/**
 * Makes the database record, from now on, whose rows each transaction writes, in every table of companies and in the
 * table of companies itself. It records in the same transaction, so what is rolled back does not count as written.
 */
export async function recordWrites(sql: Sql): Promise<void> {
  const owned = (await companyTables(sql)).map((name) => [name, 'company_id'] as const);
  await sql.begin(async (tx) => {
    await tx.unsafe(`
      create schema prueba;
      create table prueba.writes (
        transaction bigint, table_name text, statement text, company_id bigint,
        unique (transaction, table_name, statement, company_id)
      );
      create function prueba.note_write() returns trigger language plpgsql security definer as $$
      begin
        insert into prueba.writes
        select txid_current(), tg_table_name, left(current_query(), 2000), (touched ->> tg_argv[0])::bigint
          from unnest(array[to_jsonb(old), to_jsonb(new)]) touched
         where touched ->> tg_argv[0] is not null
            on conflict do nothing;
        return null;
      end $$;`);
    for (const [table, column] of [...owned, ['companies', 'id']]) {
      await tx.unsafe(`
        create trigger zz_note_write after insert or update or delete on ${table}
           for each row execute function prueba.note_write('${column}')`);
    }
  });
}

export async function recordedWrites(sql: Sql): Promise<Write[]> {
  return sql<Write[]>`
    select transaction::text, table_name as table,
           trim(regexp_replace(regexp_replace(statement, '--[^\\n]*', '', 'g'), '[[:space:]]+', ' ', 'g'))
             as statement,
           array_agg(distinct company_id::int) as companies
      from prueba.writes group by transaction, table_name, statement`;
}

/** What was written by each transaction that wrote for several companies. */
export function crossingWrites(writes: readonly Write[]): Write[][] {
  const byTransaction = new Map<string, Write[]>();
  for (const write of writes) {
    byTransaction.set(write.transaction, [...(byTransaction.get(write.transaction) ?? []), write]);
  }
  return [...byTransaction.values()].filter((own) => companiesOf(own).length > 1);
}

export function companiesOf(writes: readonly Write[]): number[] {
  return [...new Set(writes.flatMap(({ companies }) => companies))].sort((a, b) => a - b);
}
