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
  // It begins and ends like an answer.
  [{ Nombre: 'Uno', Proveedor: 'Suministros' }, false],
  // Other questions than whether it is one.
  [{ Nombre: 'Uno', 'Código de proveedor': '1' }, false],
  [{ Nombre: 'Uno', 'Proveedor desde': '1' }, false],
  [{ Nombre: 'Uno', 'Código de cliente': '1', Proveedor: 'Sí' }, true],
  [{ Nombre: 'Uno', 'Cliente n.º': '1', Proveedor: 'Sí' }, true],
])('%j is a supplier and no client: %s', (row, isOne) => {
  expect(isSupplier(row)).toBe(isOne);
});
