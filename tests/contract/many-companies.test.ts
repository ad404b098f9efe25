import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { InvoiceDraft } from '../../src/contract/invoices.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { copyCompany } from '../support/many-companies.ts';
import { draftOf } from '../support/world.ts';
import { doChores, sendEverything } from './background-work.ts';
import { type CallStage, openCallStage } from './call-stage.ts';
import { makeEveryCall } from './calls.ts';

/**
 * In an installation with thousands of small companies and a large one, the calls and the background work read no more
 * than their answers need, however many companies there are. Measured in pages and rows, as counted by PostgreSQL.
 */

const SMALL = 3_000;
const LARGE = 8_000;
/**
 * Pages of 8 kB that a statement may read even if it returns little, beside the catalogue on the first use of a
 * connection (`pagesOfCatalogue`), and pages for each row that it returns, whose long texts are stored separately.
 */
const PAGES = 250;
const PAGES_A_ROW = 10;

/** A part of the sums by rate (`sumsByRate`) is one row, added up from as many invoices. */
const SUMMED = 1_000;
const sumsByRate = (text: string) => text.startsWith('with page as materialized');

/**
 * Tables that are read completely: sessions, every hour, which saves each call from writing to one more index
 * (`expiredAt`); and registros where a company verifies all of its own and they are most of the table, as here.
 */
const READ_THROUGH = ['sessions', 'registros'];

let database: TestDatabase;
let stage: CallStage;
beforeAll(async () => {
  database = await createTestDatabase();
  const { sql } = database;
  await sql`create extension pg_stat_statements`;
  stage = await openCallStage(database);
  await makeEveryCall(stage); // Some rows of everything.
  await makeLarge(stage.company.id);
  await copyCompany(sql, await openSmall(), SMALL);
  await sql`vacuum analyze`;
  // As for a statement that a connection has executed several times: planned for any company.
  await sql.unsafe(`alter database ${database.name} set plan_cache_mode = force_generic_plan`);
  await reconnect();
  await sql`
    select pg_stat_statements_reset(0, oid), pg_stat_reset()
      from pg_database where datname = current_database()`;

  // Refused because the first round has already given up what could be given up.
  expect(await makeEveryCall(stage)).toEqual([
    'POST /api/PostData/DejarFactura',
    'POST /api/PostData/DejarSinEfecto',
  ]);
  await registerAtOnce();
  await offerToRectify();
  await sendEverything(stage);
  await doChores(stage);
  for (const path of ['/salud', '/metricas']) {
    expect((await stage.world.app.inject(path)).statusCode).toBe(200);
  }
}, 600_000); // Most of a minute of work, beside that of other files.
afterAll(() => stage?.close() ?? database.drop());

it('reads no more pages than its answers need', async () => {
  const most = (await pagesOfCatalogue()) + PAGES;
  const statements = await database.sql<{ text: string; pages: number; rows: number }[]>`
    select regexp_replace(query, '[[:space:]]+', ' ', 'g') as text, max(rows / calls)::int as rows,
           max((shared_blks_hit + shared_blks_read) / calls)::int as pages
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid and d.datname = current_database()
     where calls > 0 and query !~ '^(vacuum|select pg_)' group by 1`;
  expect(statements.length).toBeGreaterThan(200);
  const tooMany = statements.filter(({ text, pages, rows }) => {
    const read = sumsByRate(text) ? SUMMED : rows;
    return pages > most + PAGES_A_ROW * read;
  });
  expect(tooMany).toEqual([]);
});

it('never reads a table completely that has a row for each company', async () => {
  await reconnect(); // A connection's reads are counted when it ends.
  const tables = await database.sql<{ name: string; read: number }[]>`
    select s.relname as name, s.seq_tup_read::int as read
      from pg_stat_user_tables s
      join pg_class c on c.oid = s.relid and c.reltuples >= ${SMALL}
     where s.seq_tup_read >= ${SMALL} and s.relname <> all(${READ_THROUGH})`;
  expect(tables).toEqual([]);
});

/**
 * What a connection reads of the catalogue when registros are copied out for the first time. Planning this counts as
 * reading, and grows with each index.
 */
async function pagesOfCatalogue(): Promise<number> {
  const fresh = openDatabase({ url: `${database.url}?max=1` });
  const nothing = await fresh`
    copy (select seq, xml from registros where company_id = 0 and seq > 0 order by seq limit 1) to stdout`.readable();
  await once(nothing.resume(), 'end');
  await fresh.end();
  const [asked] = await database.sql<{ pages: number }[]>`
    select (shared_blks_hit + shared_blks_read)::int as pages
      from pg_stat_statements s
      join pg_database d on d.oid = s.dbid and d.datname = current_database()
     where query like '%copy (select seq, xml from registros where company_id = 0 %' and query not like '%pg_stat%'`;
  if (!asked) throw new Error('It is not counted.');
  return asked.pages;
}

/** A company with invoices accepted by the AEAT, a draft and a product, and no pending work. */
async function openSmall(): Promise<number> {
  const small = await stage.world.signUp('A08001851', 'Una de Muchas, S.L.');
  await stage.accepted(small);
  await stage.accepted(small);
  await stage.newDraft(small);
  await stage.newProduct(small);
  await sendEverything(stage);
  await doChores(stage);
  return small.id;
}

async function makeLarge(companyId: number): Promise<void> {
  const { sql, deps } = stage.world;
  await sql`update companies set subscription_type = 'annual' where id = ${companyId}`;
  const draft = InvoiceDraft.parse(draftOf(stage.company.customerNo, deps.clock()));
  for (let made = 0; made < LARGE; made += 500) {
    const requests = Array.from({ length: 500 }, () => ({ draft, sendsToCustomer: false }));
    const outcomes = await registerInvoices(deps, companyId, requests);
    expect(outcomes.every(({ kind }) => kind !== 'refused')).toBe(true);
  }
  await sendEverything(stage);
}

/** Drafts of the large company and new invoices of the other, in simultaneous requests that share their commits. */
async function registerAtOnce(): Promise<void> {
  const { company, stranger } = stage;
  const drafts = await Promise.all(Array.from({ length: 3 }, () => stage.newDraft()));
  const answers = await Promise.all([
    ...drafts.map((draftNo) => company.register({ draftNo })),
    ...drafts.map(() => stranger.register()),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
}

/** What «Rectificar» and «F3» offer when they are opened and while the user types. */
async function offerToRectify(): Promise<void> {
  const only = ['canjeables=true', 'completas=true', 'completas=true&search=1'];
  for (const query of ['search=', 'search=1', ...only, 'numeros=00001/26']) {
    const answer = await stage.company.call('GET', `/api/GetData/GetFacturasEmitidas?${query}`);
    expect(answer.status).toBe(200);
  }
}

/** Every connection to the database starts anew. */
async function reconnect(): Promise<void> {
  const other = openDatabase({ url: `${database.url}?max=1` });
  await other`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid()`;
  await other.end();
  // The pool notices each lost connection when it is used.
  for (let lost = 0; lost < 30; lost++) await database.sql`select 1`.catch(() => undefined);
}
