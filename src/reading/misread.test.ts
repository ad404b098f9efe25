import { expect, it } from 'vitest';
import {
  completedNif,
  mendedAmount,
  mendedDescription,
  mendedNif,
  mendedOrdinals,
  withoutStrokes,
} from './misread.ts';

it('repairs amounts whose figures were read as letters, and leaves words alone', () => {
  for (const [seen, printed] of [
    ['1.531,O5', '1.531,05'],
    ['l.531,05€', '1.531,05€'],
    ['1,531,05', '1.531,05'],
    ['-2S,40', '-25,40'],
    ['380,39%€', '380,39€'],
    ['422,89%€£', '422,89€'],
    ['lud', '1ud'],
    ['luz', 'luz'],
    ['lm', '1m'],
    ['12,50', '12,50'],
    ['SOL,IS', 'SOL,IS'],
    ['A-1043', 'A-1043'],
    ['01/02/2026', '01/02/2026'],
  ] as const) {
    expect(mendedAmount(seen)).toBe(printed);
  }
});

it('repairs a NIF only into one with a valid control character', () => {
  expect(mendedNif('547583227')).toBe('54758322Z');
  expect(mendedNif('49371790)')).toBe('49371790J');
  expect(mendedNif('B1234S674')).toBe('B12345674');
  expect(mendedNif('609346989')).toBe('60934698Q');
  expect(mendedNif('812345674')).toBe('B12345674');
  expect(mendedNif('B12345675')).toBeNull();
  expect(mendedNif('12345678Z')).toBe('12345678Z');
  expect(mendedNif('B1131969%6')).toBe('B11319696');
});

it('repairs the small letters of names and addresses, and no figures', () => {
  expect(mendedOrdinals('M2 del Carmen Seisdedos')).toBe('Mª del Carmen Seisdedos');
  expect(mendedOrdinals('Llave inglesa 10"')).toBe('Llave inglesa 10"');
  expect(mendedOrdinals('Cable 2,5 mm? de 3 mM')).toBe('Cable 2,5 mm² de 3 mm');
  expect(mendedOrdinals('C/ Balmes, 212, pral. la')).toBe('C/ Balmes, 212, pral. 1a');
  expect(mendedOrdinals('C/ Baranda, 32, 4% C')).toBe('C/ Baranda, 32, 4º C');
  expect(mendedOrdinals('Gran Vía 12 3%, dcha.')).toBe('Gran Vía 12 3º, dcha.');
  expect(mendedOrdinals('Plaza Mayor, 8, 2%')).toBe('Plaza Mayor, 8, 2º');
  expect(mendedOrdinals('Avda. de América 117, 2º')).toBe('Avda. de América 117, 2º');
  expect(mendedOrdinals('M2 Arquitectos, S.L.')).toBe('M2 Arquitectos, S.L.');
  expect(mendedOrdinals('José M.2 Pérez')).toBe('José M.ª Pérez');
  expect(mendedOrdinals('José M? Pérez')).toBe('José Mª Pérez');
  expect(mendedOrdinals('Horas de oficial de 1º')).toBe('Horas de oficial de 1ª');
  expect(mendedOrdinals('Clínica M3 Centro')).toBe('Clínica M3 Centro');
  expect(mendedOrdinals('Edificio Azul, planta 39, of. 12')).toBe(
    'Edificio Azul, planta 3ª, of. 12',
  );
  expect(mendedOrdinals('Ronda Norte n” 88, puerta 19')).toBe('Ronda Norte nº 88, puerta 19');
  expect(mendedOrdinals('Plaza de España, n2 3, 22 D')).toBe('Plaza de España, nº 3, 2º D');
  expect(mendedOrdinals('P9 de la Castellana, 200 - 42 planta')).toBe(
    'Pº de la Castellana, 200 - 4ª planta',
  );
  expect(mendedOrdinals('Avda. de América 117 - 22 Izda.')).toBe('Avda. de América 117 - 2º Izda.');
  for (const right of [
    'Gran Vía 32 B, planta 14',
    'Calle Mayor 12, puerta 3',
    'C/ Mayor 12 izda',
    'Calle Mayor, 12 izda',
    'Avda. de la Paz 32, puerta 4',
    'Calle Real, 14 planta baja',
    'Polígono Sur, 19 puerta 2',
    'Comisión de cobro 4,5%',
    'Descuento 10% de Navidad',
    'Retención del 7%, anual',
    'Gel 5% glicerina, 5% a granel',
  ])
    expect(mendedOrdinals(right)).toBe(right);
  expect(mendedOrdinals('Gil €: Mesa Abogados, S.L.P.')).toBe('Gil & Mesa Abogados, S.L.P.');
  expect(mendedOrdinals('Angel Iñigo, Calle Mayor 8 Madrid')).toBe(
    'Ángel Íñigo, Calle Mayor 8 Madrid',
  );
});

