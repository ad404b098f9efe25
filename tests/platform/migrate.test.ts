import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import {
  ensureSearchIndex,
  type Migration,
  migrate,
  newerMigrations,
  readMigrations,
  type Waiting,
} from '../../src/platform/migrate.ts';
import { distribute, distributionSteps } from '../../src/store/distribute.ts';
import { pretendCitus } from '../support/citus.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const migration = (name: string, text: string): Migration => ({
  name,
  text,
  checksum: createHash('sha256').update(text).digest('hex'),
});
const FIRST = migration('0001-a.sql', 'create table a (id int); insert into a values (1);');
const SECOND = migration('0002-b.sql', 'create table b (id int)');

describe('migrate', () => {
  let database: TestDatabase;
  afterEach(() => database.drop());

  it('runs missing migrations, in order, once', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    expect(await migrate(sql, [FIRST])).toEqual(['0001-a.sql']);
    expect(await migrate(sql, [FIRST, SECOND])).toEqual(['0002-b.sql']);
    expect(await migrate(sql, [FIRST, SECOND])).toEqual([]);
    expect(await sql`select id from a`).toEqual([{ id: 1 }]);
  });

  it('analyzes again the tables analyzed before there were plans for companies of every size', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    const all = await readMigrations();
    await migrate(
      sql,
      all.filter(({ name }) => !name.startsWith('0204-')),
    );
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`; // Of companies that do not have to exist.
      await tx`insert into counters (company_id, name) select n % 1000, n from generate_series(1, 2000) n`;
    });
    await sql`analyze counters`;
    const distinct = () => sql`
      select n_distinct::float as told from pg_stats
       where tablename = 'counters' and attname = 'company_id'`;
    expect(await distinct()).toEqual([{ told: -0.5 }]); // Half as many as rows.
    await migrate(sql, all);
    expect(await distinct()).toEqual([{ told: 200 }]);
  });

  it('leaves nothing of a failed migration', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    const broken = migration('0002-b.sql', 'create table b (id int); select 1 / 0;');
    await expect(migrate(sql, [FIRST, broken])).rejects.toThrow('division by zero');
    expect(await sql`select to_regclass('b') as b`).toEqual([{ b: null }]);
    expect(await migrate(sql, [FIRST, SECOND])).toEqual(['0002-b.sql']);
  });

  it('runs each migration once when several processes start together', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const pools = Array.from({ length: 6 }, () => openDatabase({ url: database.url }));
    const ran = await Promise.all(pools.map((sql) => migrate(sql, [FIRST, SECOND])));
    await Promise.all(pools.map((sql) => sql.end()));
    expect(ran.flat().sort()).toEqual(['0001-a.sql', '0002-b.sql']);
    expect(await database.sql`select id from a`).toHaveLength(1);
  });

  it('gives way to a query that reads a table for long, so that no writer waits behind it', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    await migrate(sql, [FIRST]);
    const reader = await sql.reserve();
    await reader`begin`;
    await reader`select id from a`;
    const wider = migration('0002-w.sql', 'alter table a add column w text');
    const ran = migrate(sql, [FIRST, wider]);
    await vi.waitFor(async () => {
      const waiting = await sql`
        select from pg_locks
         where database = (select oid from pg_database where datname = current_database())
           and relation = 'a'::regclass and not granted`;
      expect(waiting).toHaveLength(1);
    }, 10_000);
    await sql`insert into a values (2)`; // Behind the migration, which gives up waiting and retries.
    await reader`commit`;
    reader.release();
    expect(await ran).toEqual(['0002-w.sql']);
    expect(await sql`select w from a`).toHaveLength(2);
  }, 60_000);

  it('says once for whom each migration waits', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    await migrate(sql, [FIRST]);
    const wider = migration('0002-w.sql', 'alter table a add column w text');
    const index = migration(
      '0003-i.sql',
      'create index concurrently if not exists a_by_id on a (id)',
    );
    const all = [FIRST, wider, index];
    const told: Waiting[] = [];

    const reader = await sql.reserve();
    const [mine] = await reader<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await reader`begin`;
    await reader`select id from a`;
    const ran = migrate(sql, all, (waiting) => told.push(waiting));
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
    expect(told).toEqual([{ migration: '0002-w.sql', pids: [mine?.pid] }]);
    // It steps aside and tries again, and reports nothing more.
    const attempts = new Set<string>();
    await vi.waitFor(async () => {
      const waiting = await sql<{ since: string }[]>`
        select query_start::text as since from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`;
      for (const { since } of waiting) attempts.add(since);
      expect(attempts.size).toBe(2);
    }, 20_000);
    expect(told).toHaveLength(1);
    await reader`commit`;

    // A writer delays an index, which delays the second process.
    await vi.waitFor(() => reader`select w from a`, 10_000);
    await reader`begin`;
    await reader`insert into a values (2)`;
    const other = openDatabase({ url: database.url });
    const toldOther: Waiting[] = [];
    const ranOther = migrate(other, all, (waiting) => toldOther.push(waiting));
    await vi.waitFor(() => expect(told).toHaveLength(2), 10_000);
    await reader`commit`;
    reader.release();
    expect(await ran).toEqual(['0002-w.sql', '0003-i.sql']);
    expect(await ranOther).toEqual([]);
    expect(told[1]).toEqual({ migration: '0003-i.sql', pids: [mine?.pid] });
    await other.end();
  }, 60_000);

  it('says who holds the lock of the migrations', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    const told: Waiting[] = [];
    const holder = await sql.reserve();
    const [held] = await holder<{ pid: number }[]>`
      select pg_backend_pid() as pid, pg_advisory_lock(4835521)::text`;
    const ran = migrate(sql, [FIRST], (waiting) => told.push(waiting));
    await vi.waitFor(() => expect(told).toHaveLength(1), 10_000);
    await holder`select pg_advisory_unlock(4835521)`;
    holder.release();
    expect(await ran).toEqual(['0001-a.sql']);
    expect(told).toEqual([{ migration: '0001-a.sql', pids: [held?.pid] }]);
  }, 60_000);

  it('builds an index outside a transaction, once, while others wait and write', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    const index = migration(
      '0002-i.sql',
      '-- Why.\ncreate index concurrently if not exists a_by_id\n  on a (id);\n',
    );
    await migrate(sql, [FIRST]);
    // What an interrupted build leaves: a unique index over repeated rows fails half way.
    await sql`insert into a values (1)`;
    await expect(sql.unsafe('create unique index concurrently a_by_id on a (id)')).rejects.toThrow(
      'could not create unique index',
    );

    const writing = await sql.reserve();
    await writing`begin`;
    await writing`insert into a values (2)`;
    const pools = Array.from({ length: 3 }, () => openDatabase({ url: database.url }));
    const ran = Promise.all(pools.map((pool) => migrate(pool, [FIRST, index])));
    await vi.waitUntil(async () => {
      const [row] = await sql`
        select 1 from pg_stat_activity where query like '%concurrently%a_by_id%' and state = 'active'
           and wait_event_type = 'Lock' and pid <> pg_backend_pid() and datname = current_database()`;
      return row !== undefined;
    }, 30_000);
    // It waits for the writer that came before it; later writers do not wait.
    await sql`insert into a values (3)`;
    await writing`commit`;
    writing.release();

    expect((await ran).flat()).toEqual(['0002-i.sql']);
    await Promise.all(pools.map((pool) => pool.end()));
    expect(
      await sql`select indisvalid, indisunique from pg_index where indexrelid = 'a_by_id'::regclass`,
    ).toEqual([{ indisvalid: true, indisunique: false }]);
  });

  it('needs no more connections than the pool may have', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const url = new URL(database.url);
    url.searchParams.set('max', '1');
    const sql = openDatabase({ url: url.href });
    try {
      expect(sql.options.max).toBe(1);
      expect(await migrate(sql, await readMigrations())).toContain('0068-annulled.sql');
      expect(await ensureSearchIndex(sql)).toBeNull();
      expect(
        await sql`
          select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
           where c.relname in ('invoices_annulled', 'invoices_search_marks') and i.indisvalid
           order by 1`,
      ).toEqual([{ name: 'invoices_annulled' }, { name: 'invoices_search_marks' }]);
    } finally {
      await sql.end();
    }
  });

  it('replaces the former search index, and one whose build was interrupted, by a single one', async () => {
    database = await createTestDatabase();
    const { sql } = database;
    const indexes = async () =>
      (
        await sql<{ name: string }[]>`
          select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
           where c.relname like 'invoices_search%' and i.indisvalid`
      ).map(({ name }) => name);
    expect(await indexes()).toEqual(['invoices_search_marks']);
    await sql`create index invoices_search on invoices using gin (search_text gin_trgm_ops)`;
    await sql`update pg_index set indisvalid = false where indexrelid = to_regclass('invoices_search_marks')`;
    expect(await Promise.all([ensureSearchIndex(sql), ensureSearchIndex(sql)])).toEqual([
      null,
      null,
    ]);
    expect(await indexes()).toEqual(['invoices_search_marks']);
  });

  it('refuses a file that changed after it was applied', async () => {
    database = await createTestDatabase({ isEmpty: true });
    await migrate(database.sql, [FIRST]);
    const edited = migration(FIRST.name, 'create table a (id bigint)');
    await expect(migrate(database.sql, [edited])).rejects.toThrow(
      'La migración 0001-a.sql ya se aplicó y su archivo ha cambiado',
    );
  });

  it('works on the database of a newer version that only added to it', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    await migrate(sql, [FIRST, SECOND]);
    expect(await migrate(sql, [FIRST])).toEqual([]);
    expect(await newerMigrations(sql, [FIRST])).toEqual(['0002-b.sql']);
    expect(await newerMigrations(sql, [FIRST, SECOND])).toEqual([]);
  });

  it('refuses a database with a migration that needs a newer version, whatever came after that migration', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    const third = migration('0003-c.sql', '-- Why.\n-- needs: 0002\nalter table a drop column id;');
    const fourth = migration('0004-d.sql', 'create table d (id int)');
    await migrate(sql, [FIRST, SECOND, third, fourth]);
    await expect(migrate(sql, [FIRST])).rejects.toThrow(
      'una versión más nueva de Huella que ya no admite esta (tiene 0003-c.sql)',
    );
    expect(await migrate(sql, [FIRST, SECOND])).toEqual([]);
  });

  it('continues with a database from before migrations declared what they need', async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    await migrate(sql, [FIRST, SECOND]);
    await sql`alter table schema_migrations drop column needs`;
    expect(await migrate(sql, [FIRST])).toEqual([]);
    const all = (await readMigrations()).filter(({ name }) => name.startsWith('0141'));
    const last = migration('0142-x.sql', '-- needs: 0141\nselect 1;');
    expect(await migrate(sql, [FIRST, SECOND, ...all, last])).toHaveLength(2);
    await expect(migrate(sql, [FIRST, SECOND])).rejects.toThrow('tiene 0142-x.sql');
  });

  it('leaves the product tables in place', async () => {
    database = await createTestDatabase();
    expect(await migrate(database.sql, await readMigrations())).toEqual([]);
  });
});

describe('migrate, where the tables are distributed over machines', () => {
  const NOTES =
    'create table notes (company_id integer, no integer, invoice integer, primary key (company_id, no));';
  const SPREAD = "select spread_by_company('notes');";
  const KEY = 'alter table notes add foreign key (company_id) references companies (id);';
  const OTHER_KEY =
    'alter table notes add foreign key (company_id, invoice) references invoices (company_id, id);';
  let database: TestDatabase;
  let before: Migration[];
  beforeEach(async () => {
    database = await createTestDatabase();
    before = await readMigrations();
    await pretendCitus(database.sql);
    expect(await database.sql.begin(distribute)).toBeGreaterThan(50);
  });
  afterEach(() => database.drop());

  const spreadNow = async () =>
    (
      await database.sql<{ name: string }[]>`
        select table_name::text as name from citus_tables where citus_table_type = 'distributed'`
    ).map(({ name }) => name);

  it('distributes a table that comes later, with its keys', async () => {
    const later = migration('9999-notes.sql', `${NOTES} ${SPREAD} ${KEY} ${OTHER_KEY}`);
    expect(await migrate(database.sql, [...before, later])).toEqual(['9999-notes.sql']);
    expect(await spreadNow()).toContain('notes');
    expect(await database.sql.begin(distribute)).toBe(0);
  });

  it('leaves an undistributed table to «distribuir», and refuses its foreign key to a distributed one', async () => {
    const { sql } = database;
    const wrong = migration('9999-notes.sql', `${NOTES} ${OTHER_KEY}`);
    await expect(migrate(sql, [...before, wrong])).rejects.toThrow('are not colocated');
    const local = migration('9999-notes.sql', NOTES);
    await migrate(sql, [...before, local]);
    expect(await spreadNow()).not.toContain('notes');
    const steps = await sql.begin(distributionSteps);
    expect(steps).toEqual([
      "select create_distributed_table('notes', 'company_id', colocate_with => 'invoices')",
    ]);
    expect(await sql.begin(distribute)).toBe(1);
    expect(await spreadNow()).toContain('notes');
  });
});

describe('openDatabase', () => {
  it('reads money, counters and days without floats or time zones', async () => {
    const database = await createTestDatabase();
    const [row] = await database.sql`
      select 9007199254740993::bigint as counter, 1234567890.10::numeric(14,2) as amount,
             '2026-03-29'::date as day, '2026-03-29T01:30:00Z'::timestamptz as moment,
             array['2026-03-29'::date] as days`;
    expect(row).toEqual({
      counter: 9007199254740993n,
      amount: '1234567890.10',
      day: '2026-03-29',
      moment: new Date('2026-03-29T01:30:00Z'),
      days: ['2026-03-29'],
    });
    await database.drop();
  });
});
