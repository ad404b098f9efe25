import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPace, type Pace } from './pace.ts';

describe('the pace of sending', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Pieces of 100 ms. @returns when each began, in milliseconds */
  async function begins(
    pace: Pace,
    count: number,
    meanwhile: () => void,
    lateMs = 0,
  ): Promise<number[]> {
    const start = performance.now();
    const times: number[] = [];
    const pieces = Array.from({ length: count }, () =>
      pace.work(lateMs, async () => {
        times.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }),
    );
    const calls = setInterval(meanwhile, 20);
    await vi.advanceTimersByTimeAsync(3_000);
    clearInterval(calls);
    await Promise.all(pieces);
    return times;
  }

  it('works on two pieces at a time without pauses while nobody registers', async () => {
    expect(await begins(createPace(), 6, () => undefined)).toEqual([0, 0, 100, 100, 200, 200]);
  });

  it('works on one piece at a time, a fifth of the time, while people register', async () => {
    const pace = createPace();
    for (let call = 0; call < 8; call++) pace.heardRegistering();
    const times = await begins(pace, 5, pace.heardRegistering);
    expect(times).toEqual([0, 500, 1000, 1500, 2000]);
  });

  it('no longer slows down once a company has waited for a minute', async () => {
    const pace = createPace();
    for (let call = 0; call < 8; call++) pace.heardRegistering();
    const late = await begins(pace, 4, pace.heardRegistering, 60_000);
    expect(late).toEqual([0, 0, 100, 100]);
    expect(await begins(pace, 2, pace.heardRegistering, 59_999)).toEqual([0, 500]);
  });

  it('ignores a few registrations, and forgets them after a second', async () => {
    const pace = createPace();
    for (let call = 0; call < 7; call++) pace.heardRegistering();
    expect(await begins(pace, 4, () => undefined)).toEqual([0, 0, 100, 100]);
    for (let call = 0; call < 8; call++) pace.heardRegistering();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await begins(pace, 4, () => undefined)).toEqual([0, 0, 100, 100]);
  });

  it('goes on after a piece that failed', async () => {
    const pace = createPace();
    const failed = [1, 2].map(() =>
      pace.work(0, async () => {
        throw new Error('broken');
      }),
    );
    for (const piece of failed) await expect(piece).rejects.toThrow('broken');
    expect(await begins(pace, 2, () => undefined)).toEqual([0, 0]);
  });

  it('lets nobody wait when it ends', async () => {
    const pace = createPace();
    for (let call = 0; call < 8; call++) pace.heardRegistering();
    const begun: number[] = [];
    const pieces = [1, 2, 3, 4].map((piece) =>
      pace.work(0, async () => {
        begun.push(piece);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }),
    );
    await vi.advanceTimersByTimeAsync(150);
    expect(begun).toEqual([1]);
    pace.hurry();
    await vi.advanceTimersByTimeAsync(100);
    expect(begun).toEqual([1, 2, 3, 4]);
    await Promise.all(pieces);
  });

  it('pauses for two seconds at most, however long a piece took', async () => {
    const pace = createPace();
    for (let call = 0; call < 8; call++) pace.heardRegistering();
    const calls = setInterval(pace.heardRegistering, 20);
    const start = performance.now();
    void pace.work(0, () => new Promise((resolve) => setTimeout(resolve, 5_000)));
    let began = 0;
    void pace.work(0, async () => {
      began = performance.now() - start;
    });
    await vi.advanceTimersByTimeAsync(8_000);
    clearInterval(calls);
    expect(began).toBe(7_000);
  });
});
