import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { inEvenTime, STROKE_MS } from './even-time.ts';

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
  [0.5, STROKE_MS],
  [90, STROKE_MS],
  [STROKE_MS + 1, 2 * STROKE_MS],
])('answers work of %s ms at %s ms', async (ms, at) => {
  expect(await inEvenTime(taking(ms))).toBe('hecho');
  expect(clock.now).toBe(at);
  expect(sleep).toHaveBeenCalled();
});

it('fails at a stroke too', async () => {
  const failing = async () => {
    clock.now += 3;
    throw new Error('no');
  };
  await expect(inEvenTime(failing)).rejects.toThrow('no');
  expect(clock.now).toBe(STROKE_MS);
});
