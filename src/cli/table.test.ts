import { expect, it } from 'vitest';
import { table } from './table.ts';

it('accepts any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, n) => [String(n), 'x']);
  const lines = table(['Nº', 'Qué'], rows).split('\n');
  expect(lines).toHaveLength(200_001);
  expect(lines.slice(0, 2)).toEqual(['Nº      Qué', '0       x']);
});
