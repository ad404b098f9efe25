import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { inCompanyTurn } from './company-turns.ts';

/** Readings of a company, and which of them have begun. */
function readings(companyId: number, count: number, { closed = false } = {}) {
  const begun: number[] = [];
  const raws = Array.from({ length: count }, (_, place) => {
    const raw = Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
    inCompanyTurn(companyId, raw, () => begun.push(place));
    return raw;
  });
  return { begun, raws };
}

it('lets eight readings of a company begin, and the others as those end, in their order', () => {
  const { begun, raws } = readings(1, 10);
  expect(begun).toHaveLength(8);
  expect(readings(2, 1).begun).toEqual([0]);
  raws[3]?.emit('finish');
  raws[3]?.emit('close'); // Both come when it was answered.
  expect(begun.slice(8)).toEqual([8]);
  raws[0]?.emit('close');
  expect(begun.slice(8)).toEqual([8, 9]);
  for (const raw of raws) raw.emit('close');
  expect(readings(1, 8).begun).toHaveLength(8);
});

it('forgets one that is cut off while it waits', () => {
  const { begun, raws } = readings(3, 10);
  raws[8]?.emit('close');
  raws[0]?.emit('finish');
  expect(begun.slice(8)).toEqual([9]);
});

it('begins none that was cut off before it came to the line, nor keeps a turn for it', () => {
  expect(readings(4, 8, { closed: true }).begun).toEqual([]);
  expect(readings(4, 8).begun).toHaveLength(8);
});
