import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openZip } from '../../src/cli/zip-reader.ts';
import {
  type ConexionAEAT,
  InvoiceDraft,
  type InvoicePage,
  type InvoiceRow,
  type MasUsados,
  type Resumen,
} from '../../src/contract/invoices.ts';
import type { Dispatcher } from '../../src/dispatch/loop.ts';
import { addDays, addYears, isoDateIn } from '../../src/domain/dates.ts';
import { docKey, nameKey, searchNeedle } from '../../src/domain/list-text.ts';
import { daysOfList } from '../../src/operations/invoice-ranges.ts';
import { registerInvoices } from '../../src/operations/register-invoices.ts';
import { saveDraft } from '../../src/operations/save-draft.ts';
import { openBeside } from '../../src/platform/database.ts';
import { countMoves, cutBands, cutBlocks } from '../../src/store/blocks.ts';
import { lockDespacho } from '../../src/store/despachos.ts';
import { type InvoiceList, listInvoices } from '../../src/store/invoice-lists.ts';
import type { Tx } from '../../src/store/sql.ts';
import { randomDni } from '../support/random-nif.ts';
import { recountFigures } from '../support/recount-figures.ts';
import {
  draftOf,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

/** The files of a ZIP in memory. */
async function unzip(bytes: Buffer): Promise<{ name: string; content: Buffer }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'huella-zip-'));
  try {
    await writeFile(join(folder, 'facturas.zip'), bytes);
    const zip = await openZip(join(folder, 'facturas.zip'));
    const files = [];
    for (const file of zip.files) files.push({ name: file.name, content: await zip.read(file) });
    await zip.close();
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
}

let world: World;
let company: TestCompany;
let dispatcher: Dispatcher;

beforeAll(async () => {
  world = await openWorld();
  company = await world.signUp(randomDni());
  await world.sql`update companies set subscription_type = 'annual' where id = ${company.id}`;
  dispatcher = world.startDispatcher();
});
afterAll(async () => {
  await dispatcher?.stop(0);
  await world?.close();
});

const get = async <T>(path: string) =>
  expectOk(await company.call<T>('GET', `/api/GetData/${path}`));
const conexion = () => get<ConexionAEAT>('GetConexionAEAT');
const untilAnswered = () => untilTrue(conexion, ({ enEspera }) => enEspera === 0);
const page = (query: string) => get<InvoicePage>(`GetInvoices?page=1&${query}`);

async function register(count: number, priceOf = (i: number) => `${100 + i},00`) {
  const now = world.deps.clock();
  const requests = Array.from({ length: count }, (_, i) => ({
    draft: InvoiceDraft.parse({
      ...draftOf(company.customerNo, now),
      invoiceItems: [
        { description: 'Servicio', quantity: '1', price: priceOf(i), tax: 'IVA21', linetype: 0 },
      ],
    }),
    sendsToCustomer: false,
  }));
  for (let at = 0; at < count; at += 100) {
    const outcomes = await registerInvoices(world.deps, company.id, requests.slice(at, at + 100));
    for (const outcome of outcomes) if (outcome.kind === 'refused') throw outcome.error;
  }
}

/** The running figures, compared with a complete recount. */
async function figures(sql: Tx) {
  const [row] = await sql<{ months: unknown; blocks: unknown }[]>`
    select (select jsonb_agg(to_jsonb(m) order by month) from invoice_months m
             where company_id = ${company.id} and invoices <> 0) as months,
           (select jsonb_object_agg(sort, n) from (
              select sort, sum(invoices) as n from invoice_blocks
               where company_id = ${company.id} group by sort) as b) as blocks`;
  return row;
}

/** The keys of an invoice `i` in each order. */
const keysOf = (tx: Tx) => tx`(values
  ('PostingDate', i.posting_date, 0::numeric, '' collate "C"),
  ('DocNo', '-infinity'::date, 0, i.doc_key), ('Name', '-infinity', 0, i.name_key),
  ('Amount', '-infinity', i.base, ''), ('VatAmount', '-infinity', i.vat, ''),
  ('AmountIncludingVat', '-infinity', i.total, '')) as k (sort, d, n, t)`;

/** Checks that every block holds as many as it says. */
async function misplaced(sql: Tx = world.sql) {
  const [row] = await sql<{ wrong: number }[]>`
    with placed as (
      select b.sort, b.from_date, b.from_number, b.from_text, b.from_id, b.invoices,
             lead(row(b.from_date, b.from_number, b.from_text, b.from_id)) over w as next
        from invoice_blocks b where b.company_id = ${company.id}
      window w as (partition by b.sort order by b.from_date, b.from_number, b.from_text, b.from_id))
    select count(*)::int as wrong from placed p
     where p.invoices <> (
       select count(*) from invoices i
        cross join lateral ${keysOf(sql)}
        where i.company_id = ${company.id} and i.status in ('Registrada', 'Anulada')
          and k.sort = p.sort
          and row(k.d, k.n, k.t, i.id) >= row(p.from_date, p.from_number, p.from_text, p.from_id)
          and (p.next is null or row(k.d, k.n, k.t, i.id) < p.next))`;
  return row?.wrong;
}

