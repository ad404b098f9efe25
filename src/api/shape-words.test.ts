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
  long: z.string().min(2),
  few: z.array(z.string()).max(1),
  page: z.number().min(1),
  size: z.number().max(200),
  amount: z.union([z.string(), z.number()]),
  total: z.union([z.string(), z.number()]),
  sums: z.stringbool(),
  file: z.uuid(),
});

it('says in plain Spanish what is missing and what has the wrong type', () => {
  refuseInSpanish();
  const { error } = Shape.safeParse({
    price: 'caro',
    items: {},
    kind: 'c',
    short: 'largo',
    long: 'a',
    few: ['a', 'b'],
    page: 0,
    size: 201,
    amount: true,
    sums: 'quizá',
    file: 'a.pdf',
  });
  const said = Object.fromEntries(
    (error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]),
  );
  expect(said).toMatchObject({
    No: 'Falta',
    price: 'Tiene que ser un número',
    items: 'Tiene que ser una lista',
    kind: 'Tiene que ser «a» o «b»',
    short: 'Tiene que tener 3 caracteres como mucho',
    long: 'Tiene que tener 2 caracteres como poco',
    few: 'Tiene que tener 1 elemento como mucho',
    page: 'No puede ser menor que 1',
    size: 'No puede pasar de 200',
    amount: 'Tiene que ser un texto o un número',
    total: 'Falta',
    sums: 'Tiene que ser verdadero o falso',
    file: 'Tiene que ser un identificador (UUID)',
  });
  for (const message of Object.values(said)) {
    expect(message).not.toMatch(/recibido|indefinido|arreglo|optional|undefined/i);
  }
});

it('leaves a schema its own messages', () => {
  refuseInSpanish();
  const { error } = z.object({ No: z.string('Di cuál.') }).safeParse({});
  expect(error?.issues[0]?.message).toBe('Di cuál.');
});
