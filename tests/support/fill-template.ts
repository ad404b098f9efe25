import {
  clavesRegimen,
  formasPago,
  gruposContables,
  gruposIva,
  terminosPago,
  unidades,
} from '../../src/domain/catalogs/catalogs.ts';
import type { Lists } from '../../src/import/sheets.ts';
import { makeTemplate } from '../../src/import/template.ts';
import { listsOf } from '../../src/operations/import-template.ts';

/** The lists of a company in Madrid. */
export const LISTS: Lists = listsOf({
  terminosPago,
  formasPago,
  gruposContables,
  gruposIva: gruposIva('peninsula'),
  unidades,
  clavesRegimen: clavesRegimen('peninsula'),
});

export interface Filling {
  readonly Clientes?: readonly (readonly string[])[];
  readonly Productos?: readonly (readonly string[])[];
  readonly Facturas?: readonly (readonly string[])[];
}

/**
 * The template with rows from the fourth on, each in the order of its columns.
 *
 * @param blankRows after them: the real template has thousands, whose writing and reading would be most of the work
 */
export async function fillTemplate(filling: Filling, blankRows = 20): Promise<Buffer> {
  const sheets = Object.entries(filling).map(
    ([name, rows]) => [name, { rows, comments: new Map() }] as const,
  );
  return Buffer.from(await makeTemplate(LISTS, new Map(sheets), blankRows));
}

/** A row of the sheet of invoices: reference, date, type, customer, text, quantity, price, tax. */
export function line(
  referencia: string,
  cliente: string,
  {
    fecha = '15/01/2026',
    tipo = '',
    concepto = 'Hora de consultoría',
    cantidad = '2',
    precio = '45,00',
    impuesto = 'IVA21',
    total = '',
  } = {},
): string[] {
  return [
    ...[referencia, fecha, tipo, cliente, concepto, '', cantidad, precio, '', impuesto],
    ...['', '', '', total],
  ];
}
