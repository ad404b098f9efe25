import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { migrate, readMigrations } from '../../src/platform/migrate.ts';
import { lookAcross, walled, within } from '../../src/store/company-wall.ts';
import { pipelined, readTogether, type Sql, type Tx } from '../../src/store/sql.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Everybody's and nobody's: rows that say nothing of a company. */
const SHARED = ['app_settings', 'rate_limits', 'schema_migrations'];

const scopeOf = (companyId: number | null) => ({
  companyId,
  sid: null,
  address: '127.0.0.1',
  userAgent: '',
});

describe.each([
  { user: 'that may make a role', mayMakeRoles: true },
  { user: 'that may not', mayMakeRoles: false },
])('the wall between companies, with a user of the database $user', ({ mayMakeRoles }) => {
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
    web = await walled(owner);
  });
  afterAll(async () => {
    await owner.end();
    await database.sql.unsafe(`drop owned by ${user}`);
    if (mayMakeRoles) await database.sql.unsafe(`drop role if exists ${user}_web`);
    await database.sql.unsafe(`drop role ${user}`);
    await database.drop();
  });

  it('stands on every table that has a company', async () => {
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
    // A table without company_id has to be written down here, with a reason.
    expect(
      tables
        .filter((t) => !t.hasCompany)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(SHARED);
  });

  it('is put by migrating on tables that come later', async () => {
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

  it('shows and changes nothing of another company, in any table, whatever the query forgets', async () => {
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

  it('refuses a row put in another company', async () => {
    const written = seenBy(
      mine,
      () => web`insert into customers (company_id, no, name) values (${theirs}, 'C2', 'Intruso')`,
    );
    await expect(written).rejects.toMatchObject({ code: '42501' });
  });

  it('stands in transactions of both kinds, and ends with them', async () => {
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

  it('gives what a request that is not admitted yet reads only once it is, and lets it write nothing', async () => {
    let asked = 0;
    const asking = (isOpen: boolean) => ({
      ...scopeOf(mine),
      admit: async (tx: Tx) => {
        const rows = await tx`select id from companies`;
        asked += rows.length;
        if (!isOpen) throw new Error('ended');
      },
    });
    const ask = (tx: Tx) => [tx`select id from companies`.then((rows) => rows.length)] as const;
    expect(await within(asking(true), () => readTogether(web, ask))).toEqual([1]);
    // Several times: each gives its connection back.
    for (let time = 0; time < 40; time++) {
      await expect(within(asking(false), () => readTogether(web, ask))).rejects.toThrow('ended');
    }
    expect(asked).toBe(41);
    const write = (tx: Tx) => [tx`delete from customers`.then(() => undefined)] as const;
    await expect(within(asking(true), () => readTogether(web, write))).rejects.toMatchObject({
      code: '25006',
    });
    await within(asking(true), async () => {
      expect(() => web`select 1`).toThrow('not been looked up');
      expect(() => web.begin(async (tx) => tx`select 1`)).toThrow('not been looked up');
    });
  });

  it('is not left by a statement that fails, and gives its connection back', async () => {
    for (let time = 0; time < 40; time++) {
      await expect(seenBy(mine, () => web`select 1 / 0`)).rejects.toThrow('division by zero');
    }
    expect(await seenBy(mine, () => web`select id from companies`)).toEqual([{ id: mine }]);
  });

  it('lets look over it where it is asked by name, and stands again afterwards', async () => {
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
    expect(() => web.unsafe('select 1')).toThrow('round the wall');
  });

  it('lets public calls and the workers see what they need', async () => {
    expect(await seenBy(null, () => web`select id from companies order by id`)).toHaveLength(2);
    expect(await owner`select id from companies`).toHaveLength(2);
  });

  if (mayMakeRoles) {
    it('shows the role nothing when no company was said', async () => {
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
