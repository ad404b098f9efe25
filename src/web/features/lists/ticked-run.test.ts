import { expect, it } from 'vitest';
import { ApiError } from '../../lib/http.ts';
import { type InvoiceAction, runTicked, type TickedRunOptions } from './ticked-run.ts';

const NOS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** A run with the successive answers for each invoice; invoices without any are done at once. */
async function ran(
  answers: Readonly<Record<string, readonly unknown[]>>,
  options: Partial<TickedRunOptions<unknown>> = {},
) {
  const asked: string[] = [];
  const waits: number[] = [];
  let [now, most] = [0, 0];
  const act: InvoiceAction<unknown> = async (docNo, key) => {
    asked.push(`${docNo} ${key}`);
    most = Math.max(most, ++now);
    await Promise.resolve();
    now -= 1;
    const answer = answers[docNo]?.[asked.filter((one) => one.startsWith(`${docNo} `)).length - 1];
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  };
  const run = await runTicked(NOS, {
    act,
    keyOf: (docNo) => `k${docNo}`,
    onDone: () => {},
    isStopped: () => false,
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  const kinds = [...run.outcomes].sort().map(([docNo, { kind }]) => `${docNo} ${kind}`);
  return { run, asked, waits, most, kinds };
}

const lost = new ApiError(0, []);
const refused = new ApiError(404, ['No existe la factura 2.']);

it('processes each one once, a few at a time, and reports its progress', async () => {
  const told: number[] = [];
  const { asked, most, kinds } = await ran({}, { onDone: (done) => told.push(done) });
  expect(asked).toEqual(NOS.map((no) => `${no} k${no}`));
  expect(most).toBe(4);
  expect(told).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(kinds).toEqual(NOS.map((no) => `${no} done`));
});

it('continues after refusals, and after failures of a single invoice', async () => {
  const { run, kinds } = await ran({
    2: [refused],
    3: [new ApiError(500, [])],
    4: [{ deletedClient: 'Ana' }],
  });
  expect(run.outcomes.get('2')).toEqual({ kind: 'refused', error: refused });
  expect(run.outcomes.get('3')?.kind).toBe('unknown');
  expect(run.outcomes.get('4')).toEqual({ kind: 'done', answer: { deletedClient: 'Ana' } });
  expect(kinds.filter((kind) => kind.endsWith('done'))).toHaveLength(7);
  expect('cut' in run).toBe(false);
});

it('repeats under the same key what was not answered', async () => {
  const inProgress = new ApiError(409, ['Espera.'], { codigo: 'IN_PROGRESS' });
  const busy = new ApiError(503, [], { retryAfterSeconds: 5 });
  const { asked, waits, kinds } = await ran({ 1: [lost, inProgress], 2: [busy] });
  expect(asked.filter((one) => one.startsWith('1 '))).toEqual(['1 k1', '1 k1', '1 k1']);
  expect(waits).toEqual([1_000, 5_000, 3_000]);
  expect(kinds).toEqual(NOS.map((no) => `${no} done`));
});

it('stops when there is no answer, or the session has ended', async () => {
  for (const [error, tries] of [
    [lost, 3],
    [new ApiError(401, [], { endsSession: true }), 1],
  ] as const) {
    const all = Object.fromEntries(NOS.map((no) => [no, Array(9).fill(error)]));
    const { run, asked, kinds } = await ran(all);
    expect(run.cut).toBe(error);
    expect(kinds).toEqual(['1 unknown', '2 unknown', '3 unknown', '4 unknown']);
    expect(asked).toHaveLength(4 * tries);
  }
});

it('does not wait for a limit of an hour: it stops and says so', async () => {
  const limit = new ApiError(429, ['En una hora…'], { retryAfterSeconds: 3_000 });
  const { run, waits, kinds } = await ran(
    Object.fromEntries(NOS.slice(4).map((no) => [no, [limit]])),
  );
  expect(run.cut).toBe(limit);
  expect(waits).toEqual([]);
  expect(kinds.slice(0, 4)).toEqual(['1 done', '2 done', '3 done', '4 done']);
});

it('starts no other once it is stopped', async () => {
  let done = 0;
  const { kinds } = await ran(
    {},
    { onDone: (count) => (done = count), isStopped: () => done >= 2 },
  );
  expect(kinds.length).toBeLessThan(NOS.length);
  expect(kinds.every((kind) => kind.endsWith('done'))).toBe(true);
});
