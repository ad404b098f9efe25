import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { inCompanyLine } from './company-line.ts';

it('does the work of a company one after another, and that of companies side by side', async () => {
  const story: string[] = [];
  const work = (name: string) => async () => {
    story.push(`${name} begins`);
    await setImmediate();
    story.push(`${name} ends`);
    if (name === 'A1') throw new Error('A1 fails, and holds up nobody.');
    return name;
  };
  const outcomes = await Promise.allSettled([
    inCompanyLine(1, work('A1')),
    inCompanyLine(1, work('A2')),
    inCompanyLine(2, work('B1')),
    inCompanyLine(1, work('A3')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  expect(story.filter((line) => line.startsWith('A'))).toEqual(
    ['A1', 'A2', 'A3'].flatMap((name) => [`${name} begins`, `${name} ends`]),
  );
  expect(story.indexOf('B1 begins')).toBeLessThan(story.indexOf('A1 ends'));
});

it('lets nobody pass who comes while one works and the one before has ended', async () => {
  const story: string[] = [];
  const work = (name: string) => async () => {
    story.push(`${name} begins`);
    await setImmediate();
    story.push(`${name} ends`);
  };
  const first = inCompanyLine(1, work('A1'));
  const second = inCompanyLine(1, work('A2'));
  await first;
  await Promise.all([second, inCompanyLine(1, work('A3'))]);
  expect(story).toEqual(['A1', 'A2', 'A3'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});
