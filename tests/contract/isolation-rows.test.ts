import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { migrate, readMigrations } from '../../src/platform/migrate.ts';
import { shared } from '../../src/store/coalesced.ts';
import {
  lookAcross,
  lookingUp,
  type RequestScope,
  within,
  withRowSecurity,
} from '../../src/store/row-security.ts';
import type { Session } from '../../src/store/sessions.ts';
import { pipelined, readTogether, type Sql, type Tx } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Shared tables and internal ones, whose rows reveal nothing about a company. */
const SHARED = ['app_settings', 'rate_limits', 'schema_migrations'];

const scopeOf = (companyId: number | null) => ({
  companyId,
  sid: null,
  address: '127.0.0.1',
  userAgent: '',
});

/** A session that only reads, accepted by a query that asks the database which company may be seen. */
function asking(companyId: number, { isOpen = true, name = 'sid', mayWrite = false } = {}) {
  let [looked, accepted] = [0, 0];
  const scope = (): RequestScope => {
    const own: RequestScope = {
      ...scopeOf(companyId),
      admission: {
        name,
        lookUp: async (tx) => {
          looked += 1;
          await tx`select id from companies`;
          if (!isOpen) throw new Error('ended');
          return {} as Session;
        },
        accept: () => {
          accepted += 1;
          own.admission = null;
        },
        mayWrite,
      },
    };
    return own;
  };
  return {
    scope,
    lookedUp: () => looked,
    accepted: () => accepted,
    end: () => {
      isOpen = false;
    },
  };
}
type Asking = ReturnType<typeof asking>;