/** Days and months of bands that count other invoices than those between one band and the next, in every order. */
async function misdated() {
  const [row] = await world.sql<{ wrong: number }[]>`
    with bands as (
      select distinct on (sort, band) sort, band, row(from_number, from_text, from_id) as start
        from invoice_blocks where company_id = ${company.id} and band > 0
       order by sort, band, from_number, from_text, from_id),
    spans as (select *, lead(start) over (partition by sort order by start) as next from bands),
    dated as (
      select s.sort, s.band, d.of_month, d.day, count(*) as n
        from invoices i
       cross join lateral (values
         ('DocNo', 0::numeric, i.doc_key), ('Name', 0, i.name_key),
         ('Amount', i.base, ''), ('VatAmount', i.vat, ''),
         ('AmountIncludingVat', i.total, '')) as k (sort, n, t)
        join spans s on s.sort = k.sort and row(k.n, k.t, i.id) >= s.start
                    and (s.next is null or row(k.n, k.t, i.id) < s.next)
       cross join lateral (values
         (false, i.posting_date), (true, date_trunc('month', i.posting_date)::date)) as d (of_month, day)
       where i.company_id = ${company.id} and i.status in ('Registrada', 'Anulada')
       group by 1, 2, 3, 4)
    select count(*)::int as wrong
      from dated d
      full join (select sort, band, of_month, day, invoices from invoice_band_days
                  where company_id = ${company.id} and invoices <> 0) as b using (sort, band, of_month, day)
     where d.n is distinct from b.invoices`;
  return row?.wrong;
}

/** As if a fifth of the invoices were already too many for a block. */
async function cutInFive() {
  await world.sql.begin(async (tx) => {
    await tx`delete from invoice_blocks where company_id = ${company.id}`;
    await tx`
      insert into invoice_blocks (company_id, sort, from_date, from_number, from_text, from_id, invoices)
      select ${company.id}::int, sort, case when fifth = 1 then '-infinity' else d end,
             case when fifth = 1 then '-Infinity' else n end, case when fifth = 1 then '' else t end,
             case when fifth = 1 then 0 else id end, invoices
        from (select distinct on (sort, fifth) *, count(*) over (partition by sort, fifth) as invoices
                from (select k.*, i.id, ntile(5) over w as fifth, row_number() over w as place
                        from invoices i
                       cross join lateral ${keysOf(tx)}
                       where i.company_id = ${company.id} and i.status in ('Registrada', 'Anulada')
                      window w as (partition by k.sort order by k.d, k.n, k.t, i.id)) as placed
               order by sort, fifth, place) as starts`;
  });
}

/** Compares the running figures with a recount at one moment: whoever moves invoices needs the lock taken here. */
async function expectFiguresTrue() {
  await world.sql.begin(async (tx) => {
    await lockDespacho(tx, company.id);
    const running = await figures(tx);
    expect(await misplaced(tx)).toBe(0);
    await recountFigures(tx, company.id);
    expect(running).toEqual(await figures(tx));
  });
}

