import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signToken } from '../../src/api/tokens.ts';
import { hashPassword } from '../../src/operations/password-hash.ts';
import { insertSession } from '../../src/store/sessions.ts';
import {
  type Operation,
  operationsOf,
  payloadOf,
  valuesOf,
  wellFormed,
} from '../support/from-schema.ts';
import { draftOf } from '../support/world.ts';
import { type AccountApp, openAccountApp, PASSWORD } from './account-app.ts';

/**
 * Random calls made from their schemas. `FUZZ_RUNS=500 npx vitest run … fuzz-calls` searches longer; `FUZZ_SEED`
 * repeats a reported failure.
 */
const RUNS = Number(process.env.FUZZ_RUNS ?? 3);
const PATIENCE_MS = 60_000 + RUNS * 40_000;
const SEED = { seed: Number(process.env.FUZZ_SEED ?? 1000) };
/** No answer to a mistake has a reason to be longer. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Contained only in the first company's data. */
const MARK = 'Secreto-Zeta';

let app: AccountApp;
let victim: Awaited<ReturnType<typeof furnish>>;
let operations: readonly Operation[];
let passwordHash = '';

beforeAll(async () => {
  app = await openAccountApp();
  await app.app.ready();
  operations = operationsOf(app.app.swagger());
  passwordHash = await hashPassword(PASSWORD);
  victim = await furnish();
});
afterAll(() => app.close());

describe('calls at random', () => {
  it('covers every call of the OpenAPI', () => {
    expect(operations.length).toBeGreaterThan(60);
    expect(operations.filter(({ isPrivate }) => isPrivate).length).toBeGreaterThan(45);
  });

  it(
    'by a stranger reveal and change nothing of another company, and never fail internally',
    async () => {
      const before = await digestOf(victim.id);
      const stranger = await app.signUp();
      // Somebody who knows the password would be no stranger.
      const words = victim.words.filter((word) => word !== PASSWORD);
      await throwAt(operations, words, () => sessionOf(stranger));
      expect(await digestOf(victim.id)).toEqual(before);
    },
    PATIENCE_MS,
  );

  it(
    'by its owner never fail internally',
    async () => {
      // With its own documents, so that deeper code is reached; what it does to itself does not matter.
      const owner = await furnish();
      const calls = operations.filter(({ isPrivate }) => isPrivate);
      await throwAt(calls, owner.words, () => sessionOf(owner), {
        looksForMark: false,
      });
    },
    PATIENCE_MS,
  );
});

async function throwAt(
  calls: readonly Operation[],
  words: readonly string[],
  session: () => Promise<string>,
  { looksForMark = true } = {},
): Promise<void> {
  for (const operation of calls) {
    const input = fc.record({
      body: operation.body ? valuesOf(operation.body, words) : fc.constant(undefined),
      query: fc.record(
        Object.fromEntries(
          Object.entries(operation.query).map(([name, schema]) => [name, valuesOf(schema, words)]),
        ),
        { requiredKeys: [] },
      ),
    });
    await fc.assert(
      fc.asyncProperty(input, async ({ body, query }) => {
        // Every random call should be judged, not stopped by the limit on attempts.
        await app.sql`delete from rate_limits`;
        const answer = await app.app.inject({
          method: operation.method,
          url: `${operation.path}?${queryText(query)}`,
          headers: {
            authorization: `Bearer ${await session()}`,
            ...(operation.body && !operation.isForm ? { 'content-type': 'application/json' } : {}),
          },
          ...bodyOf(operation, body),
        });
        const told = `${operation.method} ${operation.path}: ${answer.payload.slice(0, 500)}`;
        expect(answer.statusCode, told).not.toBe(500);
        expect(answer.rawPayload.length, told).toBeLessThan(MOST_BYTES);
        if (looksForMark) expect(answer.payload, told).not.toContain(MARK);
        if (answer.statusCode >= 400)
          expect(answer.payload, told).toMatch(/"message"|"errores"|"estado"/);
      }),
      { numRuns: RUNS, ...SEED, endOnFailure: true },
    );
  }
}

function bodyOf(operation: Operation, body: unknown): { payload?: never } {
  if (operation.method === 'GET' || body === undefined) return {};
  const payload = payloadOf(operation, body);
  if (payload instanceof FormData) return { payload: payload as never };
  return { payload: JSON.stringify(payload ?? null) as never };
}

function queryText(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    search.set(name, wellFormed(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')));
  }
  return String(search);
}

interface Who {
  readonly id: number;
  readonly email: string;
  readonly cifNif: string;
}

/** A session of its own for each call, because some of them end it, or the account. */
async function sessionOf({ id: companyId, email, cifNif: nif }: Who): Promise<string> {
  const sid = randomUUID();
  const now = app.deps.clock();
  // One of the calls deletes the account and others change how to sign in: this restores it for the next call.
  await app.sql`
    update companies
       set deleted_at = null, email = ${email}, password_hash = ${passwordHash}, nif = ${nif}
     where id = ${companyId}`;
  await insertSession(app.sql, {
    companyId,
    sid,
    createdAt: now,
    authenticatedAt: now,
    userAgent: '',
  });
  return signToken(app.deps, { companyId, email, sid });
}

/** A company with a client, a product and a draft, and every identifier by which they could be reached. */
async function furnish() {
  const company = await app.signUp({ fullName: `Empresa ${MARK}, S.L.` });
  const post = async (call: string, body: object) =>
    (await app.post(`PostData/${call}`, body, company.token)).body as Record<string, string>;
  const customer = await post('SetClientes', {
    Name: `Cliente ${MARK}`,
    VATRegistrationNo: 'A58818501',
    Address: 'Gran Vía, 2',
    postCode: '08013',
    countryCode: 'ES',
    Email: 'cliente@ejemplo.es',
  });
  const product = await post('SetProductos', { Name: `Producto ${MARK}`, UnitPrice: '10,00' });
  const draft = await post('SetFacturas', {
    ...draftOf(customer.No ?? '', app.deps.clock()),
    accionFactura: 0,
  });
  const words = [
    customer.No,
    product.No,
    draft.DocNo,
    company.email,
    company.cifNif,
    PASSWORD,
    'A58818501',
    '00001/26',
    'IVA21',
    'NAC',
    'F1',
    '01',
    '1',
    'ES',
    '28013',
    '100,00',
    '2026-11-20',
    'true',
    'factura',
    JSON.stringify([
      { description: 'Algo', quantity: '1', price: '10', tax: 'IVA21', linetype: 0 },
    ]),
  ].filter((word): word is string => typeof word === 'string');
  return { ...company, words };
}

/** Every row of a company, in all tables with rows of companies. */
async function digestOf(companyId: number): Promise<Record<string, string>> {
  const tables = await app.sql<{ name: string; column: string }[]>`
    select c.relname as name,
           case when c.relname = 'companies' then 'id' else 'company_id' end as column
      from pg_class c join pg_policy p on p.polrelid = c.oid and p.polname = 'company_rows'
     order by 1`;
  const digests: Record<string, string> = {};
  for (const { name, column } of tables) {
    const [row] = await app.sql<{ digest: string }[]>`
      select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as digest
        from ${app.sql(name)} t where ${app.sql(column)} = ${companyId}`;
    digests[name] = row?.digest ?? '';
  }
  // Public calls may ask for a code in anybody's name and fail to sign in, which is recorded for the account's owner.
  const { recovery_codes, mail_jobs, security_events, rate_limits, ...rest } = digests;
  return rest;
}
