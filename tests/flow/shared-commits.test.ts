import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { InvoiceDraft, type InvoiceDraftInput } from '../../src/contract/invoices.ts';
import { addDays } from '../../src/domain/dates.ts';
import { registerInvoice } from '../../src/operations/register-invoice.ts';
import {
  type CompanyBatch,
  registerForCompanies,
  registerInvoices,
} from '../../src/operations/register-invoices.ts';
import { saveDraft } from '../../src/operations/save-draft.ts';
import { within, withRowSecurity } from '../../src/store/row-security.ts';
import type { Tx } from '../../src/store/sql.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import { draftOf, expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

/** One transaction for several companies (docs/decisions/0008): data of one company never reach another. */

let world: World;
let companies: TestCompany[];

beforeAll(async () => {
  world = await openWorld();
  companies = [];
  for (const nif of ['B12345674', 'B76543214', 'B58818501']) {
    companies.push(await world.signUp(nif, `Empresa ${nif}, S.L.`));
  }
}, 120_000);
afterAll(() => world.close());

function batchOf({ id, customerNo }: TestCompany, count = 2, key?: string): CompanyBatch {
  const draft = InvoiceDraft.parse(draftOf(customerNo, world.deps.clock()));
  return {
    companyId: id,
    requests: Array.from({ length: count }, (_, i) => ({
      draft,
      sendsToCustomer: true,
      ...(key && { idempotency: { key: `${key}-${i}`, requestHash: 'x' } }),
    })),
  };
}

async function cadenas(): Promise<Map<number, { seq: number; number: number; linked: boolean }[]>> {
  const rows = await world.sql<
    { companyId: number; seq: number; number: number; linked: boolean }[]
  >`
    select company_id as "companyId", seq::int, substring(num_serie_factura from '^\\d+')::int as number,
           huella_anterior = coalesce(lag(huella) over (partition by company_id order by seq), '') as linked
      from registros order by company_id, seq`;
  return new Map(
    companies.map(({ id }) => [
      id,
      rows.filter((row) => row.companyId === id).map(({ companyId: _, ...row }) => row),
    ]),
  );
}

/** How often a cadena is locked for registering while this looks, many times. */
async function locksTaken(): Promise<number> {
  const own = await world.sql.reserve();
  const [start] = await own<{ at: string }[]>`select clock_timestamp()::text as at`;
  let taken = 0;
  for (let look = 0; look < 200; look++) {
    const { count } = await own`
      select from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query like '%from cadenas%for update%'
         and query_start > ${start?.at ?? ''}`;
    taken += count;
  }
  own.release();
  return taken;
}

async function expectWhole(lengths: readonly number[]): Promise<void> {
  const found = await cadenas();
  const expected = lengths.map((length) =>
    Array.from({ length }, (_, i) => ({ seq: i + 1, number: i + 1, linked: true })),
  );
  expect(companies.map(({ id }) => found.get(id))).toEqual(expected);
  const heads = await world.sql<
    { seq: number; waits: boolean; mails: number; next: number; counted: number }[]
  >`
    select c.last_seq::int as seq, d.waiting_since is not null as waits, s.next_number::int as next,
           (select coalesce(sum(m.invoices), 0)::int from invoice_months m where m.company_id = c.company_id) as counted,
           (select count(*)::int from mail_jobs m where m.company_id = c.company_id and m.kind = 'factura') as mails
      from cadenas c
      join despachos d on d.company_id = c.company_id
      join series s on s.company_id = c.company_id and s.kind = 'F'
     order by c.company_id`;
  expect(heads).toEqual(
    lengths.map((length) => ({
      seq: length,
      waits: length > 0,
      mails: length,
      next: length + 1,
      counted: length,
    })),
  );
}

