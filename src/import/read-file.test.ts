import { expect, it } from 'vitest';
import { fillTemplate, LISTS } from '../../tests/support/fill-template.ts';
import { readFile } from './read-file.ts';

it('refuses a cell with the replacement character of an unreadable letter, naming its row', async () => {
  const file = await fillTemplate({
    Productos: [
      ['P1', 'Jamón', '10,00', 'Unidad'],
      ['P2', 'Jam\ufffdn', '10,00', 'Unidad'],
    ],
  });
  const { items } = await readFile(file, LISTS, null);
  expect(items.rows.map(({ problems }) => problems)).toEqual([
    [],
    [expect.objectContaining({ key: 'Name', fila: 5, mensaje: expect.stringContaining('\ufffd') })],
  ]);
});

it('offers a product no tax that it cannot have', () => {
  const taxes = LISTS.impuestosDeProducto.map(({ value }) => value);
  expect(taxes).toEqual(expect.arrayContaining(['IVA21', 'IVA10', 'IVA4']));
  expect(taxes.length).toBeLessThan(LISTS.impuestos.length);
});

it('tells an unknown country some names of countries, as its drop-down does', async () => {
  const file = await fillTemplate({
    Clientes: [['', 'Uno, S.L.', 'B12345674', 'Calle Mayor, 1', '28013', '', 'Narnia']],
  });
  const { clientes } = await readFile(file, LISTS, null);
  expect(clientes.rows[0]?.problems).toEqual([
    expect.objectContaining({
      key: 'countryCode',
      mensaje: '«Narnia» no está en la lista. Valores: España, Afganistán, Albania, Alemania…',
    }),
  ]);
});

it('takes as many emoji as letters, as the forms do', async () => {
  const file = await fillTemplate({
    Productos: [
      ['P1', '🥖'.repeat(250), '10,00', 'Unidad'],
      ['P2', '🥖'.repeat(251), '10,00', 'Unidad'],
    ],
  });
  const { items } = await readFile(file, LISTS, null);
  expect(items.rows.map(({ problems }) => problems.map(({ mensaje }) => mensaje))).toEqual([
    [],
    ['No puede pasar de 250 caracteres: tiene 251.'],
  ]);
});