it('derives the last letter of a NIF from its figures, even if it was read as a bracket', () => {
  expect(mendedNif('33845778]')).toBe('33845778J');
  expect(mendedNif('33845779]')).toBeNull();
});

it('removes the bow of the euro sign from amounts, where most have two decimals', () => {
  const texts = (...all: readonly string[]) =>
    withoutStrokes(all.map((text) => ({ text, page: 1, x: 0, y: 0, w: 40, h: 9 }))).map(
      ({ text }) => text,
    );
  expect(texts('301,941€', '258,16€', '963,28€')).toEqual(['301,94€', '258,16€', '963,28€']);
  expect(texts('0,152€', '1,200€', '12,50€')).toEqual(['0,152€', '1,200€', '12,50€']);
});

it('repairs the class of a trade, and no other figure', () => {
  expect(mendedOrdinals('Hora de oficial 12')).toBe('Hora de oficial 1ª');
  expect(mendedOrdinals('Mano de obra oficial de 12')).toBe('Mano de obra oficial de 1ª');
  expect(mendedOrdinals('Cable oficial de 12 m')).toBe('Cable oficial de 12 m');
});

it('completes the NIF of a person whose letter was lost, and nothing else', () => {
  expect(completedNif('56106535')).toBe('56106535J');
  expect(completedNif('687724743')).toBe('68772474J');
  expect(completedNif('5610653')).toBeNull();
  expect(completedNif('B73195406')).toBeNull();
});

it('repairs an ampersand before the rest of a company’s name, and «nº» read as «ne»', () => {
  expect(mendedOrdinals('Pérez 8€z Asociados, S.L.P.')).toBe('Pérez & Asociados, S.L.P.');
  expect(mendedOrdinals('Avda. del Mediterráneo ne 88')).toBe('Avda. del Mediterráneo nº 88');
});

it('repairs units and takes away the side of a box in a description', () => {
  for (const [seen, printed] of [
    ['(Cable de red 5 m', 'Cable de red 5 m'],
    ['(Opcional) Cable de red', '(Opcional) Cable de red'],
    ['Estucado brillo 135 q', 'Estucado brillo 135 g'],
    ['Sustrato universal 50 1', 'Sustrato universal 50 l'],
    ['Aceite 1,5 1', 'Aceite 1,5 l'],
    ['Diferencial 40 A 30 MA', 'Diferencial 40 A 30 mA'],
    ['Puerta 1', 'Puerta 1'],
    ['Modelo MA 5', 'Modelo MA 5'],
    ['Luminaria de emergencia 100 1m', 'Luminaria de emergencia 100 lm'],
    ['Cemento CEM ll 32,5', 'Cemento CEM II 32,5'],
    ['Llave allen', 'Llave allen'],
    ['Revisión a 20 *C', 'Revisión a 20 °C'],
    ['Condensador 47 uF', 'Condensador 47 µF'],
    ['Aislante (m2?)', 'Aislante (m²)'],
    ['Filtro Qashqai 5 lts', 'Filtro Qashqai 5 lts'],
    ['LED 9 W —E27', 'LED 9 W – E27'],
    ['Codo 9%º', 'Codo 90º'],
    ['Trampilla n. 3 ¡/ herrajes', 'Trampilla n.º 3 i/ herrajes'],
    ['Tornillo N. 3', 'Tornillo N. 3'],
    ['lnstalación de linóleo', 'Instalación de linóleo'],
    ['Aceite de girasol 5 lts', 'Aceite de girasol 5 lts'],
    ['Pintura 15 ltr.', 'Pintura 15 ltr.'],
    ['Bomba de 20 lpm', 'Bomba de 20 lpm'],
    ['Saco de 50 lbs', 'Saco de 50 lbs'],
    ['Latiguillo 3/8 1m', 'Latiguillo 3/8 1m'],
    ['Foco 2.000 1m', 'Foco 2.000 lm'],
    ["Neteja de l'oficina", "Neteja de l'oficina"],
    ['Queso 5 quesos', 'Queso 5 quesos'],
  ] as const)
    expect(mendedDescription(seen)).toBe(printed);
});

it('reads a door after its floor as a letter', () => {
  expect(mendedOrdinals('Calle Alfonso X el Sabio, nº 7, 1%A, 29013 Málaga')).toBe(
    'Calle Alfonso X el Sabio, nº 7, 1ºA, 29013 Málaga',
  );
});

it('repairs no NIF that two different ones may have been', () => {
  expect(mendedNif('638759221')).toBeNull();
  expect(completedNif('638759221')).toBeNull();
});