describe('a commit of several companies', () => {
  it('gives each its own numbers, links, counters, mail and turn', async () => {
    const outcomes = await registerForCompanies(
      world.deps,
      companies.map((company) => batchOf(company)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'done', 'done']);
    await expectWhole([2, 2, 2]);
  });

  it('leaves out a company that may not register, and frees its keys, but none of a call under way', async () => {
    const [first, second, third] = companies as [TestCompany, TestCompany, TestCompany];
    await world.sql`update companies set subscription_ends_at = now() - interval '1 day' where id = ${second.id}`;
    await world.sql`
      insert into idempotency_keys (company_id, key, request_hash, created_at)
      values (${second.id}, 'en-curso-0', 'x', ${world.deps.clock()})`;
    const own = batchOf(second, 2, 'clave');
    const requests = [...own.requests, ...batchOf(second, 1, 'en-curso').requests];
    const batches = [batchOf(first), { ...own, requests }, batchOf(third)];
    const outcomes = await registerForCompanies(world.deps, batches);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
    expect(outcomes[1]).toMatchObject({ error: { code: 'FORBIDDEN' } });
    await expectWhole([4, 2, 4]);
    expect(
      await world.sql`select key from idempotency_keys where company_id = ${second.id}`,
    ).toEqual([{ key: 'en-curso-0' }]);
    await world.sql`update companies set subscription_ends_at = now() + interval '30 days' where id = ${second.id}`;
  });

  it('does not wait for a cadena that somebody else has locked', async () => {
    const [first, second, third] = companies as [TestCompany, TestCompany, TestCompany];
    await world.sql
      .begin(async (tx) => {
        await tx`select 1 from cadenas where company_id = ${second.id} for update`;
        const batches = [batchOf(first), batchOf(second, 1, 'otra'), batchOf(third)];
        const outcomes = await registerForCompanies(world.deps, batches);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'held', 'done']);
        // Through the API, that company waits alone and its neighbours are answered meanwhile.
        let isAnswered = false;
        const waiting = second.register().then((answer) => {
          isAnswered = true;
          return answer;
        });
        const answers = await Promise.all(
          [first, third, first, third].map((one) => one.register()),
        );
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect(isAnswered).toBe(false);
        return { waiting };
      })
      .then(async ({ waiting }) => expectOk(await waiting));
    const found = await cadenas();
    expect(companies.map(({ id }) => found.get(id)?.length)).toEqual([8, 3, 8]);
    expect(await locksTaken()).toBe(0); // Nobody is left to wait for.
  });

  it('lets the others through when the database refuses a row of one of them', async () => {
    const [first, second, third] = companies as [TestCompany, TestCompany, TestCompany];
    // The next number of this one is already in use, which only the unique key can detect.
    await world.sql`
      insert into invoices (company_id, doc_no, status, tipo_factura, posting_date)
      select ${second.id}, '00004/' || to_char(now(), 'YY'), 'Borrador', 'F1', current_date`;
    const outcomes = await registerForCompanies(world.deps, [
      batchOf(first, 1),
      batchOf(second, 1),
      batchOf(third, 1),
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['done', 'failed', 'done']);
    const found = await cadenas();
    expect(companies.map(({ id }) => found.get(id)?.length)).toEqual([9, 3, 9]);
  });

  it('accesses its own companies and no others under row-level security', async () => {
    const [first, second, third] = companies as [TestCompany, TestCompany, TestCompany];
    const scope = {
      companyId: null,
      companyIds: [first.id, third.id],
      sid: null,
      address: '',
      userAgent: '',
    };
    const web = { ...world.deps, sql: await withRowSecurity(world.sql) };
    const register = (...batches: CompanyBatch[]) =>
      within(scope, () => registerForCompanies(web, batches));
    const own = await register(batchOf(first, 1), batchOf(third, 1));
    expect(own.map(({ kind }) => kind)).toEqual(['done', 'done']);
    // To the database the third one does not exist.
    const other = await register(batchOf(second, 1));
    expect(other.map(({ kind }) => kind)).toEqual(['failed']);
    const found = await cadenas();
    expect(companies.map(({ id }) => found.get(id)?.length)).toEqual([10, 3, 10]);
  });

  it('tries nothing again after a lost connection, because nobody knows whether it was stored', async () => {
    const [first, , third] = companies as [TestCompany, TestCompany, TestCompany];
    await world.sql.unsafe(`
      create sequence tries; -- What it counts is not rolled back.
      create function lose_connection() returns trigger language plpgsql as $$
      begin
        perform nextval('tries');
        perform pg_terminate_backend(pg_backend_pid());
        return new;
      end $$;
      create trigger lose_connection before insert on registros
        for each row execute function lose_connection()`);
    const outcomes = await registerForCompanies(world.deps, [batchOf(first, 1), batchOf(third, 1)]);
    await world.sql`drop function lose_connection cascade`;
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'failed']);
    expect(await world.sql`select last_value::int as tries from tries`).toEqual([{ tries: 1 }]);
    const found = await cadenas();
    expect(companies.map(({ id }) => found.get(id)?.length)).toEqual([10, 3, 10]);
  });
});

