import { expect, it } from 'vitest';
import { remedioDeFault, waitAfterCopies } from './policy.ts';

it.each([
  // faultcode, code, technical, registros → remedy (VERIFACTU §10, §11.1, §11.2)
  ['Server', 102, true, 10, 'repetir'],
  ['Server', undefined, false, 1, 'repetir'],
  ['Client', 4102, false, 10, 'aislar'],
  ['Client', 4102, false, 1, 'aislar'],
  ['Client', 4109, false, 2, 'aislar'],
  ['Client', 4103, true, 8, 'aislar'],
  ['Client', 4103, true, 1, 'repetir'],
  ['Client', 4134, true, 3, 'repetir'],
  ['Client', 4104, false, 5, 'detener'],
  ['Client', 4112, false, 1, 'detener'],
  ['Client', 4141, false, 1, 'detener'],
  ['Client', undefined, false, 3, 'detener'],
  ['Server', 4141, false, 1, 'detener'],
] as const)('a Fault %s %s (technical: %s) of %i is to %s', (...row) => {
  const [faultcode, code, esTecnico, registros, remedio] = row;
  const fault = code === undefined ? { faultcode } : { faultcode, code };
  expect(remedioDeFault(fault, { esTecnico, esDeQuienEnvia: false, registros })).toBe(remedio);
});

it('stops at the company’s own NIF, of whatever registro the code might be', () => {
  const fault = { faultcode: 'Client', code: 4109 } as const;
  const rest = { esTecnico: false, registros: 10 };
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: true })).toBe('detener');
  expect(remedioDeFault(fault, { ...rest, esDeQuienEnvia: false })).toBe('aislar');
});

it.each([
  [60, 'Anulacion', null, 180],
  [60, 'Alta', 'S', 180],
  [0, 'Alta', 'S', 150],
  [0, 'Alta', null, 0],
] as const)(
  'after a copy and a wait of %i s, %s (Subsanacion %s) holds the next for %i s',
  (wait, TipoRegistro, Subsanacion, seconds) => {
    expect(waitAfterCopies(wait, [{ TipoRegistro, Subsanacion }])).toBe(seconds);
  },
);