describe.each([
  { user: 'that may make a role', mayMakeRoles: true },
  { user: 'that may not', mayMakeRoles: false },
])('row-level security, with a user of the database $user', ({ mayMakeRoles }) => {
  let database: TestDatabase;
  let owner: Sql;
  let web: Sql;
  let mine = 0;
  let theirs = 0;
  const user = `dueno_${mayMakeRoles ? 'roles' : 'llano'}_${process.pid}`;

  beforeAll(async () => {
    database = await createTestDatabase({ isEmpty: true });
    const { sql } = database;
    await sql.unsafe(
      `create role ${user} login password 'prueba' ${mayMakeRoles ? 'createrole' : ''}`,
    );
    await sql.unsafe(`grant all on schema public to ${user}`);
    const url = new URL(database.url);
    url.username = user;
    url.password = 'prueba';
    owner = openDatabase({ url: url.href });
    await migrate(owner, await readMigrations());
    [mine, theirs] = [await insertCompany(owner, 'B1'), await insertCompany(owner, 'B2')] as const;
    web = await withRowSecurity(owner);
  });
  afterAll(async () => {
    await owner.end();
    await database.sql.unsafe(`drop owned by ${user}`);
    if (mayMakeRoles) await database.sql.unsafe(`drop role if exists ${user}_web`);
    await database.sql.unsafe(`drop role ${user}`);
    await database.drop();
  });

  it('protects every table that has a company', async () => {
    const tables = await owner<{ name: string; enforced: boolean; hasCompany: boolean }[]>`
      select c.relname as name,
             c.relrowsecurity and exists (
               select from pg_policy p where p.polrelid = c.oid and p.polname = 'company_rows') as enforced,
             c.relname = 'companies' or exists (
               select from pg_attribute a
                where a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped) as "hasCompany"
        from pg_class c
       where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`;
    expect(tables.length).toBeGreaterThan(20);
    expect(tables.filter((t) => t.hasCompany && !t.enforced).map(({ name }) => name)).toEqual([]);
    // A table without company_id has to be listed here, with a reason.
    expect(
      tables
        .filter((t) => !t.hasCompany)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(SHARED);
  });

  it('comes with query plans for companies of every size', async () => {
    const tables = await owner<{ name: string; told: string[] | null }[]>`
      select c.relname as name, a.attoptions as told
        from pg_class c
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
       where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
         and not exists (
               select from pg_index x
                where x.indrelid = c.oid and x.indisunique and x.indnkeyatts = 1 and x.indkey[0] = a.attnum)`;
    expect(tables.length).toBeGreaterThan(20);
    // docs/decisions/0204: `alter table … alter column company_id set (n_distinct = 200)`.
    expect(tables.filter(({ told }) => !told?.includes('n_distinct=200'))).toEqual([]);
  });

  it('is added by migrating to tables that come later', async () => {
    const migrations = await readMigrations();
    await migrate(owner, [
      ...migrations,
      { name: '9999-later.sql', text: 'create table later (company_id integer)', checksum: '1' },
    ]);
    await owner`insert into later (company_id) values (${mine}), (${theirs})`;
    expect(await seenBy(mine, () => web`select company_id from later`)).toEqual([
      { company_id: mine },
    ]);
    await owner`drop table later`;
    await owner`delete from schema_migrations where name = '9999-later.sql'`;
  });

  it('is added again where a restored copy lacks the role or the policies', async () => {
    const lost = mayMakeRoles
      ? `drop owned by ${user}_web; drop role ${user}_web`
      : 'drop policy whole_table on companies; alter table customers no force row level security';
    await database.sql.unsafe(lost);
    expect(await migrate(owner, await readMigrations())).toEqual([]);
    web = await withRowSecurity(owner);
    expect(await seenBy(mine, () => web`select id from companies`)).toEqual([{ id: mine }]);
    expect(await owner`select id from companies`).toHaveLength(2);
    const [customers] = await owner<{ isForced: boolean }[]>`
      select relforcerowsecurity as "isForced" from pg_class where oid = 'customers'::regclass`;
    expect(customers?.isForced).toBe(!mayMakeRoles);
  });

  it('shows and changes nothing of another company, in any table, whatever a query forgets', async () => {
    await owner`insert into customers (company_id, no, name) values (${theirs}, 'C1', 'Suyo')`;
    const tables = await owner<{ name: string; column: string }[]>`
      select c.relname as name,
             case when c.relname = 'companies' then 'id' else 'company_id' end as column
        from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'company_rows'`;
    for (const { name, column } of tables) {
      const rows = await seenBy(
        mine,
        () => web`select 1 from ${web(name)} where ${web(column)} is distinct from ${mine}`,
      );
      expect(rows, name).toEqual([]);
    }
    const changed = await seenBy(
      mine,
      () => web`update customers set name = 'Robado' returning no`,
    );
    expect(changed).toEqual([]);
    const deleted = await seenBy(mine, () => web`delete from customers returning no`);
    expect(deleted).toEqual([]);
    expect(await owner`select name from customers`).toEqual([{ name: 'Suyo' }]);
  });

  it('does not change PostgreSQL’s estimate for a statement, with many companies', async () => {
    await owner.unsafe(`
      create table crowd as select company_id, no from generate_series(1, 500) as company_id, generate_series(1, 8) as no;
      create index on crowd (company_id, no)`);
    await migrate(owner, await readMigrations());
    await owner`analyze crowd`;
    const expected = (sql: Sql) => sql<{ 'QUERY PLAN': { Plan: { 'Plan Rows': number } }[] }[]>`
      explain (format json) select no from crowd where company_id = ${mine}`;
    const [[without], [within]] = [await expected(owner), await seenBy(mine, () => expected(web))];
    const rows = without?.['QUERY PLAN'][0]?.Plan['Plan Rows'];
    expect(rows).toBeGreaterThan(5);
    expect(within?.['QUERY PLAN'][0]?.Plan['Plan Rows']).toBe(rows);
    await owner`drop table crowd`;
  });

  it('gives way to a query that reads a table for long, so that no writer waits behind it', async () => {
    await owner`alter table customers disable row level security`;
    const reader = await owner.reserve();
    await reader`begin`;
    await reader`select no from customers`;
    const raised = migrate(owner, await readMigrations());
    await vi.waitFor(async () => {
      const waiting = await owner`
        select from pg_locks
         where database = (select oid from pg_database where datname = current_database())
           and relation = 'customers'::regclass and not granted`;
      expect(waiting).toHaveLength(1);
    }, 10_000);
    await owner`delete from customers where company_id = 0`; // Behind the change of row-level security, which gives up waiting and retries.
    await reader`commit`;
    reader.release();
    await raised;
    const [customers] = await owner<{ isBehind: boolean }[]>`
      select relrowsecurity as "isBehind" from pg_class where oid = 'customers'::regclass`;
    expect(customers?.isBehind).toBe(true);
  }, 60_000);

  it('refuses a row for another company', async () => {
    const written = seenBy(
      mine,
      () => web`insert into customers (company_id, no, name) values (${theirs}, 'C2', 'Intruso')`,
    );
    await expect(written).rejects.toMatchObject({ code: '42501' });
  });

  it('applies in transactions of both kinds, and ends with them', async () => {
    const names = () => owner`select no from customers order by no`;
    await seenBy(mine, () =>
      web.begin(
        (tx) => tx`insert into customers (company_id, no, name) values (${mine}, 'C9', '')`,
      ),
    );
    expect(await names()).toEqual([{ no: 'C1' }, { no: 'C9' }]);
    const seen = await seenBy(mine, () =>
      pipelined(web, async (tx, commit) => {
        const rows = await tx`select no from customers`;
        await commit([tx`delete from customers`.then(() => undefined)]);
        return rows;
      }),
    );
    expect(seen).toEqual([{ no: 'C9' }]);
    expect(await names()).toEqual([{ no: 'C1' }]);
  });

  it('limits the time for locks and statements, except for those who may read for as long as it takes', async () => {
    const limits = (tx: Tx) => tx<{ lock: string; statement: string }[]>`
      select current_setting('lock_timeout') as lock, current_setting('statement_timeout') as statement`;
    const bounded = [{ lock: '15s', statement: '1min' }];
    const unbounded = [{ lock: '0', statement: '0' }];
    expect(await seenBy(mine, async () => limits(web))).toEqual(bounded);
    expect(await seenBy(mine, () => web.begin(limits))).toEqual(bounded);
    expect(await seenBy(mine, () => readTogether(web, (tx) => [limits(tx)]))).toEqual([bounded]);
    const open = asking(mine);
    expect(await within(open.scope(), async () => limits(web))).toEqual(bounded);
    // Signing in or up, recovering a password, the notification of a payment: without a session.
    const nobody = { companyId: null, sid: null, address: '', userAgent: '' };
    expect(await within(nobody, async () => limits(web))).toEqual(bounded);
    expect(await within(nobody, () => web.begin(limits))).toEqual(bounded);
    expect(await within(nobody, () => readTogether(web, (tx) => [limits(tx)]))).toEqual([bounded]);
    expect(await within(nobody, () => lookingUp(async () => limits(web)))).toEqual(unbounded);
    const patient = await withRowSecurity(owner, { isPatient: true });
    expect(await seenBy(mine, async () => limits(patient))).toEqual(unbounded);
    expect(await limits(owner)).toEqual(unbounded);
  });

  it('returns what a request has read only once its session is accepted, and lets it write nothing until then', async () => {
    const ask = (tx: Tx) => [tx`select id from companies`.then((rows) => rows.length)] as const;
    const open = asking(mine);
    expect(await within(open.scope(), () => readTogether(web, ask))).toEqual([1]);
    expect(await within(open.scope(), async () => web`select id from companies`)).toHaveLength(1);
    const list = () => readTogether(web, ask, ['set local enable_sort = off']);
    expect(await within(open.scope(), list)).toEqual([1]);
    expect(open.lookedUp()).toBe(3);
    // Several times, as each must return its connection.
    const ended = asking(mine, { isOpen: false });
    for (let time = 0; time < 40; time++) {
      const reads: (() => Promise<unknown>)[] = [
        ...[list, () => readTogether(web, ask)],
        async () => web`select 1`,
      ];
      for (const read of reads) {
        await expect(within(ended.scope(), read)).rejects.toThrow('ended');
      }
    }
    expect([ended.lookedUp(), ended.accepted()]).toEqual([120, 0]);
    const write = (tx: Tx) => [tx`delete from customers`.then(() => undefined)] as const;
    for (const settings of [[], ['set local enable_sort = off']]) {
      const writing = within(open.scope(), () => readTogether(web, write, settings));
      await expect(writing).rejects.toMatchObject({ code: '25006' });
    }
    await expect(
      within(open.scope(), async () => web`delete from customers`),
    ).rejects.toMatchObject({ code: '25006' });
    await within(open.scope(), async () => {
      expect(() => web.begin(async (tx) => tx`select 1`)).toThrow('not been looked up');
      await expect(web`select 1 as one`.cursor(1, () => undefined)).rejects.toThrow('whole');
    });
  });

  it('lets a call write that may do so, and commits nothing for a session that has ended', async () => {
    const write = ({ scope }: Asking, name: string) =>
      within(scope(), () =>
        pipelined(web, async (tx, commit) => {
          await commit([tx`update companies set name = ${name} where id in (${mine}, ${theirs})`]);
        }),
      );
    const named = async () =>
      (await owner`select name from companies order by id`).map(({ name }) => name);
    const before = await named();
    await expect(write(asking(mine), 'A')).rejects.toMatchObject({ code: '25006' });
    await expect(write(asking(mine, { mayWrite: true, isOpen: false }), 'B')).rejects.toThrow(
      'ended',
    );
    expect(await named()).toEqual(before);
    await write(asking(mine, { mayWrite: true }), 'C');
    expect(await named()).toEqual(['C', before[1]]);
  });

  it('lets simultaneous queries of one session share a transaction, and no others', async () => {
    // Sessions with the same name, which never exist in reality: only the company separates them.
    const [own, other] = [asking(mine), asking(theirs)];
    const ended = asking(mine, { isOpen: false, name: 'ended' });
    const seen =
      () => web`select id, txid_current_snapshot()::text as moment, pg_backend_pid() as pid,
                                  now()::text as began from companies`;
    const [first, second, third, foreign, refused] = await Promise.allSettled([
      within(own.scope(), async () => seen()),
      within(own.scope(), () => readTogether(web, (tx) => [tx`select now()::text as began`])),
      within(own.scope(), async () => seen()),
      within(other.scope(), async () => seen()),
      within(ended.scope(), async () => seen()),
    ]);
    const rowsOf = (outcome: PromiseSettledResult<unknown>) =>
      outcome.status === 'fulfilled' ? (outcome.value as { id: number; began: string }[]) : [];
    const [{ began, id } = { began: '', id: 0 }] = rowsOf(first);
    expect(id).toBe(mine);
    expect(rowsOf(second)).toEqual([[{ began }]]);
    expect(rowsOf(third)).toMatchObject([{ id: mine, began }]);
    expect(rowsOf(foreign)).toMatchObject([{ id: theirs }]);
    expect(rowsOf(foreign)[0]?.began).not.toBe(began);
    expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'ended' } });
    expect([own.lookedUp(), own.accepted(), other.lookedUp(), other.accepted()]).toEqual([
      1, 3, 1, 1,
    ]);
    expect([ended.lookedUp(), ended.accepted()]).toEqual([1, 0]);
  });

  it('looks the session up again for a query that comes when the others are under way', async () => {
    const own = asking(mine);
    const read = () => within(own.scope(), async () => web`select pg_sleep(0.1)`);
    const early = read();
    await expect.poll(own.accepted, { interval: 1, timeout: 60_000 }).toBe(1);
    own.end();
    const late = read();
    expect((await Promise.allSettled([early, late])).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
    ]);
  });

  it('reports a failed query only to whoever made it, and answers the others correctly', async () => {
    const own = asking(mine);
    const count = (times: number) =>
      within(own.scope(), async () => web`select id, ${times}::int as times from companies`);
    for (let time = 0; time < 20; time++) {
      const [before, wrong, broken, ...behind] = await Promise.allSettled([
        count(1),
        within(own.scope(), async () => web`select 1 / 0`),
        within(own.scope(), () =>
          readTogether(web, () => {
            throw new Error('a mistake of ours');
          }),
        ),
        count(2),
        within(own.scope(), () => readTogether(web, (tx) => [tx`select id from companies`])),
      ]);
      expect(before).toMatchObject({ value: [{ id: mine, times: 1 }] });
      expect(wrong).toMatchObject({ reason: { code: '22012' } });
      expect(broken).toMatchObject({ reason: { message: 'a mistake of ours' } });
      expect(behind).toMatchObject([
        { value: [{ id: mine, times: 2 }] },
        { value: [[{ id: mine }]] },
      ]);
    }
  });

  it('fails all queries that shared a lost connection, and reads on another one', async () => {
    // More often than there are connections: all are returned.
    for (let time = 0; time < 20; time++) {
      const own = asking(mine);
      const read = (seconds: number) =>
        within(own.scope(), async () => web`select id, pg_sleep(${seconds}) from companies`);
      const [early, ...others] = [read(0), read(20), read(0), read(0)];
      const outcomes = Promise.allSettled(others);
      expect(await early).toMatchObject([{ id: mine }]);
      const cut = async () =>
        database.sql`
          select pg_terminate_backend(pid) from pg_stat_activity
           where usename = ${user} and wait_event = 'PgSleep'`;
      await expect.poll(cut, { interval: 5, timeout: 60_000 }).toHaveLength(1);
      const states = (await outcomes).map(({ status }) => status);
      expect(states).toEqual(['rejected', 'rejected', 'rejected']);
      expect(own.lookedUp()).toBe(1);
      expect(await read(0)).toMatchObject([{ id: mine }]);
    }
  });

  it('shares an answer only within the same session', async () => {
    const find = shared(
      async (tx, companyId) => tx`select ${companyId}::int as id, now()::text as began`,
    );
    const [own, ended] = [asking(mine), asking(mine, { isOpen: false, name: 'ended' })];
    const ask = ({ scope }: Asking) => within(scope(), () => find(web, mine));
    const [first, refused, second] = await Promise.allSettled([ask(own), ask(ended), ask(own)]);
    expect(refused).toMatchObject({ status: 'rejected', reason: { message: 'ended' } });
    expect(first).toMatchObject({ status: 'fulfilled' });
    expect(second).toEqual(first);
    expect([own.accepted(), ended.accepted()]).toEqual([2, 0]);
  });

  it('survives a failing statement, which returns its connection', async () => {
    for (let time = 0; time < 40; time++) {
      await expect(seenBy(mine, () => web`select 1 / 0`)).rejects.toThrow('division by zero');
    }
    expect(await seenBy(mine, () => web`select id from companies`)).toEqual([{ id: mine }]);
  });

  it('is lifted where code asks for it explicitly, and applies again afterwards', async () => {
    const [over, after] = await seenBy(mine, () =>
      web.begin(async (tx) => [
        await lookAcross(tx, async () => tx`select id from companies order by id`),
        await tx`select id from companies`,
      ]),
    );
    expect(over).toEqual([{ id: mine }, { id: theirs }]);
    expect(after).toEqual([{ id: mine }]);
  });

  it('refuses work that belongs to no request', () => {
    expect(() => web`select 1`).toThrow('outside of any request');
    expect(() => web.unsafe('select 1')).toThrow('round row-level security');
  });

  it('lets public calls and the workers see what they need', async () => {
    expect(await seenBy(null, () => web`select id from companies order by id`)).toHaveLength(2);
    expect(await owner`select id from companies`).toHaveLength(2);
  });

  if (mayMakeRoles) {
    it('shows the role nothing if no company is set', async () => {
      const rows = await owner.begin(async (tx) => {
        await tx.unsafe(`set local role ${user}_web`);
        return tx`select id from companies`;
      });
      expect(rows).toEqual([]);
    });
  }

  function seenBy<T>(companyId: number | null, run: () => PromiseLike<T>): Promise<T> {
    return within(scopeOf(companyId), async () => run());
  }
});

async function insertCompany(sql: Sql, nif: string): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into companies (nif, email, name, address, post_code, country_code, password_hash,
           subscription_type, subscription_ends_at, numero_instalacion, payment_terms, payment_method,
           customer_posting_group, terms_accepted_at)
    values (${nif}, ${`${nif}@ejemplo.es`}, '', '', '', 'ES', '', 'Demo', now(), ${nif}, '', '', '', now())
 returning id`;
  return row?.id ?? 0;
}
