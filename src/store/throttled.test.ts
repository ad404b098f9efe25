import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttled } from './throttled.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** A query that takes that many milliseconds and returns how often it was made. */
function slowly(takesMs: number) {
  let asked = 0;
  return {
    asked: () => asked,
    ask: async () => {
      const mine = ++asked;
      await new Promise((resolve) => setTimeout(resolve, takesMs));
      return mine;
    },
  };
}

it('queries once for all who ask meanwhile', async () => {
  const ask = throttled(slowly(100).ask);
  const both = [ask(), ask()];
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all(both)).toEqual([1, 1]);
});

it('reuses an answer for ten times as long as it took', async () => {
  const question = slowly(100);
  const ask = throttled(question.ask);
  const first = ask();
  await vi.advanceTimersByTimeAsync(100);
  await first;
  await vi.advanceTimersByTimeAsync(999);
  expect(await ask()).toBe(1);
  expect(question.asked()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  const second = ask();
  await vi.advanceTimersByTimeAsync(100);
  expect(await second).toBe(2);
});

it('returns the last answer while the next one takes long, and then the next', async () => {
  const ask = throttled(slowly(2_000).ask);
  const first = ask();
  await vi.advanceTimersByTimeAsync(2_000);
  await first;
  await vi.advanceTimersByTimeAsync(20_000);
  const meanwhile = ask();
  await vi.advanceTimersByTimeAsync(500);
  expect(await meanwhile).toBe(1);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await ask()).toBe(2);
});

it('passes on a failure, and queries again', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve('here')];
  for (const one of answers) one.catch(() => undefined);
  const ask = throttled(() => answers.shift() as Promise<string>);
  await expect(ask()).rejects.toThrow('away');
  expect(await ask()).toBe('here');
});
