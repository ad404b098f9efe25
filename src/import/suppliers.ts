/** Lists of contacts in which other programs have clients and suppliers together. */

import { folded, plain } from './sheets.ts';

const KIND_TITLES: ReadonlySet<string> = new Set([
  'tipo',
  'tipo contacto',
  'tipo de contacto',
  'tipo tercero',
  'tipo de tercero',
  'clase',
  'relacion',
  'type',
  'contact type',
]);
const SUPPLIER_TITLES = /^(?:(?:es|is) )?(?:proveedor|acreedor|supplier|vendor)$/;
const CLIENT_TITLES = /^(?:(?:es|is) )?(?:cliente|customer)$/;

const SUPPLIER = /proveedor|acreedor|supplier|vendor/;
const CLIENT = /client|customer/;
const YES = /^(?:si|s|x|1|true|verdadero|yes|y)$/;

/**
 * Tells of a row whether it is of a supplier that is no client.
 *
 * @param titles by column
 */
export function supplierFinder(
  titles: readonly string[],
): (textAt: (column: number) => string) => boolean {
  const columnsOf = (isMeant: (title: string) => boolean) =>
    titles.flatMap((title, column) => (isMeant(plain(title)) ? [column] : []));
  const kinds = columnsOf((title) => KIND_TITLES.has(title));
  const suppliers = columnsOf((title) => SUPPLIER_TITLES.test(title));
  const clients = columnsOf((title) => CLIENT_TITLES.test(title));
  return (textAt) => {
    const isYes = (column: number) => YES.test(folded(textAt(column)));
    const isKind = (column: number) => {
      const kind = folded(textAt(column));
      return SUPPLIER.test(kind) && !CLIENT.test(kind);
    };
    return kinds.some(isKind) || (suppliers.some(isYes) && !clients.some(isYes));
  };
}
