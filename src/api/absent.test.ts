import { expect, it } from 'vitest';
import { z } from 'zod';
import { lenientCompiler, withoutNulls } from './absent.ts';

const check = lenientCompiler({
  schema: z.object({
    No: z.string(),
    notas: z.string().default(''),
    lines: z.array(z.object({ unit: z.string().optional() })).default([]),
    kept: z.string().nullable().optional(),
  }),
  method: 'POST',
  url: '/',
});

it('takes a null for a field that was left out, also inside', () => {
  expect(check({ No: 'B-1', notas: null, lines: [{ unit: null }] })).toEqual({
    value: { No: 'B-1', notas: '', lines: [{}] },
  });
});

it('leaves a null where it is asked for', () => {
  expect(check({ No: 'B-1', kept: null })).toMatchObject({ value: { kept: null } });
});

it('still refuses what is missing, and a null in a list', () => {
  expect(check({ No: null })).toHaveProperty('error');
  expect(check({ No: 'B-1', lines: [null] })).toHaveProperty('error');
});

it('keeps the bytes of a file as they are', () => {
  const data = Buffer.from('x');
  expect(withoutNulls({ File: { data, fileName: null } })).toEqual({ File: { data } });
});