describe('running figures', () => {
  it('equal a complete recount, after several registered at once', async () => {
    await Promise.all([register(60), register(40, (i) => `${100 + i},55`), company.register()]);
    await untilAnswered();
    await expectFiguresTrue();
    expect((await page('')).total).toBe(101);
    expect((await get<Resumen>('GetResumen')).mes.facturas).toBe(101);
  });

  it('still do after a rejection, its correction and an annulment', async () => {
    await world.behave({ rechazar: { [company.nif]: 1239 } });
    const { DocNo } = expectOk(await company.register());
    await untilTrue(conexion, ({ teNecesitan }) => teNecesitan === 1);
    await expectFiguresTrue();

    await world.behave({ rechazar: { [company.nif]: 0 } });
    const corrected = await company.call('POST', '/api/PostData/SetFacturas', {
      ...draftOf(company.customerNo, world.deps.clock()),
      invoiceItems: [
        { description: 'Otra', quantity: '2', price: '70,10', tax: 'IVA10', linetype: 0 },
      ],
      draftNo: DocNo,
      accionFactura: 1,
    });
    expectOk(corrected);
    await expectFiguresTrue();
    await untilAnswered();
    await expectFiguresTrue();

    const before = await get<Resumen>('GetResumen');
    expectOk(await company.call('POST', '/api/PostData/AnularFactura', { No: DocNo, motivo: 'x' }));
    await expectFiguresTrue();
    await untilAnswered();
    await expectFiguresTrue();
    expect((await page('')).total).toBe(102);
    const after = await get<Resumen>('GetResumen');
    expect(after.mes.facturas).toBe(before.mes.facturas - 1);
    expect(after.mes.base).toBeCloseTo(before.mes.base - 140.2, 2);
  });

  it('count each invoice in its own block, whether there is one block or several', async () => {
    await world.sql.begin((tx) => recountFigures(tx, company.id));
    await cutInFive();
    await world.sql.begin((tx) => cutBands(tx, company.id, 50));
    const all = await world.sql<{ id: bigint; seq: bigint }[]>`
      select id, seq from invoices
       where company_id = ${company.id} and status = 'Registrada' order by id`;
    const everyNth = (n: number) => all.filter((_, i) => i % n === 0);
    const some = [
      all,
      // In the order of numbers, twenty are of one block, and thirty of one band; not in that of amounts.
      all.slice(0, 20),
      all.slice(0, 30),
      all.slice(-3),
      all.slice(0, 1),
      everyNth(4),
      everyNth(7),
      [],
    ];
    const ways = [true, false].flatMap((inOne) => some.map((moving) => ({ moving, inOne })));
    for (const { moving, inOne } of ways) {
      for (const status of ['En espera', 'Registrada'] as const) {
        await world.sql.begin(async (tx) => {
          await countMoves(
            tx,
            company.id,
            moving.map(({ id, seq }) => ({ invoiceId: id, seq, status })),
            { inOne },
          );
          await tx`
            update invoices set status = ${status}
             where company_id = ${company.id} and id = any(${moving.map(({ id }) => String(id))}::bigint[])`;
        });
        expect([await misplaced(), await misdated()]).toEqual([0, 0]);
      }
    }
    const [blocks] = await world.sql`
      select count(*)::int as count, count(distinct (sort, band)) filter (where band > 0)::int as bands,
             bool_and(counted = invoices or sort = 'PostingDate') as "isCounted"
        from invoice_blocks where company_id = ${company.id}`;
    expect(blocks).toEqual({ count: 30, bands: 20, isCounted: true });
    // Bands that grew too big are split, and those of a version without bands are created again.
    await world.sql`delete from invoice_band_days where company_id = ${company.id} and sort = 'Name'`;
    await world.sql`update invoice_blocks set band = 7 where company_id = ${company.id} and sort = 'Name'`;
    await world.sql`
      update invoice_blocks set counted = 0 where company_id = ${company.id} and sort = 'Amount' and band = 2`;
    await world.sql.begin((tx) => cutBands(tx, company.id, 50));
    expect(await misdated()).toBe(0);
    expect(
      await world.sql`
        select count(distinct band)::int as bands, bool_and(counted = invoices) as "isCounted"
          from invoice_blocks where company_id = ${company.id} and sort in ('Name', 'Amount') group by sort`,
    ).toEqual([
      { bands: 4, isCounted: true },
      { bands: 4, isCounted: true },
    ]);
  });
});

describe('the most used', () => {
  it('are those named most often in the newest invoices, including drafts', async () => {
    const owner = await world.signUp(randomDni());
    const used = async () =>
      expectOk(await owner.call<MasUsados>('GET', '/api/GetData/GetMasUsados'));
    expect(await used()).toEqual({ clientes: [], productos: [] });
    const save = async (call: string, Name: string) =>
      expectOk(await owner.call<{ No: string }>('POST', `/api/PostData/${call}`, { Name })).No;
    const [ana, bea] = [await save('SetClientes', 'Ana'), await save('SetClientes', 'Bea')];
    const [pan, sal] = [await save('SetProductos', 'Pan'), await save('SetProductos', 'Sal')];
    const draft = async (customer: string, ...products: string[]) => {
      const sample = draftOf(customer, world.deps.clock());
      const line = { description: 'Pan', quantity: '1', price: '1,00', tax: 'IVA21' };
      const invoiceItems = products.map((productNo) => ({ ...line, productNo, linetype: 1 }));
      const content = { ...sample, invoiceItems, accionFactura: 0 };
      expectOk(await owner.call('POST', '/api/PostData/SetFacturas', content));
    };
    await draft(ana, pan, pan);
    await draft(bea, sal);
    // If two are named equally often, the later one.
    expect(await used()).toEqual({ clientes: [bea, ana], productos: [sal, pan] });
    await draft(ana, pan);
    expect(await used()).toEqual({ clientes: [ana, bea], productos: [pan, sal] });
  });
});

describe('the pending invoices by what is wrong with them', () => {
  const asked = async (sort: string) =>
    (await get<InvoicePage>(`GetPendingInvoices?page=1&sort=${sort}`)).rows.map(
      ({ ErrorMessage = '' }) => ErrorMessage,
    );

  it('are in alphabetical order of that text, those without any last in both directions', async () => {
    const draft = InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock()));
    for (const said of ['Zeta', '', 'Alfa']) {
      const { DocNo } = await saveDraft(world.deps, company.id, { draft });
      if (said === '') continue;
      await world.sql`
        update invoices set error_message = ${said}
         where company_id = ${company.id} and doc_no = ${DocNo}`;
    }
    expect(await asked('ErrorMessage')).toEqual(['Alfa', 'Zeta', '']);
    expect(await asked('-ErrorMessage')).toEqual(['Zeta', 'Alfa', '']);
    await world.sql`delete from invoices where company_id = ${company.id} and status = 'Borrador'`;
  });

  it('are the only ones with such a text', async () => {
    const { status } = await company.call(
      'GET',
      '/api/GetData/GetInvoices?page=1&sort=ErrorMessage',
    );
    expect(status).toBe(400);
  });
});

