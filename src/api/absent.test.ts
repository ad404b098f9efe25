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

it('treats a null as a missing field, also inside objects', () => {
  expect(check({ No: 'B-1', notas: null, lines: [{ unit: null }] })).toEqual({
    value: { No: 'B-1', notas: '', lines: [{}] },
  });
});

it('keeps a null where the schema asks for it', () => {
  expect(check({ No: 'B-1', kept: null })).toMatchObject({ value: { kept: null } });
});

it('still refuses what is missing, and a null in a list', () => {
  expect(check({ No: null })).toHaveProperty('error');
  expect(check({ No: 'B-1', lines: [null] })).toHaveProperty('error');
});

it('leaves the bytes of a file as they are', () => {
  const data = Buffer.from('x');
  expect(withoutNulls({ File: { data, fileName: null } })).toEqual({ File: { data } });
});
