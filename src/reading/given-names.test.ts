import { expect, it } from 'vitest';
import { isGiven } from './given-names.ts';

it('distinguishes the name of a person from that of a business', () => {
  for (const name of [
    'inmaculada reyes',
    'm.ª angeles rueda',
    'de ana ruiz',
    'ruiz sanz, maria elena',
  ])
    expect(isGiven(name)).toBe(true);
  for (const trade of ['casa maruja', 'talleres vega', 'santiago', 'fontaneria robledo'])
    expect(isGiven(trade)).toBe(false);
});