describe('DescargarFacturas', () => {
  const download = (Nos: readonly string[], token = company.token) =>
    world.app.inject({
      method: 'POST',
      url: '/api/PostData/DescargarFacturas',
      headers: { authorization: `Bearer ${token}` },
      payload: { Nos },
    });

  it('returns a PDF of each, under names that any system accepts', async () => {
    const { rows } = await page('sort=DocNo');
    const numbers = rows.slice(0, 3).map(({ DocNo }) => DocNo);
    const answer = await download([...numbers, numbers[0] ?? '']);
    expect(answer.headers['content-type']).toBe('application/zip');
    const files = await unzip(answer.rawPayload);
    expect(files.map(({ name }) => name)).toEqual(numbers.map((n) => `${n.replace('/', '-')}.pdf`));
    for (const { content } of files) expect(content.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it.each([['../../etc/passwd'], ["' or 1=1 --"], ['no existe']])(
    'answers 404 to «%s»',
    async (No) => {
      expect((await download([No])).statusCode).toBe(404);
    },
  );

  it('answers 404 to the numbers of another company', async () => {
    const stranger = await world.signUp(randomDni());
    const { rows } = await page('');
    expect((await download([rows[0]?.DocNo ?? ''], stranger.token)).statusCode).toBe(404);
  });
});

describe('what the panel requests each time it opens', () => {
  const read = (path: string, headers: Record<string, string> = {}) =>
    world.app.inject({
      method: 'GET',
      url: `/api/GetData/${path}`,
      headers: { authorization: `Bearer ${company.token}`, ...headers },
    });

  it('is not sent again while unchanged, and personal data are never stored by caches', async () => {
    const first = await read('GetTemplateExcel');
    const etag = String(first.headers.etag);
    expect(first.headers['cache-control']).toBe('private, no-cache');
    const again = await read('GetTemplateExcel', { 'if-none-match': etag });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect((await read('GetTemplateExcel', { 'if-none-match': 'W/"x"' })).body).toBe(first.body);
    const { headers } = await read('GetClientes');
    expect(headers['cache-control']).toBe('no-store');
  });

  it.each(['GetTemplateExcel', 'GetClientes', 'GetNovedades'])(
    '%s is not either if its tag is one of several, or any is',
    async (path) => {
      const etag = String((await read(path)).headers.etag);
      // RFC 9110 §13.1.2, also compared weakly.
      for (const known of ['*', `"x", ${etag},"y"`, etag.replace('W/', '')]) {
        const { statusCode, headers } = await read(path, { 'if-none-match': known });
        expect([known, statusCode, headers.etag]).toEqual([known, 304, etag]);
      }
      expect((await read(path, { 'if-none-match': '"x", "y"' })).statusCode).toBe(200);
    },
  );

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('is sent compressed as %s, compressed once or for each request', async (way, unpack) => {
    for (const path of ['GetTemplateExcel', 'GetGrupoIVA', 'GetPaises']) {
      const { body } = await read(path);
      const general = `${way};q=0.5`; // Left to `@fastify/compress`.
      for (const accepted of [`${way}, identity`, way, general]) {
        const { headers, rawPayload } = await read(path, { 'accept-encoding': accepted });
        expect(headers['content-encoding']).toBe(way);
        expect(headers.vary).toContain('accept-encoding');
        // Compressed once, its length is known. The general one knows it for what it compresses in one go, which is
        // more the fewer processors there are.
        if (accepted !== general) {
          expect(Number(headers['content-length'])).toBe(rawPayload.length);
        }
        expect(unpack(rawPayload).toString()).toBe(body);
      }
    }
  });
});

/** Seconds until the next twentieth of November. */
function secondsToNovember(now: Date): number {
  const [thisOne = 0, nextOne = 0] = [0, 1].map((years) =>
    Date.UTC(now.getUTCFullYear() + years, 10, 20, 12),
  );
  const there = thisOne > now.getTime() ? thisOne : nextOne;
  return Math.round((there - now.getTime()) / 1000);
}

describe('a long history', () => {
  const TOTAL = 9000;
  let other: TestCompany;
  let today: string;

  beforeAll(async () => {
    // In January the newest invoices would be of the year that is searched for among the others.
    world.advanceClock(secondsToNovember(world.deps.clock()));
    other = await world.signUp(randomDni());
    today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
    // As if they had been registered over two years: only how they are read is tested.
    await world.sql`
      insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_nif,
             customer_name, base, vat, total, registered_at)
      select ${other.id}, lpad(n::text, 5, '0') || '/26', 'Registrada', 'F1',
             ${today}::date - (n * 7919 % 700), 'A58818501',
             (array['Ñandú, S.A.', 'Álvarez e Hijos', 'nube', 'Zócalo, S.L.'])[1 + n * 31 % 4],
             (n * 37 % 500) + 0.5, 1, (n * 37 % 500) + 1.5, now()
        from generate_series(1, ${TOTAL}) as n`;
    const rows = await world.sql<{ id: bigint; doc_no: string; customer_name: string }[]>`
      select id, doc_no, customer_name from invoices where company_id = ${other.id}`;
    await world.sql`
      update invoices i set doc_key = t.doc, name_key = t.name,
             search_text = lower(i.doc_no || ' ' || i.posting_date || ' ' || t.name || ' '
               || replace(i.total::text, '.', ','))
        from unnest(${rows.map(({ id }) => String(id))}::bigint[],
                    ${rows.map((r) => docKey(r.doc_no))}::text[],
                    ${rows.map((r) => nameKey(r.customer_name))}::text[]) as t (id, doc, name)
       where i.company_id = ${other.id} and i.id = t.id`;
    await world.sql.begin((tx) => recountFigures(tx, other.id));
    await world.sql`analyze invoices`; // As PostgreSQL does automatically, later.
  });

  const read = async (query: string) =>
    expectOk(await other.call<InvoicePage>('GET', `/api/GetData/GetInvoices?${query}`));

  /** The whole list in the order of the database, without blocks. */
  async function expected(
    column: string,
    sign: 'asc' | 'desc',
    since = '-infinity',
    until = 'infinity',
  ) {
    const rows = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices
       where company_id = ${other.id} and posting_date >= ${since} and posting_date <= ${until}
       order by ${world.sql(column)} ${world.sql.unsafe(sign)}, id ${world.sql.unsafe(sign)}`;
    return rows.map((row) => row.doc_no);
  }

  it.each([
    ['PostingDate', 'posting_date'],
    ['DocNo', 'doc_key'],
    ['Name', 'name_key'],
    ['Amount', 'base'],
    ['VatAmount', 'vat'],
    ['AmountIncludingVat', 'total'],
  ])(
    'returns the first, the middle and the last page by %s, in both directions',
    async (sort, column) => {
      const [blocks] = await world.sql<{ count: number }[]>`
      select count(*)::int as count from invoice_blocks
       where company_id = ${other.id} and sort = ${sort}`;
      expect(blocks?.count).toBeGreaterThan(3);
      for (const sign of ['asc', 'desc'] as const) {
        const all = await expected(column, sign);
        for (const at of [1, 2, 563, 1125, 1126]) {
          const { rows, total } = await read(
            `page=${at}&sort=${sign === 'desc' ? '-' : ''}${sort}`,
          );
          expect(total).toBe(TOTAL);
          expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice((at - 1) * 8, at * 8));
        }
      }
    },
  );

  /** Checks the first, middle and last pages of last year in that order, in both directions. */
  async function expectRange(sort: string, column: string) {
    for (const sign of ['asc', 'desc'] as const) {
      const all = await expected(column, sign, addYears(today, -1));
      const last = Math.ceil(all.length / 8);
      for (const at of [1, 290, 300, last]) {
        const { rows, total } = await read(
          `page=${at}&range=year&sort=${sign === 'desc' ? '-' : ''}${sort}`,
        );
        expect(total).toBe(all.length);
        expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice((at - 1) * 8, at * 8));
      }
    }
  }

  it.each([
    ['PostingDate', 'posting_date'],
    ['Amount', 'base'],
    ['Name', 'name_key'],
  ])('returns the pages of a range by %s, walking to them', expectRange);

  /** Checks pages between two days long ago in that order, in both directions. */
  async function expectPeriod(sort: string, column: string) {
    const [ends] = await world.sql<{ since: string; until: string }[]>`
      select percentile_disc(0.2) within group (order by posting_date)::text as since,
             percentile_disc(0.8) within group (order by posting_date)::text as until
        from invoices where company_id = ${other.id}`;
    const { since, until } = ends ?? { since: '', until: '' };
    for (const sign of ['asc', 'desc'] as const) {
      for (const [from, query] of [
        [since, `desde=${since}&hasta=${until}`],
        ['-infinity', `hasta=${until}`],
      ] as const) {
        const all = await expected(column, sign, from, until);
        expect(all.length).toBeGreaterThan(4_000); // No more than these are sorted at once.
        const last = Math.ceil(all.length / 8);
        for (const at of [1, Math.floor(last / 2), last, last + 1]) {
          const order = `${sign === 'desc' ? '-' : ''}${sort}`;
          const { rows, total } = await read(`page=${at}&${query}&sort=${order}`);
          expect(total).toBe(all.length);
          expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice((at - 1) * 8, at * 8));
        }
      }
    }
  }

  it.each([
    ['PostingDate', 'posting_date'],
    ['DocNo', 'doc_key'],
    ['Amount', 'base'],
    ['Status', 'status'],
  ])('returns the pages between two days by %s', expectPeriod);

  it('searches between two days, and finds nothing if they are the wrong way round', async () => {
    const until = addYears(today, -1);
    const { rows, total } = await read(`page=1&pageSize=200&hasta=${until}&search=00`);
    expect(total).toBeGreaterThan(0);
    expect(rows.filter(({ PostingDate }) => PostingDate > until)).toEqual([]);
    for (const search of ['00', '0012', '/03/', '01/', 'registrada', '21,', 'nadie']) {
      for (const sort of ['-PostingDate', 'PostingDate', 'Amount']) {
        const found = await read(
          `page=2&pageSize=10&hasta=${until}&search=${encodeURIComponent(search)}&sort=${sort}`,
        );
        const like = `%${searchNeedle(search)}%`;
        const column = sort === 'Amount' ? 'base' : 'posting_date';
        const way = world.sql.unsafe(sort.startsWith('-') ? 'desc' : 'asc');
        const expected = await world.sql<{ doc_no: string }[]>`
          select doc_no from invoices
           where company_id = ${other.id} and status in ('Registrada', 'Anulada') and posting_date <= ${until}
             and (search_text like ${like} or lower(status) like ${like})
           order by ${world.sql(column)} ${way}, id ${way} limit 10 offset 10`;
        expect(
          found.rows.map(({ DocNo }) => DocNo),
          `${search} ${sort}`,
        ).toEqual(expected.map(({ doc_no }) => doc_no));
      }
    }
    const none = await read(`page=1&desde=${today}&hasta=${until}`);
    expect(none).toMatchObject({ rows: [], total: 0 });
  });

  describe('with the days counted in bands', () => {
    beforeAll(() => world.sql.begin((tx) => cutBands(tx, other.id, 4500)));

    it.each([
      ['DocNo', 'doc_key'],
      ['Name', 'name_key'],
      ['Amount', 'base'],
      ['VatAmount', 'vat'],
      ['AmountIncludingVat', 'total'],
    ])('returns the pages of a range by %s', expectRange);

    it('relies on those counts, except where a version without them has counted', async () => {
      const middle = async () =>
        (await read('page=290&range=year&sort=DocNo')).rows.map(({ DocNo }) => DocNo);
      const before = await middle();
      await world.sql`delete from invoice_band_days where company_id = ${other.id} and sort = 'DocNo'`;
      expect(await middle()).toEqual([]);
      await world.sql`
        update invoice_blocks set counted = counted - 1 where company_id = ${other.id} and sort = 'DocNo'`;
      expect(await middle()).toEqual(before);
    });
  });

  it('plans each statement once for each connection, whatever the page', async () => {
    const alone = openBeside(world.sql);
    const everything = { search: '', range: 'all', since: null, until: null } as const;
    const query = { pageSize: 8, sort: '-Amount', ...everything };
    for (const page of [1, 2, 300, 301]) {
      const { rows } = await listInvoices(alone, other.id, 'history', { ...query, page });
      expect(rows).toHaveLength(8);
    }
    const plans = await alone`
      select generic_plans::int as once, custom_plans::int as anew from pg_prepared_statements
       where statement ~ '^\\s*with .*invoice_blocks'`;
    expect(plans).toEqual([
      { once: 2, anew: 0 },
      { once: 2, anew: 0 },
    ]);
    await alone.end();
  });

  it('finds a rare text with its exact count, and says of a frequent one that there are more', async () => {
    const rare = await read('page=1&search=04321/26');
    expect(rare.rows.map(({ DocNo }) => DocNo)).toEqual(['04321/26']);
    expect(rare).toMatchObject({ total: 1 });
    expect(rare.totalAlMenos).toBeUndefined();
    const often = await read('page=1&search=ZOCALO&sort=DocNo');
    expect(new Set(often.rows.map(({ Name }) => Name))).toEqual(new Set(['Zócalo, S.L.']));
    expect(often).toMatchObject({ total: 1000, totalAlMenos: true });
    expect(await read('page=1&search=nada de esto')).toMatchObject({ total: 0, rows: [] });
  });

  it('finds what none of the newest invoices contains, in the order of the list and up to its last page', async () => {
    // All days of the year before last: thousands, of which the newest invoices give no hint.
    const [days] = await world.sql<{ year: string; count: number }[]>`
      select year, count from (
        select left(posting_date::text, 4) as year, count(*)::int as count from invoices
         where company_id = ${other.id} group by 1) as years
       where year < ${today.slice(0, 4)} order by count desc limit 1`;
    const { year = '', count = 0 } = days ?? {};
    const all = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices where company_id = ${other.id} and posting_date::text like ${`${year}-%`}
       order by base, id`;
    for (const at of [1, Math.ceil(count / 8)]) {
      const { rows, total, totalAlMenos } = await read(`page=${at}&sort=Amount&search=${year}-`);
      expect([total, totalAlMenos]).toEqual([count, undefined]);
      expect(rows.map(({ DocNo }) => DocNo)).toEqual(
        all.map((row) => row.doc_no).slice((at - 1) * 8, at * 8),
      );
    }
  });

  /** Adds a word to some of the newest and oldest invoices. @returns their numbers, ordered by amount */
  async function mark(word: string, { newest, oldest }: { newest: number; oldest: number }) {
    await world.sql`
      update invoices set search_text = search_text || ${` ${word}`}
       where id in (
         (select id from invoices where company_id = ${other.id} order by posting_date desc, id desc limit ${newest})
          union all
         (select id from invoices where company_id = ${other.id} order by posting_date, id limit ${oldest}))`;
    const marked = await world.sql<{ doc_no: string }[]>`
      select doc_no from invoices where company_id = ${other.id} and search_text like ${`%${word}`} order by base, id`;
    return marked.map(({ doc_no }) => doc_no);
  }

  it('stops counting what a few of the newest and thousands of the others contain', async () => {
    const all = await mark('marcada', { newest: 9, oldest: 4500 });
    for (const at of [1, 560]) {
      const page = await read(`page=${at}&sort=Amount&search=marcada`);
      expect(page).toMatchObject({ total: 4000, totalAlMenos: true });
      expect(page.rows.map(({ DocNo }) => DocNo)).toEqual(all.slice((at - 1) * 8, at * 8));
    }
  });

  it('finds a text that a round of invoices to one client has made frequent among the newest', async () => {
    // A tenth of the newest 400, and only three of the others: the index finds and counts them.
    const all = await mark('ronda', { newest: 40, oldest: 3 });
    const page = await read('page=6&sort=Amount&search=ronda');
    expect([page.total, page.totalAlMenos]).toEqual([43, undefined]);
    expect(page.rows.map(({ DocNo }) => DocNo)).toEqual(all.slice(40));
  });

  it('also stops counting a text that is too short for the index', async () => {
    const all = await mark('§', { newest: 0, oldest: 1500 });
    for (const at of [1, 150]) {
      const page = await read(`page=${at}&sort=Amount&search=${encodeURIComponent('§')}`);
      expect(page).toMatchObject({ total: 1000, totalAlMenos: true });
      expect(page.rows.map(({ DocNo }) => DocNo)).toEqual(all.slice((at - 1) * 8, at * 8));
    }
    await world.sql`
      update invoices set search_text = replace(search_text, ' §', '') where company_id = ${other.id}`;
  });

  it('finds parts of amounts and dates, and texts too short for the index', async () => {
    const marked = ['00123/26', '04567/26', '08888/26'];
    await world.sql`
      update invoices set search_text = search_text || ' ¿?'
       where company_id = ${other.id} and doc_no = any(${marked})`;
    for (const search of ['37,50', '7/26', `${today.slice(0, 4)}-01-3`, '¿?', '100%']) {
      const all = await world.sql<{ doc_no: string }[]>`
        select doc_no from invoices
         where company_id = ${other.id} and strpos(search_text, ${search}) > 0 order by base desc, id desc`;
      const { rows, total } = await read(
        `page=1&sort=-Amount&search=${encodeURIComponent(search)}`,
      );
      expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice(0, 8).map((row) => row.doc_no));
      expect(total).toBe(Math.min(all.length, 1000));
    }
  });

  it('finds a NIF that was typed with dots, hyphens or blanks', async () => {
    const all = await mark('12345678z', { newest: 4, oldest: 7 });
    for (const typed of ['12345678Z', '12.345.678-Z', '12345678 z', 'NIF 12345678-Z']) {
      for (const dates of ['', `&range=year`, `&desde=2020-01-01&hasta=${today}`]) {
        const { rows, total } = await read(
          `page=2&sort=Amount&search=${encodeURIComponent(typed)}${dates}`,
        );
        const expected = dates.startsWith('&range') ? 4 : 11;
        expect([typed, dates, total]).toEqual([typed, dates, expected]);
        if (expected === 11) {
          expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice(8));
        }
      }
    }
    // A number of an invoice that could be a NIF with hyphens is itself.
    await mark('f-2026-0012', { newest: 1, oldest: 0 });
    await mark('f20260012', { newest: 0, oldest: 3 });
    expect(await read('page=1&search=F-2026-0012')).toMatchObject({ total: 1 });
  });

  it('finds thousands by a date and a few by another text, in the order of dates', async () => {
    const year = Number(today.slice(0, 4)) - 1;
    await world.sql`
      update invoices set search_text = search_text || ' ' || to_char(posting_date, 'DD/MM/YYYY')
                                     || case when id % 997 = 0 then ' obra/' || ${String(year)} else '' end
       where company_id = ${other.id}`;
    for (const sign of ['asc', 'desc'] as const) {
      const all = await world.sql<{ doc_no: string }[]>`
        select doc_no from invoices where company_id = ${other.id} and search_text like ${`%/${year}%`}
         order by posting_date ${world.sql.unsafe(sign)}, id ${world.sql.unsafe(sign)}`;
      for (const at of [1, 2, 40]) {
        const page = await read(
          `page=${at}&sort=${sign === 'desc' ? '-' : ''}PostingDate&search=/${year}`,
        );
        expect(page.rows.map(({ DocNo }) => DocNo)).toEqual(
          all.map((row) => row.doc_no).slice((at - 1) * 8, at * 8),
        );
        expect(page).toMatchObject({ total: 4000, totalAlMenos: true });
      }
    }
  });

  it('finds what thousands of older ones contain, in the order of dates, month by month or sorted', async () => {
    await world.sql`
      update invoices set search_text = search_text || ' antigua'
       where company_id = ${other.id} and posting_date < ${addDays(today, -60)}`;
    // From one end, the first is found in the first months; from the other, two months have none.
    for (const sign of ['asc', 'desc'] as const) {
      const all = await world.sql<{ doc_no: string }[]>`
        select doc_no from invoices where company_id = ${other.id} and search_text like '%antigua%'
         order by posting_date ${world.sql.unsafe(sign)}, id ${world.sql.unsafe(sign)}`;
      expect(all.length).toBeGreaterThan(4000);
      for (const at of [1, 2, 75, Math.ceil(all.length / 8)]) {
        const page = await read(
          `page=${at}&sort=${sign === 'desc' ? '-' : ''}PostingDate&search=antigua`,
        );
        expect(page.rows.map(({ DocNo }) => DocNo)).toEqual(
          all.map((row) => row.doc_no).slice((at - 1) * 8, at * 8),
        );
        expect(page).toMatchObject({ total: 4000, totalAlMenos: true });
      }
    }
  });

  it("finds a full date wherever it is written, whatever share of the company's invoices have it", async () => {
    const day = addDays(today, -400);
    const typed = day.split('-').reverse().join('/');
    await world.sql`
      update invoices set search_text = search_text || ' entrega ' || ${typed}
       where company_id = ${other.id} and doc_no = '07007/26'`;
    const all = await world.sql<{ id: bigint; doc_no: string }[]>`
      select id, doc_no from invoices where company_id = ${other.id} and strpos(search_text, ${typed}) > 0
       order by base, id`;
    expect(all.length).toBeGreaterThan(8);
    const { rows, total } = await read(`page=1&sort=Amount&search=${encodeURIComponent(typed)}`);
    expect(rows.map(({ DocNo }) => DocNo)).toEqual(all.slice(0, 8).map((row) => row.doc_no));
    expect(total).toBe(all.length);
    for (const inRange of [TOTAL, 1]) {
      const found = await world.sql`
        select id from huella_search_page(${other.id}, ${`%${typed}%`}, null, null, false, null, 'base', false, 0, 100,
                                          ${inRange})`;
      expect(found.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    }
  });

  it('finds the annulled ones, whose text does not say so', async () => {
    const No = '01234/26';
    await world.sql`
      update invoices set status = 'Anulada' where company_id = ${other.id} and doc_no = ${No}`;
    for (const search of ['anulada', 'ANUL']) {
      const { rows, total } = await read(`page=1&search=${search}`);
      expect([total, rows.map(({ DocNo }) => DocNo)]).toEqual([1, [No]]);
    }
  });

  it('returns the whole list if no page is requested', async () => {
    const rows = (await read('sort=DocNo')) as unknown as InvoiceRow[];
    expect(rows).toHaveLength(TOTAL);
    expect(rows.at(-1)?.DocNo).toBe('09000/26');
  });

  it('returns none of it to another company, whatever the query', async () => {
    const seen = await world.sql.begin(async (tx) => {
      const [web] = await tx<{ role: string }[]>`select huella_web_role() as role`;
      await tx.unsafe(`set local role "${web?.role}"; set local huella.company = '${company.id}'`);
      return tx`
        select id from huella_search_page(${other.id}, '%26%', null, null, true, 9, 'base', true, 0, 8, ${TOTAL})
         union all
        select id from huella_search_months(${other.id}, '%/20%', '2000-01-01', '2100-01-01', true, 0, 8, ${TOTAL}, 2000) as page (id)
         union all
        select id from huella_amount_page(${other.id}, 'base', 0, 0, 0, 8) as page (id)
         union all
        select id from huella_amount_page(${other.id}, 'base', 0, 0, 0, 8, '2000-01-01') as page (id)`;
    });
    expect(seen).toHaveLength(0);
  });

  it('splits no block that has not outgrown its size', async () => {
    const count = async () =>
      (await world.sql`select 1 from invoice_blocks where company_id = ${other.id}`).length;
    const before = await count();
    await world.sql.begin((tx) => cutBlocks(tx, other.id));
    expect(await count()).toBe(before);
  });
});

describe('a range of dates', () => {
  it('ends today where the company is, and a year means a year', async () => {
    const canary = await world.signUp(randomDni());
    await world.sql`update companies set post_code = '35001' where id = ${canary.id}`;
    type Asked = Partial<Parameters<typeof daysOfList>[3]>;
    // Half past midnight in Madrid, on the day after a 29 February.
    const deps = { sql: world.sql, clock: () => new Date('2028-02-29T23:30:00Z') };
    const days = ({ id }: TestCompany, asked: Asked, list: InvoiceList = 'history') =>
      daysOfList(deps, id, list, { range: 'all', ...asked });
    const first = async (of: TestCompany, range: 'day' | 'week' | 'month' | 'year' | 'all') =>
      (await days(of, { range })).since;
    expect(await first(company, 'day')).toBe('2028-02-29');
    expect(await first(canary, 'day')).toBe('2028-02-28');
    expect(await first(canary, 'week')).toBe('2028-02-22');
    expect(await first(canary, 'month')).toBe('2028-01-30');
    expect(await first(company, 'year')).toBe('2027-03-01');
    expect(await first(canary, 'year')).toBe('2027-02-28');
    expect(await first(company, 'all')).toBeNull();
    const both = { desde: '2028-01-01', hasta: '2028-02-29' };
    expect(await days(company, both)).toEqual({ since: '2028-01-01', until: '2028-02-29' });
    expect((await days(canary, both)).until, 'there it is still that day').toBeNull();
    const drafts = await days(canary, { hasta: '2028-03-31' }, 'pending');
    expect(drafts.until, 'a draft may have a later date').toBe('2028-03-31');
    expect((await days(company, { ...both, range: 'week' })).since).toBe('2028-02-23');
  });
});
