import { expect, it } from 'vitest';
import { isNif, isNifPersona } from './nif.ts';
import { isNifIva } from './nif-iva.ts';

const PERSONAS =
  '00000000T 00000001R 12345678Z 99999999R X0000000T X1234567L Y1234567X Z1234567R K1234567L L1234567L M1234567L 89890001K 89890002E';
const ENTIDADES =
  'A58818501 B12345674 B85955367 A28015865 G28029643 J99216582 P2807900B Q2826000H S2833002E R2800001F W0010001F N1234567D U12345674 V12345674 A39200019';
const WRONG =
  '00000000A 12345678A X1234567A T0000000E K1234567D B12345670 O1234567D I12345674 B1234567 A5881850A P28079002 12345678z B123456740';

it.each(PERSONAS.split(' '))('%s is of a person', (nif) => {
  expect(isNifPersona(nif) && isNif(nif)).toBe(true);
});
it.each(ENTIDADES.split(' '))('%s is of an entity', (nif) => {
  expect(isNif(nif) && !isNifPersona(nif)).toBe(true);
});
it.each(WRONG.split(' '))('%s is of nobody', (nif) => {
  expect(isNif(nif)).toBe(false);
});

it.each(['FR40303265045', 'EL094259216', 'IE6433435OA', 'NL004495445B01', 'RO18547290', 'XIGD001'])(
  '%s has the structure of a NIF-IVA',
  (id) => expect(isNifIva(id)).toBe(true),
);
it.each(['GR094259216', 'ESA58818501', 'US123456789', 'DE13669597', 'RO0123', 'fr40303265045'])(
  '%s has not',
  (id) => expect(isNifIva(id)).toBe(false),
);
