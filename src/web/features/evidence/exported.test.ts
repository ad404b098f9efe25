import { expect, it } from 'vitest';
import { exportedCounter } from './exported.ts';

it('counts from the first place of the export on, and other files for nothing', () => {
  const counts: number[] = [];
  const count = exportedCounter((done) => counts.push(done));
  for (const name of [
    'registros/000038-000050.xml',
    'registros/000051-000100.xml',
    'LEEME.txt',
    'respuestas/000038-000100-envio-7.xml',
    'registros/000101-000101.xml',
    'manifiesto.csv',
  ]) {
    count(name);
  }
  expect(counts).toEqual([13, 63, 64]);
});