describe('requests that come while others are registered', () => {
  const register = (company: TestCompany) =>
    registerInvoice(world.deps, company.id, {
      draft: InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock())),
      sendsToCustomer: false,
    });

  /**
   * Two companies in a transaction that waits for a lock of this one.
   *
   * @param patience `endless` where a machine that stands still may not make the others begin
   */
  const holdUp = async (tx: Tx, { patience }: { patience: 'endless' | 'as usual' }) => {
    const [first, , third] = companies as [TestCompany, TestCompany, TestCompany];
    await tx`select 1 from series where company_id = ${first.id} and kind = 'F' for update`;
    if (patience === 'endless') vi.useFakeTimers({ toFake: ['setTimeout'] });
    const underWay = [register(first), register(third)];
    // Their transaction begins at the end of this turn of the event loop.
    await new Promise(setImmediate);
    vi.useRealTimers();
    await untilWaiting(world.sql, 1);
    return underWay;
  };

  it('wait for as many as those are, not for their end, and share a commit', async () => {
    const fourth = await world.signUp();
    // Only from the second time on is it known that all companies live on one machine.
    await register(fourth);
    const others = await world.sql.begin(async (tx) => {
      const underWay = await holdUp(tx, { patience: 'endless' });
      const one = register(fourth);
      await world.sql`select 1`; // In the meantime, one that did not wait would have begun.
      const answers = await Promise.all([one, register(fourth)]);
      const commits = await world.sql`
        select distinct xmin::text
          from registros
         where company_id = ${fourth.id} and num_serie_factura = any(${answers.map(({ DocNo }) => DocNo)})`;
      expect(commits).toHaveLength(1);
      return { underWay };
    });
    await Promise.all(others.underWay);
  });

  it('do not wait for those for ever', async () => {
    const fifth = await world.signUp();
    await register(fifth);
    const others = await world.sql.begin(async (tx) => {
      const underWay = await holdUp(tx, { patience: 'as usual' });
      const alone = register(fifth);
      expect(await Promise.race([alone, ...underWay])).toBe(await alone);
      return { underWay };
    });
    await Promise.all(others.underWay);
  });
});

describe('requests of a company that one of its own makes wait', () => {
  const numberOf = ({ DocNo }: { DocNo: string }) => Number.parseInt(DocNo, 10);
  const register = (company: TestCompany) =>
    registerInvoice(world.deps, company.id, {
      draft: InvoiceDraft.parse(draftOf(company.customerNo, world.deps.clock())),
      sendsToCustomer: false,
    });

  it('wait for its end in no transaction of their own', async () => {
    const company = await world.signUp();
    const other = await world.signUp();
    const registering = await world.sql.begin(async (tx) => {
      await tx`select 1 from series where company_id = ${company.id} and kind = 'F' for update`;
      const first = register(company);
      await untilWaiting(world.sql, 1);
      const others = [register(company), register(company)];
      // In the meantime, one of them would have begun.
      await new Promise(setImmediate);
      await register(other);
      await untilWaiting(world.sql, 1);
      return [first, ...others];
    });
    expect((await Promise.all(registering)).map(numberOf)).toEqual([1, 2, 3]);
  });

  it('come after those that were put back because somebody else held its cadena', async () => {
    const one = await world.signUp();
    const other = await world.signUp();
    await register(other); // Only from the second time on is it known that all live on one machine.
    const registering = await world.sql.begin(async (tx) => {
      await tx`select 1 from cadenas where company_id = ${one.id} for update`;
      const { first, second, beside } = await world.sql.begin(async (stopped) => {
        await stopped`select 1 from series where company_id = ${other.id} and kind = 'F' for update`;
        const together = { first: register(one), beside: register(other) };
        await untilWaiting(world.sql, 1);
        return { ...together, second: register(one) };
      });
      await beside; // The first one was put back, before the second.
      await untilWaiting(world.sql, 1);
      const third = register(one);
      await register(other); // In the meantime, it would have begun.
      await untilWaiting(world.sql, 1);
      return [first, second, third];
    });
    expect((await Promise.all(registering)).map(numberOf)).toEqual([1, 2, 3]);
  });

  it('let other companies register, however many wait for theirs', async () => {
    const AT_ONCE = 8;
    const many: TestCompany[] = [];
    while (many.length <= AT_ONCE) many.push(await world.signUp());
    const other = await world.signUp();
    await register(other);
    const registering = await world.sql.begin(async (tx) => {
      await tx`select 1 from cadenas where company_id = any(${many.map(({ id }) => id)}) for update`;
      const waiting = many.map(register);
      await register(other);
      await untilWaiting(world.sql, AT_ONCE);
      expect(numberOf(await register(other))).toBe(3);
      await untilWaiting(world.sql, AT_ONCE);
      return waiting;
    });
    expect((await Promise.all(registering)).map(numberOf)).toEqual(many.map(() => 1));
  });
});

