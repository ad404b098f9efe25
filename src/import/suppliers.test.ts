import { expect, it } from 'vitest';
import { supplierFinder } from './suppliers.ts';

const isSupplier = (row: Readonly<Record<string, string>>) => {
  const texts = Object.values(row);
  return supplierFinder(Object.keys(row))((column) => texts[column] ?? '');
};

it.each([
  [{ Nombre: 'Uno', Tipo: 'Proveedor' }, true],
  [{ Nombre: 'Uno', 'Tipo de contacto': 'ACREEDORES VARIOS' }, true],
  [{ Nombre: 'Uno', Tipo: 'Cliente' }, false],
  [{ Nombre: 'Uno', Tipo: 'Proveedor y cliente' }, false],
  [{ Nombre: 'Proveedores Reunidos, S.L.', Tipo: '' }, false],
  [{ Nombre: 'Uno', '¿Es proveedor?': 'Sí' }, true],
  [{ Nombre: 'Uno', Proveedor: 'No' }, false],
  [{ Nombre: 'Uno', 'Es cliente': 'X', 'Es proveedor': 'X' }, false],
  [{ Nombre: 'Uno', 'Es cliente': '0', 'Es proveedor': '1' }, true],
  // The supplier that recommended it, and no answer.
  [{ Nombre: 'Uno', Proveedor: 'Dos, S.L.' }, false],
])('%j is a supplier and no client: %s', (row, isOne) => {
  expect(isSupplier(row)).toBe(isOne);
});
