import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** Files that take the given time, measured by a clock of their own. */
function desk() {
  let now = 0;
  const began: string[] = [];
  const turns = new Turns(1, () => now);
  const read = (companyId: number, ms: number, name = `${companyId}`) => {
    let end = () => {};
    const done = turns.run(companyId, async () => {
      began.push(name);
      await new Promise<void>((resolve) => {
        end = () => {
          now += ms;
          resolve();
        };
      });
    });
    return {
      finish: async () => {
        end();
        await done;
      },
    };
  };
  return { began, read, pass: (ms: number) => (now += ms) };
}

describe('the turns of the reader', () => {
  it('are in order of arrival among companies that have not used it', async () => {
    const { began, read } = desk();
    const all = [1, 2, 3].map((companyId) => read(companyId, 1_000));
    for (const one of all) await one.finish();
    expect(began).toEqual(['1', '2', '3']);
  });

  it('go to the company that has used it least: difficult files delay only their own company', async () => {
    const { began, read } = desk();
    await read(1, 8_000, 'hard').finish();
    const running = read(2, 500, 'first of 2');
    const hardAgain = read(1, 8_000, 'hard again');
    const others = [3, 4].map((companyId) => read(companyId, 500));
    await running.finish();
    for (const one of others) await one.finish();
    await hardAgain.finish();
    expect(began).toEqual(['hard', 'first of 2', '3', '4', 'hard again']);
  });

  it('are forgotten after a while, and are passed on after a failure', async () => {
    const { began, read, pass } = desk();
    await read(1, 8_000, 'hard').finish();
    pass(3 * 60 * 60_000);
    const running = read(3, 100);
    const waiting = [read(1, 500, 'long after'), read(2, 500)];
    await running.finish();
    for (const one of waiting) await one.finish();
    expect(began).toEqual(['hard', '3', 'long after', '2']);

    const turns = new Turns(1, () => 0);
    const failing = turns.run(1, () => Promise.reject(new Error('given up')));
    const next = turns.run(2, async () => 'read');
    await expect(failing).rejects.toThrow('given up');
    expect(await next).toBe('read');
  });
});
