import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inEvenTime, TICK_MS } from './even-time.ts';

vi.mock('node:timers/promises', () => ({
  setTimeout: vi.fn(async (ms: number) => {
    clock.now += ms;
  }),
}));

const clock = vi.hoisted(() => ({ now: 0 }));
beforeEach(() => {
  clock.now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now);
});
afterEach(() => vi.restoreAllMocks());

const taking = (ms: number) => async () => {
  clock.now += ms;
  return 'hecho';
};

it.each([
  [0.5, TICK_MS],
  [90, TICK_MS],
  [TICK_MS + 1, 2 * TICK_MS],
])('answers work of %s ms after %s ms', async (ms, at) => {
  expect(await inEvenTime(taking(ms))).toBe('hecho');
  expect(clock.now).toBe(at);
  expect(sleep).toHaveBeenCalled();
});

it('also fails after a multiple of the interval', async () => {
  const failing = async () => {
    clock.now += 3;
    throw new Error('no');
  };
  await expect(inEvenTime(failing)).rejects.toThrow('no');
  expect(clock.now).toBe(TICK_MS);
});