describe('invoices of one company that share a commit', () => {
  let company: TestCompany;
  const register = async (
    ...drafts: readonly (Partial<InvoiceDraftInput> & { draftNo?: string })[]
  ) => {
    const requests = drafts.map(({ draftNo, ...changes }) => ({
      draft: InvoiceDraft.parse({
        ...draftOf(company.customerNo, world.deps.clock()),
        ...changes,
      }),
      draftNo,
      sendsToCustomer: false,
    }));
    const outcomes = await registerInvoices(world.deps, company.id, requests);
    return outcomes.map((outcome) =>
      outcome.kind === 'registered' ? outcome.answer.DocNo : outcome.error.message,
    );
  };
  const at = (price: string) => ({
    invoiceItems: [{ description: 'Revisión', quantity: '1', price, tax: 'IVA21' }],
  });
  const rectified = async (No: string) =>
    (await company.detailOf(No)).emitida?.importeRectificacion;
  const numberAfter = (number: string) =>
    String(Number.parseInt(number, 10) + 1).padStart(5, '0') + number.slice(5);

  /** An invoice that the AEAT holds with an error, so that it may be corrected. */
  async function acceptedWithErrors(): Promise<string> {
    const DocNo = expectOk(await company.register()).DocNo;
    await world.behave({ aceptarConErrores: { [DocNo]: 2001 } });
    await company.sendAll();
    await world.behave({ aceptarConErrores: { [DocNo]: 0 } });
    return DocNo;
  }

  beforeAll(async () => {
    company = await world.signUp();
  });

  it('do not exchange an invoice without the R5 that corrects it', async () => {
    const simplified = { isSimplificada: true, invoiceType: 1, invoiceClient: '' };
    const [ticket = ''] = await register(simplified);
    const [correction, refusal] = await register(
      { ...simplified, ...at('30'), type: 'abono', crmemoType: 4, invoiceToRectify: ticket },
      { invoiceType: 2, invoiceToRectify: ticket },
    );
    expect(refusal).toBe(
      `La factura ${ticket} y la ${correction}, una rectificación de la otra, se canjean juntas. Añade la ${correction}.`,
    );
  });

  it('do not take the R5 of another program’s invoice for that of ours, which takes its number right after', async () => {
    const simplified = { isSimplificada: true, invoiceType: 1, invoiceClient: '' };
    const [last = ''] = await register(simplified);
    const number = numberAfter(last);
    const invoiceToRectifyDate = addDays(draftOf('', world.deps.clock()).invoiceDate, -9);
    const theirs = { invoiceToRectify: number, invoiceToRectifyDate };
    const [, ours, exchange = ''] = await register(
      { ...simplified, ...theirs, type: 'abono', crmemoType: 4 },
      simplified,
      { invoiceType: 2, invoiceToRectify: number },
    );
    expect(ours).toBe(number);
    const detail = await company.detailOf(number);
    expect(detail.canjeadaPor).toBe(exchange);
    expect(detail.rectificadaPor ?? []).toEqual([]);
  });

  it('keep the amounts that a rectificativa of the same commit stands on', async () => {
    const DocNo = await acceptedWithErrors();
    const [replacing = '', refusal] = await register(
      { ...at('80'), type: 'abono', tipoRectificativa: 'S', invoiceToRectify: DocNo },
      { ...at('500'), draftNo: DocNo },
    );
    expect(refusal).toContain(`La factura ${replacing} se hizo sobre la ${DocNo}`);
    expect(await rectified(replacing)).toMatchObject({ base: '100.00' });
  });

  it('replace the amounts that a correction of the same commit has given it', async () => {
    const DocNo = await acceptedWithErrors();
    const [, replacing = ''] = await register(
      { ...at('500'), draftNo: DocNo },
      { ...at('80'), type: 'abono', tipoRectificativa: 'S', invoiceToRectify: DocNo },
    );
    expect(await rectified(replacing)).toMatchObject({ base: '500.00', cuota: '105.00' });
    const [sums] = await world.sql<{ base: string }[]>`
      select (i.base - d.replaced_base)::text as base
        from invoices i join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
       where i.company_id = ${company.id} and i.doc_no = ${replacing}`;
    expect(sums?.base).toBe('-420.00');
  });

  it('replace as much as one after another would, also one beside what it had replaced', async () => {
    const insteadOf = (...numbers: string[]) => ({
      type: 'abono' as const,
      tipoRectificativa: 'S' as const,
      invoiceToRectify: numbers.join(', '),
    });
    const [last = ''] = await register({});
    const [abono = ''] = await register({ ...at('1'), type: 'abono', invoiceToRectify: last });
    let [A, B] = [numberAfter(last), numberAfter(numberAfter(last))];
    let R = numberAfter(abono);
    const drafts = () => [
      at('100'),
      at('50'),
      { ...at('130'), ...insteadOf(A, B) },
      { ...at('110'), ...insteadOf(A, R) },
    ];
    const together = await register(...drafts());
    expect(together).toEqual([A, B, R, numberAfter(R)]);

    [A, B, R] = [numberAfter(B), numberAfter(numberAfter(B)), numberAfter(numberAfter(R))];
    const apart: string[] = [];
    for (const draft of drafts()) apart.push(...(await register(draft)));
    expect(apart).toEqual([A, B, R, numberAfter(R)]);

    for (const [, , replacing = '', again = ''] of [together, apart]) {
      const replaced = await world.sql`
        select d.replaced_base as base, d.replaced_vat as vat, d.replaced_total as total
          from invoices i join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
         where i.company_id = ${company.id} and i.doc_no = any(${[replacing, again]}::text[])
         order by i.id`;
      expect(replaced).toEqual([
        { base: '150.00', vat: '31.50', total: '181.50' },
        { base: '130.00', vat: '27.30', total: '157.30' },
      ]);
      expect(await rectified(again)).toMatchObject({ base: '130.00', cuota: '27.30' });
    }
  });
});

