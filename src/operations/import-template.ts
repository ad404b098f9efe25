import type { Deps } from '../deps.ts';
import { byCode, paises } from '../domain/catalogs/catalogs.ts';
import { isProductTax } from '../domain/product.ts';
import { type Lists, offeredTaxes, TIPOS_FACTURA } from '../import/sheets.ts';
import { type CompanyCatalogs, findCatalogs } from '../store/catalogs.ts';
import type { Tx } from '../store/sql.ts';

/** Templates by the lists that they contain: most companies share theirs. */
const made = new Map<string, Promise<string>>();
const MAX_MADE = 20;

/**
 * The official template for a company, with its own lists in the drop-downs. It is base64 in quotes, ready to be sent
 * as JSON, and the same string object is shared by all companies with the same lists.
 */
export async function importTemplate(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<string> {
  const lists = listsOf(await importCatalogs(sql, companyId));
  const { paises: _everybodys, ...own } = lists;
  const key = JSON.stringify(own);
  const before = made.get(key);
  if (before) return before;
  const making = makeFile(lists);
  making.catch(() => made.delete(key));
  made.set(key, making);
  const [oldest] = made.keys();
  if (made.size > MAX_MADE && oldest) made.delete(oldest);
  return making;
}

async function makeFile(lists: Lists): Promise<string> {
  const { makeTemplate } = await import('../import/template.ts'); // Too heavy for every start.
  return JSON.stringify(Buffer.from(await makeTemplate(lists)).toString('base64'));
}

export function importCatalogs(tx: Tx, companyId: number): Promise<CompanyCatalogs> {
  return findCatalogs(tx, companyId, [
    'terminosPago',
    'formasPago',
    'gruposContables',
    'gruposIva',
    'unidades',
    'clavesRegimen',
  ]);
}

/** @param usualTax of the company, which is proposed for a file without taxes; empty when not set */
export function listsOf(catalogs: CompanyCatalogs, usualTax = ''): Lists {
  return {
    paises: paises.map(({ value, label }) => ({ value, label })),
    terminosPago: catalogs.terminosPago.map(byCode),
    formasPago: catalogs.formasPago.map(byCode),
    gruposContables: catalogs.gruposContables.map(({ value, label }) => ({ value, label })),
    unidades: catalogs.unidades.map(byCode),
    impuestos: offeredTaxes(catalogs.gruposIva).map((tax) =>
      tax.value === usualTax ? { ...tax, isUsual: true } : tax,
    ),
    impuestosDeProducto: offeredTaxes(catalogs.gruposIva.filter(isProductTax)),
    clavesRegimen: catalogs.clavesRegimen.map(({ value, label }) => ({ value, label })),
    tiposFactura: TIPOS_FACTURA,
  };
}
