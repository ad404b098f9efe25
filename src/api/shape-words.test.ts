import { expect, it } from 'vitest';
import { z } from 'zod';
import { refuseInSpanish } from './shape-words.ts';

const Shape = z.object({
  No: z.string(),
  price: z.number(),
  items: z.array(z.string()),
  File: z.unknown().refine((value) => value !== null),
  kind: z.enum(['a', 'b']),
  short: z.string().max(3),
});

it('says in plain Spanish what is missing and what is of another kind', () => {
  refuseInSpanish();
  const { error } = Shape.safeParse({ price: 'caro', items: {}, kind: 'c', short: 'largo' });
  const said = Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
  expect(said).toMatchObject({
    No: 'Falta',
    price: 'Tiene que ser un número',
    items: 'Tiene que ser una lista',
  });
  for (const message of Object.values(said)) {
    expect(message).not.toMatch(/recibido|indefinido|arreglo|optional|undefined/i);
  }
});

it('leaves a schema its own words', () => {
  refuseInSpanish();
  const { error } = z.object({ No: z.string('Di cuál.') }).safeParse({});
  expect(error?.issues[0]?.message).toBe('Di cuál.');
});