describe('drafts of one company that are created together', () => {
  const save = (company: TestCompany, draft: object = {}) =>
    company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
      ...draftOf(company.customerNo, world.deps.clock()),
      ...draft,
      accionFactura: 0,
    });

  it('share a commit and a connection, and nobody else waits for them', async () => {
    const [first, , third] = companies as [TestCompany, TestCompany, TestCompany];
    expectOk(await save(first));
    const MANY = 40;
    const saving = await world.sql.begin(async (tx) => {
      await tx`select 1 from counters where company_id = ${first.id} and name = 'draft' for update`;
      const held = Array.from({ length: MANY }, () => save(first));
      // With a connection for each, none would be left for this one.
      expectOk(await save(third));
      return { held };
    });
    const answers = await Promise.all(saving.held);
    const numbers = answers.map((answer) => Number(expectOk(answer).DocNo.slice('B-'.length)));
    expect(new Set(numbers).size).toBe(MANY);
    const [row] = await world.sql<{ commits: number; highest: number }[]>`
      select count(distinct xmin::text)::int as commits,
             max(substr(doc_no, 3)::int) as highest
        from invoices
       where company_id = ${first.id} and doc_no = any(${answers.map(({ body }) => body.DocNo)}::text[])`;
    expect(row?.commits).toBeLessThanOrEqual(2);
    expect(row?.highest).toBe(Math.max(...numbers));
  });

  it('leave out one that is too big, or that the database refuses', async () => {
    const [first] = companies as [TestCompany];
    const line = (description: string, price: string) => ({
      invoiceItems: [{ description, quantity: '1', price, tax: 'IVA21', linetype: 0 }],
    });
    // PostgreSQL stores no null character in a document. The API refuses it earlier, so it is passed in here.
    const odd = InvoiceDraft.parse({
      ...draftOf(first.customerNo, world.deps.clock()),
      ...line('nulo \u0000', '1'),
    });
    const [good, big, refused, other] = await Promise.allSettled([
      save(first),
      save(first, line('enorme', '999999999999,99')),
      saveDraft(world.deps, first.id, { draft: odd }),
      save(first),
    ]);
    expect([good, big, other].map((one) => one.status === 'fulfilled' && one.value.status)).toEqual(
      [200, 400, 200],
    );
    expect(refused).toMatchObject({ status: 'rejected', reason: { severity: 'ERROR' } });
  });
});
