import type { SaveDataAnswer } from '../../../contract/imports.ts';
import { cuenta } from '../../lib/format.ts';
import { PATHS } from '../../lib/paths.ts';

/** What an import saved, by kind, and the list that shows it. Kinds of which it saved nothing are left out. */
export function savedParts({ clientes, items, facturas }: SaveDataAnswer) {
  return [
    { count: clientes, text: cuenta(clientes, 'cliente', 'clientes'), path: PATHS.customers },
    { count: items, text: cuenta(items, 'producto', 'productos'), path: PATHS.products },
    {
      count: facturas,
      text: cuenta(facturas, 'borrador de factura', 'borradores de factura'),
      path: PATHS.pending,
    },
  ].filter(({ count }) => count > 0);
}
