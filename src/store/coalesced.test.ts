import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { shared } from './coalesced.ts';
import type { Tx } from './sql.ts';

/** Pools are distinguished by identity; these are never queried. */
const pools = [{}, {}] as unknown as readonly [Tx, Tx];

it('queries once for all who ask the same about a company in one turn, and again in the next', async () => {
  const asked: string[] = [];
  const find = shared(async (tx, companyId) => {
    asked.push(`${pools.indexOf(tx)} ${companyId}`);
    return { companyId, time: asked.length };
  });
  const first = await Promise.all([find(pools[0], 7), find(pools[0], 7), find(pools[0], 8)]);
  expect(first.map(({ companyId }) => companyId)).toEqual([7, 7, 8]);
  expect(first[0]).toBe(first[1]);
  await find(pools[1], 7);
  expect((await find(pools[0], 7)).time).toBe(4);
  expect(asked).toEqual(['0 7', '0 8', '1 7', '0 7']);
});

it('queries again while the previous answer is on its way, so that no answer is older than its question', async () => {
  const waiting: ((answer: number) => void)[] = [];
  const find = shared(() => new Promise<number>((resolve) => waiting.push(resolve)));
  const early = find(pools[0], 1);
  await nextTurn();
  const late = find(pools[0], 1);
  await nextTurn();
  waiting[0]?.(1);
  waiting[1]?.(2);
  expect(await Promise.all([early, late])).toEqual([1, 2]);
});

it('reports a failure to all of them, and to none after', async () => {
  let times = 0;
  const find = shared(async () => {
    times += 1;
    if (times === 1) throw new Error('no');
    return times;
  });
  const both = await Promise.allSettled([find(pools[0], 1), find(pools[0], 1)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await find(pools[0], 1)).toBe(2);
});
