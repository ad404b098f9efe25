import { afterAll, beforeAll, expect, it } from 'vitest';
import { openClock } from '../../src/platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('goes no further ahead than fifty years, at once or by steps', async () => {
  const clock = await openClock(database.sql);
  expect(await clock.advance(1e15)).toBe(false);
  expect(clock.offsetSeconds()).toBe(0);
  expect(await clock.advance(1_500_000_000)).toBe(true);
  expect(await clock.advance(100_000_000)).toBe(false);
  expect(clock.offsetSeconds()).toBe(1_500_000_000);
});
