import { expect, it } from 'vitest';
import { generatedAt } from './issuing-batch.ts';

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

it.each([
  ['the first of a cadena', null, '10:00:00'],
  ['the next', at('09:59:59'), '10:00:00'],
  ['one behind another of a clock a little ahead', at('10:00:40'), '10:00:40'],
  ['one behind another of a clock that was wrong, and was mended', at('11:00:00'), '10:00:00'],
])('%s is generated at the right time', (_, last, time) => {
  expect(generatedAt(at('10:00:00'), last)).toEqual(at(time));
});
