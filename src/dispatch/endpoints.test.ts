import { expect, it } from 'vitest';
import { AEAT_ENDPOINTS } from './endpoints.ts';

it('of a seal are on hosts of their own', () => {
  const hosts = Object.values(AEAT_ENDPOINTS).map(({ url, selloUrl }) =>
    [url, selloUrl].map((address) => new URL(address).host),
  );
  expect(hosts).toEqual([
    ['www1.agenciatributaria.gob.es', 'www10.agenciatributaria.gob.es'],
    ['prewww1.aeat.es', 'prewww10.aeat.es'],
  ]);
});
