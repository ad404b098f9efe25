import { expect, it } from 'vitest';
import { LISTS } from '../../tests/support/fill-template.ts';
import { readFile } from './read-file.ts';

const LIST = [
  'Razón social;Nombre;Apellidos;NIF',
  'Ferretería Muñoz, S.L.;Eva;Muñoz Gil;B12345674',
  ';Ana;Beltrán Ruiz;12345678Z',
  '-;Luis;;87654321X',
  ';;;A58818501',
].join('\n');

const read = async (list: string, columnas: Record<string, number>) => {
  const { clientes } = await readFile(Buffer.from(list), LISTS, {
    hojas: [{ hoja: 'Archivo', destino: 'Clientes', fila: 1, columnas, fijos: {} }],
    decimal: ',',
  });
  return { names: clientes.rows.map(({ values }) => values.Name), persons: clientes.persons };
};

it('who has no name of a company is named by name and surnames', async () => {
  expect(await read(LIST, { Name: 0, VATRegistrationNo: 3 })).toEqual({
    names: ['Ferretería Muñoz, S.L.', 'Ana Beltrán Ruiz', 'Luis', ''],
    persons: [3, 4],
  });
});

it('not by columns that were given another meaning', async () => {
  const { names } = await read(LIST, { Name: 0, No: 1, VATRegistrationNo: 3 });
  expect(names).toEqual(['Ferretería Muñoz, S.L.', '', '-', '']);
});

it('nor in a list without surnames, where the name is that of a shop', async () => {
  const list = 'Nombre fiscal;Nombre;NIF\n;El Rincón;12345678Z';
  expect(await read(list, { Name: 0, VATRegistrationNo: 2 })).toEqual({
    names: [''],
    persons: [],
  });
});

it('nor beside a name that may be of anybody', async () => {
  const list = 'Cliente;Nombre;Apellidos;NIF\n;Ana;Ruiz;12345678Z';
  expect((await read(list, { Name: 0, VATRegistrationNo: 3 })).persons).toEqual([]);
});

it('nor by surnames alone', async () => {
  const list = 'Razón social;Apellidos;NIF\n;Ruiz;12345678Z';
  expect((await read(list, { Name: 0, VATRegistrationNo: 2 })).persons).toEqual([]);
});

it('with the name first, also where the list has it behind', async () => {
  const list = 'Razón social;Apellidos;Nombre;NIF\n;Beltrán Ruiz;Ana;12345678Z';
  const { names } = await read(list, { Name: 0, VATRegistrationNo: 3 });
  expect(names).toEqual(['Ana Beltrán Ruiz']);
});
