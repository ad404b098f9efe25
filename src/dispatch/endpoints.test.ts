import { expect, it } from 'vitest';
import { AEAT_ENDPOINTS, endpointOf } from './endpoints.ts';

it('of a seal are on hosts of their own', () => {
  const hosts = Object.values(AEAT_ENDPOINTS).map(({ url, selloUrl }) =>
    [url, selloUrl].map((address) => new URL(address).host),
  );
  expect(hosts).toEqual([
    ['www1.agenciatributaria.gob.es', 'www10.agenciatributaria.gob.es'],
    ['prewww1.aeat.es', 'prewww10.aeat.es'],
  ]);
});

it.each([
  ['https://pasarela.ejemplo.es:8443', 'https://pasarela.ejemplo.es:8443/wlpl/TIKE-CONT/'],
  ['https://pasarela.ejemplo.es/aeat', 'https://pasarela.ejemplo.es/aeat'],
  ['https://pasarela.ejemplo.es/?a=1', 'https://pasarela.ejemplo.es/?a=1'],
])('of %s has the AEAT’s path if none is given', (given, starts) => {
  expect(endpointOf(given).startsWith(starts)).toBe(true);
  if (given !== starts) expect(endpointOf(given)).toMatch(/VerifactuSOAP$/);
});
