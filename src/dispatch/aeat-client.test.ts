import { expect, it } from 'vitest';
import { slicesUntil } from './aeat-client.ts';

it('gives a message in slices, and no more of it once its time is over', () => {
  const message = new Uint8Array(150_000).map((_, at) => at % 251);
  const inTime = slicesUntil(performance.now() + 60_000, message);
  expect(Buffer.concat([...inTime]).equals(message)).toBe(true);
  const late = slicesUntil(performance.now() - 1, message);
  expect(() => late.next()).toThrow('Too late');
});
