import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** The last one older than these rules, which docs/operacion.md tells under «Running it». */
const LAST_BEFORE = '0132';

/** A statement without its comments and strings of functions, on one line. */
function statementsOf(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '').replace(/\$\$[\s\S]*?\$\$/g, "''");
  return bare
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean);
}

/** What of a migration would keep those who write waiting on a table that is large by then. */
function waits(sql: string): string[] {
  const statements = statementsOf(sql);
  const made = new Set(
    statements.flatMap((s) => /^create table (?:if not exists )?(\w+)/.exec(s)?.[1] ?? []),
  );
  return statements.filter((statement) => {
    const index = /^create (?:unique )?index (concurrently )?.*? on (\w+)/.exec(statement);
    if (index) return !index[1] && !made.has(index[2] ?? '');
    const table = /^alter table (?:only )?(\w+)/.exec(statement)?.[1];
    if (!table || made.has(table)) return false;
    return (
      (/ add (?:constraint \w+ )?(?:check|foreign key)| add column .*\breferences\b/.test(
        statement,
      ) &&
        !statement.includes('not valid')) ||
      / alter column \w+ (?:set data )?type /.test(statement) ||
      / set not null/.test(statement) ||
      / drop (?:column|table) /.test(statement)
    );
  });
}

describe('a migration keeps nobody waiting', () => {
  const files = readdirSync('migrations').filter((name) => name.slice(0, 4) > LAST_BEFORE);

  it.each(files.length > 0 ? files : ['none yet'])('%s', (name) => {
    if (name === 'none yet') return;
    expect(waits(readFileSync(`migrations/${name}`, 'utf8'))).toEqual([]);
  });

  it.each([
    ['create index a on invoices (b);', 1],
    ['create index concurrently if not exists a on invoices (b);', 0],
    ['create table t (a int); create unique index u on t (a);', 0],
    ['alter table invoices add column n int not null default 0;', 0],
    ['alter table invoices add constraint c check (n > 0);', 1],
    ['alter table invoices add constraint c check (n > 0) not valid;', 0],
    ['alter table invoices alter column n type bigint;', 1],
    ['alter table invoices drop column n;', 1],
  ])('finds in «%s» %i', (sql, count) => {
    expect(waits(sql)).toHaveLength(count);
  });
});
