import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { neededAfter } from '../src/platform/migrate.ts';

/** The last migrations before these rules, which docs/operacion.md explains under «Many processes» and «Growing». */
const LAST_BEFORE = { waits: '0132', breaks: '0142', keys: '0142' };

/** A statement without comments and without the strings of functions, on one line. */
function statementsOf(sql: string): string[] {
  const bare = sql.replace(/--.*$/gm, '').replace(/\$\$[\s\S]*?\$\$/g, "''");
  return bare
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter(Boolean);
}

/** What in a migration would make writers wait on a table that may be large. */
function waits(sql: string): string[] {
  const made = tablesMade(sql);
  return statementsOf(sql).filter((statement) => {
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
      / set not null/.test(statement)
    );
  });
}

/** What in a migration may break a program made before it: something that it uses is gone, or refused. */
function breaks(sql: string): string[] {
  const made = tablesMade(sql);
  return statementsOf(sql).filter((statement) => {
    if (/^drop (?:table|view|function|type|sequence|policy)\b/.test(statement)) return true;
    const index = /^create unique index .*? on (\w+)/.exec(statement);
    if (index) return !made.has(index[1] ?? '');
    const table = /^alter table (?:only )?(\w+)/.exec(statement)?.[1];
    if (!table || made.has(table)) return false;
    return (
      / (?:drop column|rename|set not null|drop default)\b/.test(statement) ||
      / alter column \w+ (?:set data )?type /.test(statement) ||
      / add (?:constraint|check|unique|foreign key|primary key|exclude)\b/.test(statement) ||
      (/ add column .* not null/.test(statement) && !/ default | generated /.test(statement))
    );
  });
}

/**
 * Foreign keys and tables that a database distributed by company would refuse, or leave on one machine. A table of
 * companies is created, distributed with `select spread_by_company('…')`, and then given its foreign keys (0142).
 */
function localKeys(sql: string): string[] {
  const notSpread = new Set<string>();
  const refused: string[] = [];
  for (const statement of statementsOf(sql)) {
    const created = /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1];
    if (created) notSpread.add(created);
    const spread = /^select spread_by_company\('(\w+)'\)$/.exec(statement)?.[1];
    if (spread) notSpread.delete(spread);
    const from = created ?? /^alter table (?:only )?(\w+)/.exec(statement)?.[1];
    const targets = [...statement.matchAll(/\breferences (\w+)/g)].map(
      ([, target]) => target ?? '',
    );
    if (targets.some((target) => notSpread.has(from ?? '') || notSpread.has(target)))
      refused.push(statement);
  }
  return [...refused, ...[...notSpread].map((table) => `${table} is left unspread`)];
}

function tablesMade(sql: string): Set<string> {
  return new Set(
    statementsOf(sql).flatMap((s) => /^create table (?:if not exists )?(\w+)/.exec(s)?.[1] ?? []),
  );
}

const all = readdirSync('migrations').filter((name) => name.endsWith('.sql'));
const textOf = (name: string) => readFileSync(`migrations/${name}`, 'utf8');
/** The migrations to which a rule applies, so that `it.each` has something even if there are none. */
const since = (last: string) => {
  const files = all.filter((name) => name.slice(0, 4) > last);
  return files.length > 0 ? files : ['none yet'];
};
const onFile = (check: (sql: string) => void) => (name: string) => {
  if (name !== 'none yet') check(textOf(name));
};

describe('a migration makes nobody wait', () => {
  it.each(since(LAST_BEFORE.waits))(
    '%s',
    onFile((sql) => expect(waits(sql)).toEqual([])),
  );

  it.each([
    ['create index a on invoices (b);', 1],
    ['create index concurrently if not exists a on invoices (b);', 0],
    ['create table t (a int); create unique index u on t (a);', 0],
    ['alter table invoices add column n int not null default 0;', 0],
    ['alter table invoices add constraint c check (n > 0);', 1],
    ['alter table invoices add constraint c check (n > 0) not valid;', 0],
    ['alter table invoices alter column n type bigint;', 1],
  ])('finds in «%s» %i', (sql, count) => {
    expect(waits(sql)).toHaveLength(count);
  });
});

describe('a migration that the previous version cannot work with says which one can', () => {
  it.each(since(LAST_BEFORE.breaks))(
    '%s',
    onFile((sql) => {
      if (neededAfter(sql) === null) expect(breaks(sql)).toEqual([]);
    }),
  );

  // Its own number, or a later one, would require stopping everything at once.
  it.each(all)('%s needs one from before it', (name) => {
    const needs = neededAfter(textOf(name));
    if (needs === null) return;
    expect(all.some((other) => other.startsWith(needs))).toBe(true);
    expect(needs < name.slice(0, 4)).toBe(true);
  });

  it('excludes versions that cannot read how messages are packed (docs/decisions/0241)', () => {
    expect(all.map((name) => neededAfter(textOf(name)))).toContain('0242');
  });

  it.each([
    ['alter table invoices drop column n;', 1],
    ['drop table imports;', 1],
    ['drop function f();', 1],
    ['drop index i;', 0],
    ['alter table invoices rename column n to m;', 1],
    ['alter table invoices add column n int not null;', 1],
    ['alter table invoices add column n int not null default 0;', 0],
    ['alter table invoices add column n int;', 0],
    ['alter table invoices alter column n drop default;', 1],
    ['alter table invoices alter column n drop not null;', 0],
    ['alter table invoices add constraint c check (n > 0) not valid;', 1],
    ['create unique index concurrently if not exists u on invoices (company_id, n);', 1],
    ['create table t (a int not null); alter table t add primary key (a);', 0],
  ])('finds in «%s» %i', (sql, count) => {
    expect(breaks(sql)).toHaveLength(count);
  });
});

describe('a migration can run where the tables are distributed over machines', () => {
  it.each(since(LAST_BEFORE.keys))(
    '%s',
    onFile((sql) => expect(localKeys(sql)).toEqual([])),
  );

  const T = 'create table t (company_id int, id int, primary key (company_id, id));';
  const SPREAD = "select spread_by_company('t');";
  const KEY =
    'alter table t add foreign key (company_id, id) references invoices (company_id, id);';
  it.each([
    [`${T} ${SPREAD} ${KEY}`, 0],
    [`${T} ${SPREAD}`, 0],
    ['alter table invoices add column n int;', 0],
    [T, 1],
    [`${T} ${KEY} ${SPREAD}`, 1],
    [`create table t (company_id int references companies); ${SPREAD}`, 1],
    [`${T} alter table invoices add foreign key (company_id, n) references t; ${SPREAD}`, 1],
  ])('finds in «%s» %i', (sql, count) => {
    expect(localKeys(sql)).toHaveLength(count);
  });
});
